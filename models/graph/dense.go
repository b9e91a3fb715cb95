package graph

import "logzlab/core/num/kernel"

// couplingMatrix has the couplings of a densely coupled colour as a matrix, so that changes of its spins are added to
// the sums of a range of places row by row, not one coupling at a time. matrix is nil for a colour of few couplings.
// Both ways give identical results, bit for bit (TestDenseSpins).
type couplingMatrix struct {
	from   int
	matrix *kernel.Matrix
}

// A colour has a matrix if at least a fraction denseShare of the matrix entries are couplings. All matrices together
// have at most maxMatrixWords words.
const (
	denseShare     = .25
	maxMatrixWords = 4 << 20
)

// newMatrix returns the matrix of a colour; left is the number of words that matrices may still take.
func (c *couplings) newMatrix(of span, left *int) (w couplingMatrix) {
	first, last := c.first[of.from], c.first[of.from+of.n]
	if first == last {
		return w
	}
	words := c.wordOf[first:last]
	low, high := words[0], words[0]
	for _, k := range words {
		low, high = min(low, k), max(high, k)
	}
	w.from = int(low) / kernel.Words(1) * kernel.Words(1)
	columns := kernel.Padded(2 * (int(high) + 1 - w.from))
	size := of.n * columns / 2
	if float64(len(words)) < denseShare*float64(2*size) || size > *left {
		return w
	}
	*left -= size
	row, at := make([]int32, columns), -1
	w.matrix = kernel.NewMatrix(of.n, columns, func(r, column int) int32 {
		if r != at {
			clear(row)
			for k := c.first[of.from+r]; k < c.first[of.from+r+1]; k++ {
				row[2*(int(c.wordOf[k])-w.from)+int(c.odd(k))] = int32(c.weight(k))
			}
			at = r
		}
		return row[column]
	})
	return w
}
