package kernel

// tiled copies the matrix in tiles: tile t has tileWords words of every row, one
// row after another. A tile of some hundred rows stays in the first-level cache
// while the sums of many rows of a lane are brought up to date, tile by tile;
// that is for machines with vectors. Go's own loops are faster on long rows. Each tile
// has whole quints of rows, and zeros for its last row.
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

// A quint is five units in a row. Of its units let each count +1 when on and -1 when off: up
// to a sign, signedSums is the number of sums of their rows.
const signedSums = 16

// With half of the units on, whatever flipped, one sum of each quint is a fifth of the
// additions ([Arlazarov1970]; the signs halve their tables). A
// machine makes those of a tile for someQuints at a time, a table of 120 kB in the
// second-level cache, from a few lines of memory, and the rows of a lane take theirs from there.
// All sums, made once, would be megabytes, which two workers fetch through one third-level cache,
// sweep by sweep. It is a multiple of 8, as lists are made of 40 units at a time.
const someQuints = 120

// tiledRows is the number of rows of a tile of n rows.
func tiledRows(n int) int { return 5 * quints(n+1) }

// quints is the number of quints of n units.
func quints(n int) int { return (n + 4) / 5 }

// twice is what signed sums begin with: the sums of all rows, and start twice. Added to those
// of the units that are on less those of the others, it is twice the sums of the units on and start.
func (m *Matrix) twice(out []int64, start []int64) {
	for i, x := range start {
		out[i] = 2 * x
	}
	for r := range m.Rows {
		add1(out, m.row(int32(r), m.words))
	}
}
