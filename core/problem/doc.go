// Package problem makes errors that can be translated and sent to another worker, because they keep their format and
// their arguments.
//
// Use New for every error that a user of the page may read: about files, links, parameters, models, results, and anything
// else that the user can mend. It says what is wrong, the value and the limit, and what to do; its German is an entry of
// core/words/de.po. Use fmt.Errorf and errors.New for errors that only programmers meet, for values that callers compare
// or replace (wire.ErrShort, disk.ErrTaken), and for those of the command, which is English (wasm/logz, wasm/tool,
// estimators/papers). The test TestGermanErrors of core/words lists the files that do. Panic if the program itself is
// wrong, or if a unit of work is damaged (estimators.MustDecode), which its worker reports as an error of the unit.
//
// The package must not know a language but English.
package problem
