// Package labtest has what tests of several packages share: comparisons (labtest.go), tests
// of samplers against exact probabilities (samplers.go), rows of a model as bits (rows.go), known answers (truth.go;
// package answers has the files), and how much a tier of tests does (package tier).
//
// Only tests import it. It must not know a family of models or a method.
package labtest
