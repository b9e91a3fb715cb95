// Package draws judges draws from the posterior of a program, as CmdStan writes them, together with the program: it
// estimates log Z by bridge sampling with a normal distribution that is fitted to one half of the draws and compared
// with the other half, and vice versa.
//
// Files in reading order: posterior.go (draws in unconstrained coordinates, halves, the bridge and its error),
// report.go (the error of the mean of both halves, and the checks).
//
// It is separate from estimators/external so that the page's reader does not include it. Program is an interface so
// that the package does not depend on the language of programs.
package draws
