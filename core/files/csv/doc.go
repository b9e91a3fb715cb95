// Package csv reads tables of text whose separators, names and numbers are written in many ways: dialect.go finds out
// the encoding, the separator and how decimals are marked, names.go what names of columns mean, table.go reads rows of
// numbers with a label, columns.go columns of any cells, dates.go those of dates. What may be read in two ways is an
// error that says what to write; what is left out is told as a phrase.
//
// It must not know models. Its caller counts the memory of a table.
package csv
