// Package targets makes models whose exact log Z is known: built-in ones (targets.go), and others from seeds
// (seeded.go). Tests and calibrations of error bars run the methods on them.
//
// The package must not know methods.
package targets
