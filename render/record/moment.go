package record

import (
	"math"
	"slices"

	"logzlab/core/frame"
)

// Moment is one recorded frame of an island.
type Moment struct {
	ID, Stage int
	Phase     int     // index into frame.FormingPhases, -1: another phase
	Rows      int     // rows with a picture: the first ones
	AllRows   int     // all rows
	Parents   []int32 // row in the previous moment, or NoRow; nil means the identity
	Rank      []int32 // position of each row, such that siblings are neighbours
	Bits      []byte  // bit set of the cells that exist, then for each row the cells that are on
	LogW      []float32
	Values    []float32 // of frame.Latent
	Mean, At  []float32
	Points    []float32 // two coordinates for each row
	Beta      float64
	Weighing  *frame.Weighing // nil if rows are not weighted
}

// Size returns the approximate memory of the moment, in bytes.
func (s *Moment) Size() int {
	return 8*len(s.Parents) + len(s.Bits) + 4*(len(s.LogW)+len(s.Values)+len(s.Mean)+len(s.At)+len(s.Points)) + 200
}

// pack stores the pictures of the rows. The set of existing cells is the same in all rows.
func (s *Moment) pack(f *frame.Frame) {
	n := f.W * f.H
	stride := (n + 7) / 8
	s.Bits = make([]byte, stride*(s.Rows+1))
	for r := range s.Rows {
		cellBits := s.Bits[stride*(r+1):]
		for j, v := range f.Pixels[r*n : (r+1)*n] {
			if v == 1 {
				cellBits[j/8] |= 1 << (j % 8)
			}
			if r == 0 && v != 2 {
				s.Bits[j/8] |= 1 << (j % 8)
			}
		}
	}
}

// Cells writes the picture of a row to out: 0 off, 1 on, 2 absent.
func (s *Moment) Cells(row int, out []byte) []byte {
	n := len(out)
	stride := (n + 7) / 8
	if stride*(row+2) > len(s.Bits) {
		clear(out)
		return out
	}
	on := s.Bits[stride*(row+1):]
	for j := range out {
		out[j] = 2
		if s.Bits[j/8]>>(j%8)&1 != 0 {
			out[j] = on[j/8] >> (j % 8) & 1
		}
	}
	return out
}

// CellIsOn reports whether a cell of a row is on.
func (s *Moment) CellIsOn(row, cell, cells int) bool {
	i := (cells+7)/8*(row+1) + cell/8
	return i < len(s.Bits) && s.Bits[i]>>(cell%8)&1 != 0
}

// setParents sets the parents of the rows and ranks the rows such that siblings are neighbours in the order of their
// parents: lines of descent never cross. Rows without a parent are ranked by their index.
func (s *Moment) setParents(parents []int32, before *Moment) {
	s.AllRows = max(s.Rows, len(parents))
	if len(parents) == 0 && before != nil {
		s.AllRows = max(s.Rows, before.AllRows)
	}
	s.Rank = make([]int32, s.AllRows)
	if before == nil {
		for i := range s.Rank {
			s.Rank[i] = int32(i)
		}
		return
	}

	s.Parents = make([]int32, s.AllRows)
	isIdentity := s.AllRows == before.AllRows
	key := make([]int32, s.AllRows) // twice the rank of the parent; odd for a row without parent, between two ranks
	for i := range s.Parents {
		p := i
		if i < len(parents) {
			p = int(parents[i])
		}
		isIdentity = isIdentity && p == i
		if p >= 0 && p < before.AllRows {
			s.Parents[i], key[i] = int32(p), 2*before.Rank[p]
		} else {
			s.Parents[i], key[i] = NoRow, 2*int32(((2*i+1)*before.AllRows+s.AllRows)/(2*s.AllRows))-1
		}
	}

	if isIdentity {
		s.Parents, s.Rank = nil, before.Rank
		return
	}

	from := make([]int32, 2*before.AllRows+2) // first rank of each key, by counting sort
	for _, k := range key {
		from[k+2]++
	}
	for k := 1; k < len(from); k++ {
		from[k] += from[k-1]
	}
	for i, k := range key {
		s.Rank[i] = from[k+1]
		from[k+1]++
	}
}

// Parent returns the parent of a row in the previous moment, or NoRow.
func (s *Moment) Parent(row int) int {
	switch {
	case row < 0 || row >= s.AllRows:
		return NoRow
	case s.Parents == nil:
		return row
	}
	return int(s.Parents[row])
}

// ContinuesMove reports whether the moment is another sweep of the same move as the previous one.
func (s *Moment) ContinuesMove(before *Moment) bool {
	return s.Phase == Moving && before.Phase == Moving && s.Stage == before.Stage && s.AllRows == before.AllRows
}

// Child returns the first child of a row of the previous moment, or NoRow.
func (s *Moment) Child(parent int) int {
	if s.Parents == nil {
		return s.Parent(parent)
	}
	return slices.Index(s.Parents, int32(parent))
}

// Order returns all rows by rank.
func (s *Moment) Order() []int {
	out := make([]int, s.AllRows)
	for row, k := range s.Rank {
		out[k] = row
	}
	return out
}

// Ranked returns the rows with a picture by rank.
func (s *Moment) Ranked() []int {
	return slices.DeleteFunc(s.Order(), func(row int) bool { return row >= s.Rows })
}

// Weights returns the weights divided by the largest, nil if there are none.
func (s *Moment) Weights() []float64 {
	top := math.Inf(-1)
	for _, v := range s.LogW {
		if v := float64(v); v > top && !math.IsInf(v, 1) {
			top = v
		}
	}
	if math.IsInf(top, -1) {
		return nil
	}
	out := make([]float64, len(s.LogW))
	for i, v := range s.LogW {
		if v := float64(v); v <= top {
			out[i] = math.Exp(v - top)
		}
	}
	return out
}

// bypass updates references before moment s is removed: the rows of next, the following moment, become children of the
// moment before s, and a viewer of s sees next.
func (is *Island) bypass(s, next *Moment) {
	if is.Marked[0] == s.ID {
		k := next.Child(is.Marked[1])
		if is.Marked = [2]int{}; k >= 0 {
			is.Marked = [2]int{next.ID, k}
		}
	}
	if is.Playback.MomentID == s.ID {
		is.Playback.MomentID = next.ID
	}
	if next.Parents == nil {
		next.Parents = s.Parents
		return
	}
	for k, p := range next.Parents {
		next.Parents[k] = int32(s.Parent(int(p)))
	}
}
