package kernel

import (
	"math/bits"
	"slices"
)

// tiled returns the matrix in tiles: tile t has tileWords words of every row, one row after another. A tile of some
// hundred rows stays in the first-level cache while the sums of many rows of a lane are updated, tile by tile. Only
// assembly and the SIMD module use it; plain Go loops are faster on long rows. Each tile has whole quints of rows, and
// its last row is zero.
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

// tiling has the tiles that sweeps use. They are narrow if weights are multiples of 2^shift and, in units of 2^shift,
// their absolute values sum to less than 2^15 in each column, as for 8-bit weights of some hundred units. Sums of flips
// are then in (-2^15, 2^15), so four of them share a word in the way that two do in other tiles. A line of a narrow
// tile has 32 units, those of two other tiles: word k is word k of the first plus 2^16 times word k of the second,
// units 2k, 16+2k, 2k+1 and 17+2k. A mask and a shift separate them.
type tiling struct {
	w      []int64
	narrow bool
	shift  int
}

// narrowBits is the width of a sum in a narrow tile. Matrices of up to narrowLeast rows have none: separating the sums
// would cost more than half of their few additions.
const narrowBits, narrowLeast = 16, 48

func (m *Matrix) tiling() tiling {
	if m.Rows <= narrowLeast || m.Cols == 0 {
		return tiling{w: m.tiles()}
	}
	var all int32
	sizes := make([]int64, 2*m.words)
	for r := range m.Rows {
		all |= m.measure(sizes, r)
	}
	shift := bits.TrailingZeros32(uint32(all))
	if slices.Max(sizes)>>shift >= 1<<(narrowBits-1) {
		return tiling{w: m.tiles()}
	}
	rows := tiledRows(m.Rows)
	w := make([]int64, (m.words+2*tileWords-1)/(2*tileWords)*rows*tileWords)
	for r := range m.Rows {
		m.narrow(w[r*tileWords:], rows*tileWords, r, shift)
	}
	return tiling{w, true, shift}
}

// measure adds the absolute values of row r to the sums of the columns, and returns the bits that are set in any entry
// of the row. Like narrow it is a separate function because browsers switch to optimised code only between calls.
//
//go:noinline
func (m *Matrix) measure(sizes []int64, r int) (all int32) {
	for k, v := range m.row(int32(r), m.words) {
		lo := int32(v)
		hi := int32((v - int64(lo)) >> 32)
		all |= lo | hi
		sizes[2*k] += int64(max(lo, -lo))
		sizes[2*k+1] += int64(max(hi, -hi))
	}
	return all
}

// narrow writes the line of row r in every tile to out; tiles are stride words apart.
//
//go:noinline
func (m *Matrix) narrow(out []int64, stride, r, shift int) {
	for k, v := range m.row(int32(r), m.words) {
		t, half := k/(2*tileWords), k/tileWords%2
		out[t*stride+k%tileWords] += v >> shift << (half * narrowBits)
	}
}

// A quint is five consecutive units. With +1 for a unit that is on and -1 for one that is off, the weighted sum of
// their rows has 32 values, or signedSums values up to sign.
const signedSums = 16

// If about half of the units are on, adding one tabulated sum for each quint takes two fifths of the additions
// ([Arlazarov1970]; the signs halve the tables). The SIMD module tabulates the sums of a tile for someQuints quints at
// a time: 120 kB, which stay in the second-level cache while all rows of a lane use them. A table of all sums would
// take megabytes, and two workers would read it through one shared cache in every sweep. someQuints is a multiple of 8,
// because the module lists 40 units at a time.
const someQuints = 120

// tiledRows returns the number of rows of a tile of a matrix with n rows.
func tiledRows(n int) int { return 5 * quints(n+1) }

// quints returns the number of quints of n units.
func quints(n int) int { return (n + 4) / 5 }

// twice sets out to the start of signed sums: the sum of all rows plus twice start. Adding the rows of the units that
// are on and subtracting the others gives twice the required sums.
func (m *Matrix) twice(out []int64, start []int64) {
	for i, x := range start {
		out[i] = 2 * x
	}
	for r := range m.Rows {
		add1(out, m.row(int32(r), m.words))
	}
}
