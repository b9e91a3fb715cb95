// Package csv reads tables of text whose separators, names and numbers are written in many ways: dialect.go finds out
// the encoding, the separator and how decimals are marked, table.go reads rows of numbers with a label, columns.go
// columns of any cells, among them dates. What may be read in two ways is an error that says what to write.
//
// It must not know models or what the columns mean to them. Its caller counts the memory of a table.
package csv
