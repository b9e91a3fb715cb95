//go:build !amd64

package kernel

import "logzlab/core/num/rng"

// Platforms without assembly use the Go code.

func (m *Matrix) update(acc []int64, on, off []int32) { m.updateGo(acc, on, off) }

func (m *Matrix) means(x, out []float64) { m.meansGo(x, out) }

func (l Layer) draw(s *rng.Stream, acc []int64, state []uint8, onBuf, offBuf []int32) (on, off []int32) {
	return l.drawGo(s, acc, state, onBuf, offBuf)
}

func factors(p *[4]float64, acc []int64, n int, scale float64) { factorsGo(p, acc, n, scale) }

func factors32(p *[4]float64, acc []int64, n int, scale float32) { factors32Go(p, acc, n, scale) }

func extent(acc []int64) (top, pos, abs int64) { return extentGo(acc) }

func powers(p []float32, acc []int64, scale float32) { powersGo(p, acc, scale) }

func combine(out, w []float64, stride int, y []float64) { combineGo(out, w, stride, y) }

func logs(x []float64) { logsGo(x) }

func subtract(x, y []float64) (top float64) { return subtractGo(x, y) }

func conditionals(x, q []float64, top float64) float64 {
	var s [4]float64
	conditionalsGo(x, q, top, &s)
	return (s[0] + s[1]) + (s[2] + s[3])
}

func count(c, q []float64, inverse float64) (faint bool) { return countGo(c, q, inverse) }

func (p *Spins) draw(at rng.At, n, quad, quads int, block uint32) {
	p.drawGo(at, n, quad, quads, block)
}

func (p *Spins) add(from, to int) { p.addGo(from, to) }

func (w *RowWords) draw() { w.drawGo() }
