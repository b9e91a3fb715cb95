package kernel

// tiled copies the matrix in tiles: tile t has tileWords words of every row, one
// row after another. A tile of some hundred rows stays in the first-level cache
// while the sums of many rows of a lane are brought up to date, tile by tile;
// that is for machines with vectors. Go's own loops are faster on long rows. Each tile
// has whole quads of rows, and zeros for its last row.
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

// A quad is four units in a row; subsets is the number of sums of their rows.
const subsets = 16

// With half of the units on, whatever flipped, one sum of each quad is a quarter of the
// additions (Arlazarov, Dinic, Kronrod, Faradzev 1970). A machine makes the sums of a
// tile for someQuads at a time, a table of 128 kB in the second-level cache, from a few
// lines of memory, and the rows of a lane take theirs from there. All sums, made once, would be
// 6 MB for 784 x 500, which two workers fetch through one third-level cache, sweep by sweep.
const someQuads = 128

// tiledRows is the number of rows of a tile of n rows.
func tiledRows(n int) int { return 4 * quads(n+1) }

// quads is the number of quads of n units.
func quads(n int) int { return (n + 3) / 4 }
