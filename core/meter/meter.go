package meter

import (
	"fmt"

	"logzlab/core/problem"
)

// Meter watches one piece of work. It is not safe for concurrent use.
type Meter struct {
	// Limit is the most memory that may be taken, in bytes; 0: any. Copies is how many do the same work and share it,
	// each with memory of its own; 0: one.
	Limit, Copies float64
	// Yield, which may be nil, is called about every YieldOps operations with the share of the work that is done,
	// from 0 to 1. It may wait; an error ends the work and is returned by Did.
	Yield func(share float64) error

	taken          float64 // bytes
	expected, done float64 // operations
	since          float64 // operations since Yield was called
}

// YieldOps is how many simple operations pass between two calls of Yield: a few milliseconds.
const YieldOps = 4e6

// Take asks for memory before it is allocated. what would take it, as "a matrix of 16000 x 16000 numbers", and instead
// is what the user can change: phrases made by problem.New, so that they are translated. The error names both, the
// bytes and the limit.
func (m *Meter) Take(bytes float64, what, instead error) error {
	if m == nil {
		return nil
	}
	if !m.Fits(bytes) {
		return problem.New("%w would take %s of memory, more than the limit of %s; %w", what, size(m.with(bytes)),
			size(m.Limit), instead)
	}
	m.taken = m.with(bytes)
	return nil
}

// size is a number of bytes in words.
func size(bytes float64) string {
	if bytes < 1e8 {
		return fmt.Sprintf("%.1f MB", bytes/1e6)
	}
	return fmt.Sprintf("%.1f GB", bytes/1e9)
}

// Fits reports whether so much more may be taken.
func (m *Meter) Fits(bytes float64) bool {
	return m == nil || m.Limit <= 0 || m.with(bytes) <= m.Limit
}

// with is what is taken with so much more.
func (m *Meter) with(bytes float64) float64 { return m.taken + float64(max(m.Copies, 1)*bytes) }

// Taken is how many bytes have been taken and not given back.
func (m *Meter) Taken() float64 { return m.taken }

// Free gives back memory that was taken for a while.
func (m *Meter) Free(bytes float64) {
	if m != nil {
		m.taken = m.with(-bytes)
	}
}

// Expect announces operations, so that progress is known.
func (m *Meter) Expect(ops float64) {
	if m != nil {
		m.expected += float64(ops) // converted, so that no product before it is fused
	}
}

// Did counts operations that were done, and yields now and then. The error is Yield's.
func (m *Meter) Did(ops float64) error {
	if m == nil {
		return nil
	}
	m.done += float64(ops)
	if m.since += float64(ops); m.since < YieldOps || m.Yield == nil {
		return nil
	}
	m.since = 0
	return m.Yield(m.Share())
}

// NextPart begins another part of the work, which expects and has done nothing; the memory stays taken.
func (m *Meter) NextPart() {
	if m != nil {
		m.expected, m.done = 0, 0
	}
}

// Share is how much of the expected work is done, from 0 to 1.
func (m *Meter) Share() float64 {
	if m == nil || m.expected <= 0 {
		return 0
	}
	return min(m.done/m.expected, 1)
}
