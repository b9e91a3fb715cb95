package kernel

import "math/bits"

// tiled copies the matrix in tiles: tile t has tileWords words of every row, one
// row after another. A tile of some hundred rows stays in the first-level cache
// while the sums of many rows of a lane are brought up to date, tile by tile;
// that is for machines with vectors. Go's own loops are faster on long rows.
func (m *Matrix) tiled() []int64 {
	w := make([]int64, len(m.w))
	for o := range len(w) / tileWords {
		t, r := o/m.Rows, o%m.Rows
		copy(w[o*tileWords:(o+1)*tileWords], m.row(int32(r), m.words)[t*tileWords:])
	}
	return w
}

// subsets is the number of subsets of a quad: four units in a row.
const subsets = 16

// quads is the number of quads of n units.
func quads(n int) int { return (n + 3) / 4 }

// quadSums has the sums of the rows of every subset of every quad, in tiles as in
// tiled: tile t has tileWords words of subset 0 (no unit, zeros) to 15 of quad 0,
// then of quad 1, and so on. So the sums out of a layer take one vector of each
// quad that is not off, whatever flipped: with half of the units on, a quarter of
// the additions for four times the memory (Arlazarov, Dinic, Kronrod, Faradzev 1970).
func (m *Matrix) quadSums() []int64 {
	n := quads(m.Rows)
	w := make([]int64, m.words*n*subsets)
	for i := range len(w) / (subsets * tileWords) {
		t, quad := i/n, i%n
		subset := func(s uint) []int64 { return w[(i*subsets+int(s))*tileWords:][:tileWords] }
		for s := uint(1); s < subsets; s++ {
			sum := subset(s)
			copy(sum, subset(s&(s-1))) // without its lowest unit
			if r := 4*quad + bits.TrailingZeros(s); r < m.Rows {
				add1(sum, m.row(int32(r), m.words)[t*tileWords:][:tileWords])
			}
		}
	}
	return w
}
