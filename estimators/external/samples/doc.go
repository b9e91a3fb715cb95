// Package samples reads files of samples that other programs write: log likelihoods at powers of the likelihood,
// energies of alchemical windows, sums of stepping stones, dead points of nested sampling, posterior draws. Read
// recognises the program by the content of a file, and joins files that belong together.
//
// Files in reading order:
//
//  1. samples.go: the Set, and Read
//  2. join.go: blocks of files become chains of rungs and runs
//  3. unpack.go, table.go, sniff.go: compressed files; tables of text (core/files/csv); recognising files of samples
//  4. powers.go: RevBayes, BEAST 1 and 2, any table of powers and log likelihoods; stones.go: MrBayes
//  5. gromacs.go, alchemlyb.go, arrays.go: energies by window
//  6. nested.go, points.go: nested sampling; draws.go: posterior draws
//
// Every error names the file and, if possible, the line; it says what was found and what to do. Set.Notes says how the
// files were interpreted.
//
// The package must not depend on models or methods, and it computes no estimates.
package samples
