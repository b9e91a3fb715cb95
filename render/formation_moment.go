package render

import (
	"math"
	"slices"

	"logzlab/core/frame"
)

// moment is one recorded frame of an island.
type moment struct {
	id, stage int
	phase     int     // index in phases, -1: another
	rows      int     // with a picture: the first ones
	lines     int     // all
	parents   []int32 // row in the moment before, or nobody; nil: every row is itself
	rank      []int32 // place of each line such that kin stand side by side
	bits      []byte  // of a picture: which cells are there, then which are on in each row
	logW      []float32
	values    []float32 // of frame.Latent
	mean, at  []float32
	points    []float32 // two coordinates of each row
	beta      float64
	weighing  *frame.Weighing // nil where rows are not weighed
}

func (s *moment) size() int {
	return 8*len(s.parents) + len(s.bits) + 4*(len(s.logW)+len(s.values)+len(s.mean)+len(s.at)+len(s.points)) + 200
}

// pack keeps the pictures of the rows. Which cells are there is the same in all.
func (s *moment) pack(f *frame.Frame) {
	n := f.W * f.H
	stride := (n + 7) / 8
	s.bits = make([]byte, stride*(s.rows+1))
	for r := range s.rows {
		to := s.bits[stride*(r+1):]
		for j, v := range f.Pixels[r*n : (r+1)*n] {
			if v == 1 {
				to[j/8] |= 1 << (j % 8)
			}
			if r == 0 && v != 2 {
				s.bits[j/8] |= 1 << (j % 8)
			}
		}
	}
}

// cells writes the picture of a row: 0 off, 1 on, 2 absent.
func (s *moment) cells(row int, out []byte) []byte {
	n := len(out)
	stride := (n + 7) / 8
	if stride*(row+2) > len(s.bits) {
		clear(out)
		return out
	}
	on := s.bits[stride*(row+1):]
	for j := range out {
		out[j] = 2
		if s.bits[j/8]>>(j%8)&1 != 0 {
			out[j] = on[j/8] >> (j % 8) & 1
		}
	}
	return out
}

// bit tells whether cell j of a row is on.
func (s *moment) bit(row, cell, cells int) bool {
	i := (cells+7)/8*(row+1) + cell/8
	return i < len(s.bits) && s.bits[i]>>(cell%8)&1 != 0
}

// descend notes the parents of the rows and ranks the rows such that the children
// of one parent stand side by side, in the order of the parents: lines of descent
// never cross. Rows without a parent stand where their number has them.
func (s *moment) descend(parents []int32, before *moment) {
	s.lines = max(s.rows, len(parents))
	if len(parents) == 0 && before != nil {
		s.lines = max(s.rows, before.lines)
	}
	s.rank = make([]int32, s.lines)
	if before == nil {
		for i := range s.rank {
			s.rank[i] = int32(i)
		}
		return
	}

	// Where each row comes from: keys are twice the rank of the parent, odd for a row between two.
	s.parents = make([]int32, s.lines)
	same := s.lines == before.lines
	key := make([]int32, s.lines) // twice the rank of the parent, odd for who stands between two
	for i := range s.parents {
		p := i
		if i < len(parents) {
			p = int(parents[i])
		}
		same = same && p == i
		if p >= 0 && p < before.lines {
			s.parents[i], key[i] = int32(p), 2*before.rank[p]
		} else {
			s.parents[i], key[i] = nobody, 2*int32(((2*i+1)*before.lines+s.lines)/(2*s.lines))-1
		}
	}

	if same {
		s.parents, s.rank = nil, before.rank
		return
	}

	// Ranks by counting: rows of one parent stand together.
	from := make([]int32, 2*before.lines+2) // the first rank of each key, by counting
	for _, k := range key {
		from[k+2]++
	}
	for k := 1; k < len(from); k++ {
		from[k] += from[k-1]
	}
	for i, k := range key {
		s.rank[i] = from[k+1]
		from[k+1]++
	}
}

// parent is the row of the moment before that a row descends from, nobody if none.
func (s *moment) parent(row int) int {
	switch {
	case row < 0 || row >= s.lines:
		return nobody
	case s.parents == nil:
		return row
	}
	return int(s.parents[row])
}

// goesOn tells whether the moment is one more sweep of the move of that before it.
func (s *moment) goesOn(before *moment) bool {
	return s.phase == moving && before.phase == moving && s.stage == before.stage && s.lines == before.lines
}

// child is the first row that descends from a row of the moment before, nobody if none.
func (s *moment) child(of int) int {
	if s.parents == nil {
		return s.parent(of)
	}
	return slices.Index(s.parents, int32(of))
}

// order lists all rows by their rank.
func (s *moment) order() []int {
	out := make([]int, s.lines)
	for row, k := range s.rank {
		out[k] = row
	}
	return out
}

// ranked lists the rows with a picture by their rank.
func (s *moment) ranked() []int {
	return slices.DeleteFunc(s.order(), func(row int) bool { return row >= s.rows })
}

// weights are relative to the largest; nil if there are none.
func (s *moment) weights() []float64 {
	top := math.Inf(-1)
	for _, v := range s.logW {
		if v := float64(v); v > top && !math.IsInf(v, 1) {
			top = v
		}
	}
	if math.IsInf(top, -1) {
		return nil
	}
	out := make([]float64, len(s.logW))
	for i, v := range s.logW {
		if v := float64(v); v <= top {
			out[i] = math.Exp(v - top)
		}
	}
	return out
}

// inherit prepares to drop moment s: the rows of heir, which comes next, now descend from the moment before s, and a
// viewer of s sees heir.
func (is *island) inherit(s, heir *moment) {
	if is.marked[0] == s.id {
		k := heir.child(is.marked[1])
		if is.marked = [2]int{}; k >= 0 {
			is.marked = [2]int{heir.id, k}
		}
	}
	if is.review.on == s.id {
		is.review.on = heir.id
	}
	if heir.parents == nil {
		heir.parents = s.parents
		return
	}
	for k, p := range heir.parents {
		heir.parents[k] = int32(s.parent(int(p)))
	}
}
