// Package labtest has what tests of several packages share: comparisons (labtest.go), tests of samplers against exact
// probabilities (samplers.go), rows of a model as bits (rows.go), and known answers (truth.go; package answers has the
// files). Package tier says how much a test does before a commit, before a push, and before a release.
//
// Only tests import it. It must not know a family of models or a method.
package labtest
