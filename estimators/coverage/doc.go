// Package coverage runs every method repeatedly on models whose exact log Z is known, and counts how often its error
// bars cover the exact value: the numbers of package calibration and of site/docs/calibration.md. cell.go defines what
// is counted together and writes the counts to files; plan.go chooses the runs and their order; run.go makes them;
// document.go writes the document. The command is ./build.sh calibrate.
//
// The package is only built for native programs. No program of the site may import it.
package coverage
