// Package format writes numbers for people, the same on the page, on the canvas and in tables: as many digits as an
// error bar allows, a real minus sign, thousands set off by commas (number.go), times (time.go), ticks of axes
// (ticks.go).
//
// Results in JSON and in files keep all their digits; they must not pass through here.
package format
