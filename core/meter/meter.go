package meter

import (
	"fmt"

	"logzlab/core/problem"
)

// Meter tracks the memory and the progress of one piece of work. It is not safe for concurrent use.
type Meter struct {
	// Limit is the largest amount of memory that may be taken, in bytes; 0 means no limit. Copies is the number of
	// workers that do the same work within this limit, each with its own memory; 0 means 1.
	Limit, Copies float64
	// Yield, if not nil, is called about every YieldOps operations with the completed fraction of the work (see Share),
	// from 0 to 1. It may block. Did returns its error, and the caller of Did then ends the work.
	Yield func(share float64) error

	taken          float64 // bytes
	expected, done float64 // operations
	sinceYield     float64 // operations since the last call of Yield
}

// YieldOps is the number of simple operations between two calls of Yield: a few milliseconds of work.
const YieldOps = 4e6

// Take reserves memory before it is allocated, or returns an error if the limit would be exceeded. The error states the
// purpose of the memory (what, such as "a matrix of 16000 x 16000 numbers"), the bytes, the limit, and a remedy
// (instead, such as "give fewer data"). Make both phrases by problem.New, so that they are translated.
func (m *Meter) Take(bytes float64, what, instead error) error {
	if m == nil {
		return nil
	}
	if !m.Fits(bytes) {
		return problem.New("%w would take %s of memory, more than the limit of %s; %w", what, size(m.after(bytes)),
			size(m.Limit), instead)
	}
	m.taken = m.after(bytes)
	return nil
}

// size formats a number of bytes in MB or GB.
func size(bytes float64) string {
	if bytes < 1e8 {
		return fmt.Sprintf("%.1f MB", bytes/1e6)
	}
	return fmt.Sprintf("%.1f GB", bytes/1e9)
}

// Fits reports whether this many more bytes may be taken.
func (m *Meter) Fits(bytes float64) bool {
	return m == nil || m.Limit <= 0 || m.after(bytes) <= m.Limit
}

// after returns the number of bytes that are taken in total if each copy takes this many more.
func (m *Meter) after(bytes float64) float64 { return m.taken + float64(max(m.Copies, 1)*bytes) }

// Taken returns the number of bytes that are taken and not freed.
func (m *Meter) Taken() float64 { return m.taken }

// Free releases memory that Take reserved.
func (m *Meter) Free(bytes float64) {
	if m != nil {
		m.taken = m.after(-bytes)
	}
}

// Expect adds to the number of expected operations, from which Share is computed.
func (m *Meter) Expect(ops float64) {
	if m != nil {
		m.expected += float64(ops) // the conversion prevents a fused multiply-add with a product computed before
	}
}

// Did counts completed operations and calls Yield about every YieldOps operations. It returns Yield's error.
func (m *Meter) Did(ops float64) error {
	if m == nil {
		return nil
	}
	m.done += float64(ops)
	if m.sinceYield += float64(ops); m.sinceYield < YieldOps || m.Yield == nil {
		return nil
	}
	m.sinceYield = 0
	return m.Yield(m.Share())
}

// NextPart resets the counts of expected and completed operations, so that Share starts at 0 for the next part of the
// work; memory stays reserved.
func (m *Meter) NextPart() {
	if m != nil {
		m.expected, m.done = 0, 0
	}
}

// Share returns the completed fraction of the expected operations, from 0 to 1; 0 if none are expected.
func (m *Meter) Share() float64 {
	if m == nil || m.expected <= 0 {
		return 0
	}
	return min(m.done/m.expected, 1)
}
