// Package format writes numbers for people, the same way on the page, in the picture and in tables: rounded to their
// error bars, with a typographic minus sign and commas between thousands (number.go), times (time.go) and axis ticks
// (ticks.go).
//
// Numbers in JSON and in result files keep full precision; they must not pass through this package.
package format
