// Package coverage runs every method repeatedly on models whose exact log Z is known, and counts how often its error
// bars cover the exact value: the numbers of package calibration and of site/docs/calibration.md. cell.go defines what
// is counted together, plan.go the order of runs, run.go makes them, document.go writes tables. `./build.sh calibrate`
// calls it.
//
// It is native only. No program of the site may import it.
package coverage
