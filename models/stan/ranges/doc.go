// Package prove tells what is certain of numbers of a tape for all parameters: ranges, order and sums. What it cannot
// prove may hold all the same; the compiler then adds a test to the tape.
//
// range.go has the ranges of numbers; number.go tells which are certainly no NaN; form.go has their order and sums, by
// polynomials.
package ranges
