package render

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/frame"
)

// moment is one recorded frame of an island.
type moment struct {
	id, stage int
	phase     int // index in phases, -1: another
	rows      int
	parents   []uint8 // row in the moment before, or nobody
	rank      []uint8 // place of each row such that kin stand side by side
	bits      []byte  // of a picture: which cells are there, then which are on in each row
	logW      []float32
	values    []float32 // of frame.Latent
	mean, at  []float32
}

func (s *moment) size() int {
	return len(s.parents) + len(s.rank) + len(s.bits) + 4*(len(s.logW)+len(s.values)+len(s.mean)+len(s.at)) + 200
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
// never cross.
func (s *moment) descend(parents []int32, before *moment) {
	s.parents, s.rank = make([]uint8, s.rows), make([]uint8, s.rows)
	key := make([]float64, s.rows)
	by := make([]int, s.rows)
	for i := range s.rows {
		p := i
		if i < len(parents) {
			p = int(parents[i])
		}
		by[i], s.parents[i] = i, nobody
		switch {
		case before != nil && p >= 0 && p < before.rows:
			s.parents[i], key[i] = uint8(p), float64(before.rank[p])
		case before != nil:
			key[i] = (float64(i)+0.5)*float64(before.rows)/float64(s.rows) - 0.5
		default:
			key[i] = float64(i)
		}
	}
	sort.SliceStable(by, func(i, j int) bool { return key[by[i]] < key[by[j]] })
	for rank, row := range by {
		s.rank[row] = uint8(rank)
	}
}

// child is the first row that descends from a row of the moment before, -1 if none.
func (s *moment) child(of int) int { return slices.Index(s.parents, uint8(of)) }

// ranked lists the rows by their rank.
func (s *moment) ranked() []int {
	out := make([]int, s.rows)
	for row, k := range s.rank {
		out[k] = row
	}
	return out
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
