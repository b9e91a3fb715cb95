// Package problem makes errors that can be translated and sent to another worker: an error keeps its format string and
// its arguments.
//
// Use New for every error that a user of the page may read: about files, links, parameters, models and results, and
// about anything else the user can correct. The text says what is wrong, gives the value and the limit, and says what
// to do. Its German is an entry of core/words/de.po. Use fmt.Errorf and errors.New for errors that only programmers
// see, for values that callers compare or replace (wire.ErrDamaged, disk.ErrLocked), and for errors of the command,
// which is English (wasm/logz, wasm/tool, estimators/papers). The test TestGermanErrors of core/words lists the files
// that may use them. Panic if the program itself is wrong, or if the encoded message of a unit of work is corrupt
// (estimators.MustDecode); the worker reports that panic as an error of the unit.
//
// The package contains English only.
package problem
