package kernel

import (
	"math"
	"math/bits"

	"logzlab/core/num/rng"
)

// avx2 and avx512 report whether the processor and the operating system support AVX2 and AVX-512F. Without AVX2 the Go
// code runs; with AVX-512 it computes sums, draws and nodes of ladders, and AVX2 the rest. Tests switch them off.
var avx2, avx512 = features()

func features() (avx2, avx512 bool) {
	const osxsave, avx = 1 << 27, 1 << 28
	if top, _, _, _ := cpuid(0, 0); top < 7 {
		return false, false
	}
	_, _, c, _ := cpuid(1, 0)
	if c&osxsave == 0 || c&avx == 0 {
		return false, false
	}
	_, b, _, _ := cpuid(7, 0)
	const vectors, masks = 1<<1 | 1<<2, 1<<5 | 1<<6 | 1<<7 // state saved by the system: XMM and YMM; AVX-512
	avx2 = b&(1<<5) != 0 && xgetbv()&vectors == vectors
	return avx2, avx2 && b&(1<<16) != 0 && xgetbv()&masks == masks
}

func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() uint32

//go:noescape
func addRowsAVX2(acc *int64, words int, w *int64, stride int, rows *uint16, count int)

//go:noescape
func subRowsAVX2(acc *int64, words int, w *int64, stride int, rows *uint16, count int)

//go:noescape
func addRowsAVX512(acc *int64, words int, w *int64, stride int, rows *uint16, count int)

//go:noescape
func subRowsAVX512(acc *int64, words int, w *int64, stride int, rows *uint16, count int)

//go:noescape
func meansAVX2(out *float64, words int, w *int64, rows int, x *float64)

//go:noescape
func drawAVX2(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, scale, baseScale float32, keys,
	ctr *uint32)

//go:noescape
func flipAVX2(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, scale, baseScale float32, keys,
	ctr *uint32)

//go:noescape
func drawAVX512(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, scale, baseScale float32, keys,
	ctr *uint32)

//go:noescape
func flipAVX512(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, scale, baseScale float32, keys,
	ctr *uint32)

//go:noescape
func factorsAVX2(p *[4]float64, acc *int64, quads int, scale float64)

//go:noescape
func factors32AVX2(p *[4]float64, acc *int64, eights int, scale float32)

//go:noescape
func extentAVX2(acc *int64, groups int, top *[8]int32, pos, abs *[4]int64)

//go:noescape
func powersAVX2(p *float32, pairs int, acc *int64, blocks int, scale float32)

//go:noescape
func powersAVX512(p *float32, pairs int, acc *int64, blocks int, scale float32)

//go:noescape
func combineAVX2(out *float64, n int, w *float64, stride int, y *float64, m int)

//go:noescape
func conditionalsAVX2(x, q *float64, quads int, top float64, sums *[4]float64)

//go:noescape
func countAVX2(c, q *float64, quads int, inverse float64) int

//go:noescape
func logsAVX2(x *float64, quads int)

//go:noescape
func subtractAVX2(x, y *float64, n int, top *[4]float64)

// update requires that on and off are rows of m.
func (m *Matrix) update(acc []int64, on, off []int32) {
	if !avx2 || len(acc) == 0 || m.Rows > mostUnits {
		m.updateGo(acc, on, off)
		return
	}
	acc = acc[:min(len(acc), m.words)]
	var room [128]uint16
	for len(on) > 0 {
		n := narrowed(&room, on)
		addRows(acc, m, room[:n])
		on = on[n:]
	}
	for len(off) > 0 {
		n := narrowed(&room, off)
		subRows(acc, m, room[:n])
		off = off[n:]
	}
}

// narrowed copies up to 128 numbers of a list, and returns how many.
func narrowed(to *[128]uint16, list []int32) (n int) {
	n = min(len(list), len(to))
	for i, x := range list[:n] {
		to[i] = uint16(x)
	}
	return n
}

// addRows adds rows of m to acc, which is not empty; subRows subtracts them.
func addRows(acc []int64, m *Matrix, rows []uint16) {
	switch {
	case len(rows) == 0:
	case avx512:
		addRowsAVX512(&acc[0], len(acc), &m.w[0], m.words, &rows[0], len(rows))
	default:
		addRowsAVX2(&acc[0], len(acc), &m.w[0], m.words, &rows[0], len(rows))
	}
}

func subRows(acc []int64, m *Matrix, rows []uint16) {
	switch {
	case len(rows) == 0:
	case avx512:
		subRowsAVX512(&acc[0], len(acc), &m.w[0], m.words, &rows[0], len(rows))
	default:
		subRowsAVX2(&acc[0], len(acc), &m.w[0], m.words, &rows[0], len(rows))
	}
}

func (m *Matrix) means(x, out []float64) {
	if avx2 && len(x) > 0 {
		meansAVX2(&out[:2*m.words][0], m.words, &m.w[0], len(x), &x[0])
	} else {
		m.meansGo(x, out)
	}
}

// drawWide draws blocks of 32 units of a layer. flips has, for each block, the units that turn on and the units that
// turn off.
func drawWide(flips *uint32, blocks int, acc *int64, base *float32, state *uint8, l Layer, keys, ctr *uint32) {
	switch {
	case l.Flip && avx512:
		flipAVX512(flips, blocks, acc, base, state, l.Scale, l.BaseScale, keys, ctr)
	case l.Flip:
		flipAVX2(flips, blocks, acc, base, state, l.Scale, l.BaseScale, keys, ctr)
	case avx512:
		drawAVX512(flips, blocks, acc, base, state, l.Scale, l.BaseScale, keys, ctr)
	default:
		drawAVX2(flips, blocks, acc, base, state, l.Scale, l.BaseScale, keys, ctr)
	}
}

func (l Layer) draw(s *rng.Stream, acc []int64, state []uint8, onBuf, offBuf []int32) (on, off []int32) {
	if !avx2 {
		return l.drawGo(s, acc, state, onBuf, offBuf)
	}
	const block = 32 // units: eight blocks of the stream
	var non, noff int
	var flips [16][2]uint32
	var last struct {
		acc   [block / 2]int64
		state [block]uint8
		base  [block]float32
	}

	// The blocks of the stream, for all units.
	key, ctr := s.SkipBlocks((l.N + 3) / 4)
	keys := key.RoundKeys()
	state = state[:l.N]

	// Up to 16 blocks at a time.
	for j := 0; j < l.N; {
		n := min(len(flips), (l.N-j)/block)
		mask := ^uint32(0)
		sums, now := acc[j/2:], state[j:]
		var base *float32
		if l.Base != nil {
			base = &l.Base[:l.N][j]
		}
		if n == 0 { // fewer units than a block remain
			n = 1
			mask = 1<<(l.N-j) - 1
			copy(last.acc[:], sums[:Words(l.N-j)])
			copy(last.state[:], now)
			sums, now = last.acc[:], last.state[:]
			if base != nil {
				copy(last.base[:], l.Base[j:l.N])
				base = &last.base[0]
			}
		}

		// Draw, and list the units that turned on and off.
		drawWide(&flips[0][0], n, &sums[:n*block/2][0], base, &now[0], l, &keys[0][0], &ctr[0])
		for _, f := range flips[:n] {
			for m := f[0] & mask; m != 0; m &= m - 1 {
				i := j + bits.TrailingZeros32(m)
				state[i] = 1
				onBuf[non] = int32(i)
				non++
			}
			for m := f[1] & mask; m != 0; m &= m - 1 {
				i := j + bits.TrailingZeros32(m)
				state[i] = 0
				offBuf[noff] = int32(i)
				noff++
			}
			j += block
		}
		ctr[0] += uint32(n * block / 4)
	}
	return onBuf[:non], offBuf[:noff]
}

func factors(p *[4]float64, acc []int64, n int, scale float64) {
	if !avx2 {
		factorsGo(p, acc, n, scale)
		return
	}
	quads := (n + 3) / 4
	factorsAVX2(p, &acc[:2*quads][0], quads, scale)
	unpad(p, n, 4*quads)
}

// unpad removes the factors 2 of the zero sums of the padding.
func unpad(p *[4]float64, n, padded int) {
	for j := n; j < padded; j++ {
		p[j&3] /= 2
	}
}

func factors32(p *[4]float64, acc []int64, n int, scale float32) {
	if !avx2 {
		factors32Go(p, acc, n, scale)
		return
	}
	eights := (n + 7) / 8
	factors32AVX2(p, &acc[:4*eights][0], eights, scale)
	unpad(p, n, 8*eights)
}

func extent(acc []int64) (top, pos, abs int64) {
	if !avx2 {
		return extentGo(acc)
	}
	var tops [8]int32
	var p, a [4]int64
	extentAVX2(&acc[0], len(acc)/4, &tops, &p, &a)
	for _, t := range tops {
		top = max(top, int64(t))
	}
	return top, p[0] + p[1] + p[2] + p[3], a[0] + a[1] + a[2] + a[3]
}

func powers(p []float32, acc []int64, scale float32) {
	switch {
	case avx512:
		powersAVX512(&p[0], len(p)/(2*lanes), &acc[0], len(acc)/8, scale)
	case avx2:
		powersAVX2(&p[0], len(p)/(2*lanes), &acc[0], len(acc)/8, scale)
	default:
		powersGo(p, acc, scale)
	}
}

func combine(out, w []float64, stride int, y []float64) {
	whole := 0
	if avx2 {
		whole = len(out) &^ 3
		combineAVX2(&out[0], whole, &w[0], stride, &y[0], len(y))
	}
	combineGo(out[whole:], w[whole:], stride, y)
}

func conditionals(x, q []float64, top float64) float64 {
	var s [4]float64
	whole := 0
	if avx2 && len(x) >= 4 {
		whole = len(x) &^ 3
		conditionalsAVX2(&x[0], &q[0], whole/4, top, &s)
	}
	conditionalsGo(x[whole:], q[whole:], top, &s)
	return (s[0] + s[1]) + (s[2] + s[3])
}

func count(c, q []float64, inverse float64) (faint bool) {
	whole := 0
	if avx2 && len(q) >= 4 {
		whole = len(q) &^ 3
		faint = countAVX2(&c[0], &q[0], whole/4, inverse) != 0
	}
	return countGo(c[whole:], q[whole:], inverse) || faint
}

func logs(x []float64) {
	if avx2 && len(x) >= 4 {
		logsAVX2(&x[0], len(x)/4)
		x = x[len(x)&^3:]
	}
	logsGo(x)
}

func subtract(x, y []float64) (top float64) {
	if !avx2 {
		return subtractGo(x, y)
	}
	inf := math.Inf(-1)
	tops := [4]float64{inf, inf, inf, inf}
	whole := len(x) &^ 3
	subtractAVX2(&x[0], &y[0], whole, &tops)
	top = subtractGo(x[whole:], y[whole:])
	for _, t := range tops {
		if t > top {
			top = t
		}
	}
	return top
}
