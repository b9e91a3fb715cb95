// Package ranges is the range analysis of the Stan compiler. For numbers of a tape it proves intervals, order, fixed
// sums and the absence of NaN, for all values of the parameters. The analysis is sound but incomplete: if it cannot
// prove a condition, the compiler adds a run-time check to the tape.
//
// ranges.go computes intervals, nan.go excludes NaN, and polynomial.go proves order and sums by comparing polynomials.
package ranges
