// Package wire is the one binary codec of the project: frames, units of work, partial results and states of rows are
// written by a Writer and read by a Reader (wire.go). A Reader of damaged bytes ends in ErrShort and never panics.
// value.go has whole structs, problem.go errors; word.go stops the build for processors of 32 bits.
//
// It must not know what it carries.
package wire
