package kernel

// tiled copies the matrix in tiles: tile t has tileWords words of every row, one
// row after another. A tile of some hundred rows stays in the first-level cache
// while the sums of many rows of a lane are updated, tile by tile. Only assembly and the
// SIMD module use it; Go's own loops are faster on long rows. Each tile has whole quints of rows, and its
// last row is zeros.
func (m *Matrix) tiled() []int64 {
	rows := tiledRows(m.Rows)
	w := make([]int64, rows*m.words)
	for o := range len(w) / tileWords {
		if t, r := o/rows, o%rows; r < m.Rows {
			copy(w[o*tileWords:(o+1)*tileWords], m.row(int32(r), m.words)[t*tileWords:])
		}
	}
	return w
}

// A quint is five consecutive units. With +1 for a unit that is on and -1 for one that is
// off, the weighted sums of their rows take 32 values, signedSums of them up to a sign.
const signedSums = 16

// When about half of the units are on, adding one tabulated sum for each quint takes two fifths of
// the additions ([Arlazarov1970]; the signs halve the tables). The SIMD module tabulates the sums
// of a tile for someQuints quints at a time: 120 kB, which stay in the second-level cache while all
// rows of a lane use them. A table of all sums would take megabytes, and two workers would read it
// through one shared cache in every sweep. someQuints is a multiple of 8, because the module lists
// 40 units at a time.
const someQuints = 120

// tiledRows is the number of rows of a tile of n rows.
func tiledRows(n int) int { return 5 * quints(n+1) }

// quints is the number of quints of n units.
func quints(n int) int { return (n + 4) / 5 }

// twice is where signed sums start: the sum of all rows plus twice start. Adding the rows of the
// units that are on and subtracting the others gives twice the wanted sums.
func (m *Matrix) twice(out []int64, start []int64) {
	for i, x := range start {
		out[i] = 2 * x
	}
	for r := range m.Rows {
		add1(out, m.row(int32(r), m.words))
	}
}
