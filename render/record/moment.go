package record

import (
	"math"
	"slices"

	"logzlab/core/frame"
)

// Moment is one recorded frame of an island.
type Moment struct {
	ID, Stage int
	Phase     int     // index in phases, -1: another
	Rows      int     // with a picture: the first ones
	Lines     int     // all
	Parents   []int32 // row in the moment before, or nobody; nil: every row is itself
	Rank      []int32 // place of each line such that kin stand side by side
	Bits      []byte  // of a picture: which cells are there, then which are on in each row
	LogW      []float32
	Values    []float32 // of frame.Latent
	Mean, At  []float32
	Points    []float32 // two coordinates of each row
	Beta      float64
	Weighing  *frame.Weighing // nil where rows are not weighed
}

func (s *Moment) Size() int {
	return 8*len(s.Parents) + len(s.Bits) + 4*(len(s.LogW)+len(s.Values)+len(s.Mean)+len(s.At)+len(s.Points)) + 200
}

// pack keeps the pictures of the rows. Which cells are there is the same in all.
func (s *Moment) pack(f *frame.Frame) {
	n := f.W * f.H
	stride := (n + 7) / 8
	s.Bits = make([]byte, stride*(s.Rows+1))
	for r := range s.Rows {
		to := s.Bits[stride*(r+1):]
		for j, v := range f.Pixels[r*n : (r+1)*n] {
			if v == 1 {
				to[j/8] |= 1 << (j % 8)
			}
			if r == 0 && v != 2 {
				s.Bits[j/8] |= 1 << (j % 8)
			}
		}
	}
}

// Cells writes the picture of a row: 0 off, 1 on, 2 absent.
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

// Bit tells whether cell j of a row is on.
func (s *Moment) Bit(row, cell, cells int) bool {
	i := (cells+7)/8*(row+1) + cell/8
	return i < len(s.Bits) && s.Bits[i]>>(cell%8)&1 != 0
}

// descend notes the parents of the rows and ranks the rows such that the children
// of one parent stand side by side, in the order of the parents: lines of descent
// never cross. Rows without a parent stand where their number has them.
func (s *Moment) descend(parents []int32, before *Moment) {
	s.Lines = max(s.Rows, len(parents))
	if len(parents) == 0 && before != nil {
		s.Lines = max(s.Rows, before.Lines)
	}
	s.Rank = make([]int32, s.Lines)
	if before == nil {
		for i := range s.Rank {
			s.Rank[i] = int32(i)
		}
		return
	}

	// Where each row comes from: keys are twice the rank of the parent, odd for a row between two.
	s.Parents = make([]int32, s.Lines)
	same := s.Lines == before.Lines
	key := make([]int32, s.Lines) // twice the rank of the parent, odd for who stands between two
	for i := range s.Parents {
		p := i
		if i < len(parents) {
			p = int(parents[i])
		}
		same = same && p == i
		if p >= 0 && p < before.Lines {
			s.Parents[i], key[i] = int32(p), 2*before.Rank[p]
		} else {
			s.Parents[i], key[i] = Nobody, 2*int32(((2*i+1)*before.Lines+s.Lines)/(2*s.Lines))-1
		}
	}

	if same {
		s.Parents, s.Rank = nil, before.Rank
		return
	}

	// Ranks by counting: rows of one parent stand together.
	from := make([]int32, 2*before.Lines+2) // the first rank of each key, by counting
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

// Parent is the row of the moment before that a row descends from, nobody if none.
func (s *Moment) Parent(row int) int {
	switch {
	case row < 0 || row >= s.Lines:
		return Nobody
	case s.Parents == nil:
		return row
	}
	return int(s.Parents[row])
}

// GoesOn tells whether the moment is one more sweep of the move of that before it.
func (s *Moment) GoesOn(before *Moment) bool {
	return s.Phase == Moving && before.Phase == Moving && s.Stage == before.Stage && s.Lines == before.Lines
}

// Child is the first row that descends from a row of the moment before, nobody if none.
func (s *Moment) Child(of int) int {
	if s.Parents == nil {
		return s.Parent(of)
	}
	return slices.Index(s.Parents, int32(of))
}

// Order lists all rows by their rank.
func (s *Moment) Order() []int {
	out := make([]int, s.Lines)
	for row, k := range s.Rank {
		out[k] = row
	}
	return out
}

// Ranked lists the rows with a picture by their rank.
func (s *Moment) Ranked() []int {
	return slices.DeleteFunc(s.Order(), func(row int) bool { return row >= s.Rows })
}

// Weights are relative to the largest; nil if there are none.
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

// inherit prepares to drop moment s: the rows of heir, which comes next, now descend from the moment before s, and a
// viewer of s sees heir.
func (is *Island) inherit(s, heir *Moment) {
	if is.Marked[0] == s.ID {
		k := heir.Child(is.Marked[1])
		if is.Marked = [2]int{}; k >= 0 {
			is.Marked = [2]int{heir.ID, k}
		}
	}
	if is.Review.On == s.ID {
		is.Review.On = heir.ID
	}
	if heir.Parents == nil {
		heir.Parents = s.Parents
		return
	}
	for k, p := range heir.Parents {
		heir.Parents[k] = int32(s.Parent(int(p)))
	}
}
