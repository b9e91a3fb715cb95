// Package samples reads what other programs leave behind: log likelihoods under powers, energies of alchemical windows,
// sums of stones, dead points of nested sampling. Read finds out by content which program wrote a file, and joins files
// that belong together.
//
// Files in reading order:
//
//  1. samples.go: the Set that is read, and Read
//  2. join.go: blocks of files become chains of rungs and runs
//  3. unpack.go, table.go, looks.go: packed files; tables of text (core/files/csv); whether a file is one of samples
//  4. powers.go: RevBayes, BEAST 1 and 2, any table of powers and log likelihoods; stones.go: MrBayes
//  5. gromacs.go, alchemlyb.go, arrays.go: energies by window
//  6. nested.go, points.go: dead points; draws.go: draws of a posterior
//
// Every error names the file and, where there is one, the line, what was found there and what to do. A phrase in Said
// tells what was understood.
//
// It must not know models or methods, nor make estimates.
package samples
