// Package coverage runs every method on models whose exact log Z is known, over and over, and counts how its error bars
// held: the numbers of package calibration and of site/docs/calibration.md. cell.go says what is counted together,
// plan.go which runs come next, run.go makes them, document.go writes tables. `./build.sh calibrate` calls it.
//
// It is native only. No program of the site may import it.
package coverage
