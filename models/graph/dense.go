package graph

import "logzlab/core/num/kernel"

// couplingMatrix is the matrix of the couplings of one colour (see couplings) with all spins. When a spin of the colour
// changes, its row is added to the sums of all other spins in one pass, which is faster than one coupling at a time if
// most entries are not 0. matrix is nil for a colour with few couplings. Both ways give the same results bit for bit
// (TestDenseSpins).
type couplingMatrix struct {
	firstWord int // first word of the packed sums that the matrix covers
	matrix    *kernel.Matrix
}

// A colour has a matrix if at least the share denseShare of its entries are couplings. All matrices together have at
// most maxMatrixWords words of 64 bits.
const (
	denseShare     = .25
	maxMatrixWords = 4 << 20
)

// newMatrix returns the matrix of a colour, or one without matrix if the colour has too few couplings. wordsLeft is the
// number of words that further matrices may have; newMatrix reduces it.
func (c *couplings) newMatrix(colour span, wordsLeft *int) (w couplingMatrix) {
	first, last := c.firstNeighbour[colour.start], c.firstNeighbour[colour.start+colour.n]
	if first == last {
		return w
	}
	words := c.wordOf[first:last]
	low, high := words[0], words[0]
	for _, k := range words {
		low, high = min(low, k), max(high, k)
	}
	w.firstWord = int(low) / kernel.Words(1) * kernel.Words(1)
	columns := kernel.Padded(2 * (int(high) + 1 - w.firstWord))
	size := colour.n * columns / 2
	if float64(len(words)) < denseShare*float64(2*size) || size > *wordsLeft {
		return w
	}
	*wordsLeft -= size
	row, filledRow := make([]int32, columns), -1
	w.matrix = kernel.NewMatrix(colour.n, columns, func(r, column int) int32 {
		if r != filledRow {
			clear(row)
			for k := c.firstNeighbour[colour.start+r]; k < c.firstNeighbour[colour.start+r+1]; k++ {
				row[2*(int(c.wordOf[k])-w.firstWord)+int(c.highHalf(k))] = int32(c.weight(k))
			}
			filledRow = r
		}
		return row[column]
	})
	return w
}
