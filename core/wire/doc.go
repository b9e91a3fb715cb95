// Package wire is the binary codec of the project: for frames, units of work, partial results, states of rows, and
// messages between workers. A Writer appends to a byte slice, and a Reader decodes it (wire.go). A Reader of corrupt
// bytes fails with ErrDamaged and never panics.
//
// Use Value (value.go) for a record that is written once for a message, a result or a run: its struct type is the
// format. Reflection makes it three to four times slower than hand-written code, about 75 µs for a thousand floats and
// a thousand integers. Write the code by hand, with the other methods, if the record is written for each frame, row or
// chain (core/frame, models, estimators/temper, smc and resamplemove), if the reader must check its numbers, or if
// other versions of the program must be able to read it, as for stored trainings.
//
// problem.go encodes errors, which stay translatable; word.go stops the build for 32-bit processors.
//
// The package must not know the meaning of the records.
package wire
