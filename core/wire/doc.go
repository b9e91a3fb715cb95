// Package wire is the binary codec of the project, for frames, units of work, partial results, states of rows, and
// messages between workers. A Writer appends to a byte slice, and a Reader reads what a Writer has written (wire.go). A
// Reader of damaged bytes ends in ErrShort and never panics.
//
// Use Value (value.go) for a record that is written once for a message, a result or a run: the struct is the format. It
// takes three to four times as long as code for the record: some 75 µs for a thousand floats and a thousand
// integers. Write code for a record with the other methods if it is written for each frame, row or chain (core/frame,
// models, estimators/temper, smc and forming), if the reader must check its numbers, or if the same bytes must be readable
// by other versions of the program, as stored trainings are.
//
// problem.go has errors, which stay translatable; word.go stops the build for processors of 32 bits.
//
// The package must not know what it carries.
package wire
