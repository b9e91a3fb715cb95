// Package calibration tells how often error bars have held in runs whose exact log Z is known. ./build.sh calibrate
// makes these runs, counts them by what a run knows of itself, and writes the counts to table.txt, which is compiled
// in. A run without an exact value can then say how bars like its own fared.
//
// It must not know how runs are made, nor any exact value.
package calibration
