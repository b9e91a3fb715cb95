package graph

import "logzlab/core/num/kernel"

// window are the words of sums that a colour of many couplings adds to, by rows of a matrix in place of one coupling
// after another; nil: its couplings are few.
type window struct {
	from int
	rows *kernel.Matrix
}

// A colour has a matrix where a row of it has at least a share denseShare of couplings. All matrices together have at
// most denseWords words.
const (
	denseShare = .25
	denseWords = 4 << 20
)

// window is that of a colour. left are the words that matrices may still have.
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
