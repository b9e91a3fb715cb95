package graph

import "logzlab/core/num/kernel"

// window has the couplings of a colour of many couplings as a matrix, so that changes of its spins are added to the
// sums of a range of places by rows, not one coupling at a time; rows is nil for a colour of few couplings. Both ways
// have the same digits (TestDenseSpins).
type window struct {
	from int
	rows *kernel.Matrix
}

// A colour has a matrix if at least a share denseShare of its entries are couplings. All matrices have at most
// denseWords words in total.
const (
	denseShare = .25
	denseWords = 4 << 20
)

// window is the window of a colour; left is the number of words that matrices may still take.
func (c *couplings) window(of span, left *int) (w window) {
	first, last := c.first[of.from], c.first[of.from+of.n]
	if first == last {
		return w
	}
	words := c.word[first:last]
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
	w.rows = kernel.NewMatrix(of.n, columns, func(r, column int) int32 {
		if r != at {
			clear(row)
			for k := c.first[of.from+r]; k < c.first[of.from+r+1]; k++ {
				row[2*(int(c.word[k])-w.from)+int(c.odd(k))] = int32(c.weight(k))
			}
			at = r
		}
		return row[column]
	})
	return w
}
