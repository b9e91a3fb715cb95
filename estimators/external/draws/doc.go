// Package draws estimates log Z from posterior draws of a probabilistic program, as CmdStan writes them, and judges how
// far the result can be trusted. It uses bridge sampling: a normal distribution is fitted to one half of the draws and
// the bridge is computed with the other half; the halves then change roles.
//
// Files in reading order: posterior.go (draws in unconstrained coordinates, halves, the bridge and its error),
// report.go (the error of the mean of both halves, and the checks).
//
// The package is separate from estimators/external so that binaries that read no posterior draws do not link it.
// Program is an interface so that the package does not depend on the language in which programs are written.
package draws
