// Package csv reads tables of text, in three ways:
//
//   - ReadTable (table.go): rows of numbers with a label, small enough for memory
//   - ReadColumns (columns.go): columns of any cells, such as dates (dates.go) and names of groups
//   - Stream (stream.go): rows of numbers one after another, from a file of any size, with infinities if the caller
//     allows them
//
// Their rules differ because their tables do. A first line without numbers (and, for ReadColumns, without dates) is a
// header in all three; ReadTable also recognises headers that number the columns, and Stream headers in which some
// names are numbers. ReadTable and ReadColumns accept tabs, semicolons, bars and commas as separators, Stream also
// blanks, but no bars. ReadTable and ReadColumns accept decimal commas, Stream only decimal points.
//
// dialect.go detects the encoding, the separator and the decimal mark; names.go interprets column names. A table that
// can be read in two ways is an error that says what to write; a note, which is a phrase of package problem, reports
// columns that were left out.
//
// The package must not know models or the meaning of samples. Callers reserve the memory of a table.
package csv
