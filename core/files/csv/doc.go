// Package csv reads tables of text, in three ways:
//
//   - ReadTable (table.go): rows of numbers with a label, small enough for memory
//   - ReadColumns (columns.go): columns of any cells, such as dates (dates.go) and names of groups
//   - Stream (stream.go): rows of numbers one after another, of a file of any size, with infinities if the caller
//     allows them
//
// dialect.go finds out the encoding, the separator and how decimals are marked; names.go has what names of columns mean.
// A table that can be read in two ways is an error that says what to write; a phrase says which columns were left out.
//
// The package must not know models or what samples mean. Its caller counts the memory of a table.
package csv
