// Package calibration reports how often error bars covered the exact value in comparable runs whose exact log Z is
// known. ./build.sh calibrate makes such runs, counts them by properties that are known without the exact value, and
// writes the counts to table.txt, which is compiled in. So a run without an exact value can report the coverage of
// comparable error bars.
//
// The package must not know how runs are made, nor any exact value.
package calibration
