// Package targets makes models whose exact log Z is known: the built-in ones that have one (targets.go), and others
// from seeds (seeded.go). Tests and calibrations of error bars run the methods on them.
//
// It must not know methods.
package targets
