// Package draws judges draws of the posterior of a program, as CmdStan writes them, with the program: log Z by bridge
// sampling with a normal distribution that half of the draws fits and the other half does not know, each way round.
//
// Files in reading order: posterior.go (draws in coordinates without bounds, halves, the bridge and its error),
// report.go (the error of both halves together, and the checks).
//
// It is apart from estimators/external so that the page's reader does without it. A program is an interface here: it must
// not know the language of programs.
package draws
