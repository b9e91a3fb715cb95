// Package wire is the one binary codec of the project: frames, units of work, partial results and states of rows are
// written by a Writer and read by a Reader. A Reader of damaged bytes ends in ErrShort and never panics. value.go does
// that for whole structs.
//
// It must not know what it carries.
package wire
