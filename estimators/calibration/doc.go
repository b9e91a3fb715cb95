// Package calibration reports how often error bars covered the exact value in comparable runs whose exact log Z is
// known. ./build.sh calibrate (package coverage) makes such runs, counts them by properties that are known without the
// exact value, and writes the counts to table.txt, which is compiled in. A run whose exact value is not known can thus
// report the coverage of comparable error bars.
//
// The package must not depend on how runs are made, or on any exact value.
package calibration
