// Package labtest has helpers for tests of several packages: comparisons (labtest.go), tests of samplers against exact
// probabilities (samplers.go), rows of a model as bits (rows.go), and known answers (truth.go; package answers has the
// files). Package tier selects how much a test does before a commit, a push and a release.
//
// Only tests import it. It must not know a kind of model or a method.
package labtest
