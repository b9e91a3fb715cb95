package kernel

import "logzlab/core/num/rng"

// RowWords has the random numbers of several rows, four words at a time.
type RowWords struct {
	at     rng.At
	n      int
	stride int
	block  uint32
	words  []uint32 // words of the block: the first of each row, then the second of each row, and so on
}

// Open starts the streams of n rows.
func (w *RowWords) Open(at rng.At, n int) {
	w.at, w.n, w.block = at, n, 0
	if w.stride = (n + 7) / 8 * 8; len(w.words) < 4*w.stride {
		w.words = make([]uint32, 4*w.stride)
	}
}

// More draws the next block of every row, as Stream.Block does for each.
func (w *RowWords) More() {
	w.draw()
	w.block++
}

// Of returns word k of all rows, k in [0, 4).
func (w *RowWords) Of(k int) []uint32 { return w.words[k*w.stride:][:w.n] }

func (w *RowWords) drawGo() {
	for r := range w.n {
		x0, x1, x2, x3 := rng.Philox(w.at.Key, [4]uint32{w.block, w.at.Step, w.at.Slot + uint32(r), w.at.Phase})
		s := w.words[r:]
		s[0], s[w.stride], s[2*w.stride], s[3*w.stride] = x0, x1, x2, x3
	}
}
