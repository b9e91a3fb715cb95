package kernel

import (
	"sync"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Matrix is a rows x cols int32 matrix, packed two columns to a word.
type Matrix struct {
	Rows, Cols int
	words      int // number of words of a row
	w          []int64
	tiles      func() []int64 // see tiled
	lines      func() tiling  // see tiling
}

// Vectors of sums and states are padded to a multiple of tile units (tileWords words), so that vector instructions need
// no code for a remainder. The padding is 0.
const (
	tile      = 16
	tileWords = tile / 2
)

// Padded returns n rounded up to whole tiles.
func Padded(n int) int { return (n + tile - 1) / tile * tile }

// Words returns the length of a vector of packed sums of n units.
func Words(n int) int { return Padded(n) / 2 }

// NewMatrix returns the matrix with entries at(r, c).
func NewMatrix(rows, cols int, at func(r, c int) int32) *Matrix {
	m := &Matrix{Rows: rows, Cols: cols, words: Words(cols)}
	m.w = make([]int64, rows*m.words)
	for r := range rows {
		meter.Pulse(4 * float64(cols))
		fillRow(m.row(int32(r), m.words), r, cols, at)
	}
	m.tiles, m.lines = sync.OnceValue(m.tiled), sync.OnceValue(m.tiling)
	return m
}

// fillRow packs row r. It is a separate function because browsers switch to optimised code only between calls.
//
//go:noinline
func fillRow(row []int64, r, cols int, at func(r, c int) int32) {
	for c := 0; c < cols; c += 2 {
		row[c/2] = int64(at(r, c))
		if c+1 < cols {
			row[c/2] += int64(at(r, c+1)) << 32
		}
	}
}

// Get returns sum j of a packed vector.
func Get(acc []int64, j int) int32 {
	v := acc[j>>1]
	if j&1 == 0 {
		return int32(v)
	}
	return int32((v - int64(int32(v))) >> 32)
}

// Set sets sum j of a packed vector.
func Set(acc []int64, j int, x int32) {
	lo, hi := Get(acc, j&^1), Get(acc, j|1)
	if j&1 == 0 {
		lo = x
	} else {
		hi = x
	}
	acc[j>>1] = int64(lo) + int64(hi)<<32
}

// Update adds to acc the rows of the units in on and subtracts those in off. acc has length Words(Cols), or Words(n)
// for the first n columns only.
func (m *Matrix) Update(acc []int64, on, off []int32) { m.update(acc, on, off) }

func (m *Matrix) updateGo(acc []int64, on, off []int32) {
	n := len(acc)
	i := 0
	for ; i+4 <= len(on); i += 4 {
		add4(acc, m.row(on[i], n), m.row(on[i+1], n), m.row(on[i+2], n), m.row(on[i+3], n))
	}
	for ; i < len(on); i++ {
		add1(acc, m.row(on[i], n))
	}
	for i = 0; i+4 <= len(off); i += 4 {
		sub4(acc, m.row(off[i], n), m.row(off[i+1], n), m.row(off[i+2], n), m.row(off[i+3], n))
	}
	for ; i < len(off); i++ {
		sub1(acc, m.row(off[i], n))
	}
}

func (m *Matrix) row(r int32, n int) []int64 { o := int(r) * m.words; return m.w[o : o+n : o+n] }

// These loops are not inlined so that their few operands stay in registers.

//go:noinline
func add4(acc, a, b, c, d []int64) {
	n := len(acc)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for j := range acc {
		acc[j] += (a[j] + b[j]) + (c[j] + d[j])
	}
}

//go:noinline
func sub4(acc, a, b, c, d []int64) {
	n := len(acc)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for j := range acc {
		acc[j] -= (a[j] + b[j]) + (c[j] + d[j])
	}
}

//go:noinline
func add1(acc, a []int64) {
	a = a[:len(acc)]
	for j := range acc {
		acc[j] += a[j]
	}
}

//go:noinline
func sub1(acc, a []int64) {
	a = a[:len(acc)]
	for j := range acc {
		acc[j] -= a[j]
	}
}

// two32 is 2^32, the number of 32-bit words.
const two32 = 1 << 32

// Bern reports u < sigmoid(x) for u = r/2^32, as r (1 + e^-x) < 2^32 in float32. The probability of true differs from
// sigmoid(x) by at most 2^-32 plus a relative 2^-21 of sigmoid(x) or 1 - sigmoid(x), whichever is larger.
func Bern(r uint32, x float32) bool {
	return float32(float32(r)*(1+num.Exp32(-x))) < two32
}

// Metropolis reports u < e^x for u = r/2^32, as r e^-x < 2^32 in float32, with the errors of Bern.
func Metropolis(r uint32, x float32) bool {
	return float32(float32(r)*num.Exp32(-x)) < two32
}

// Layer has the parameters, other than sums, of a draw of N units: unit j is on with probability sigmoid(x_j), x_j =
// Scale*acc_j + BaseScale*Base_j, in float32.
type Layer struct {
	N         int
	Scale     float32
	Base      []float32 // nil: no base term
	BaseScale float32

	// Flip makes each unit change its state with probability min(1, odds), the odds being e^x_j if the unit is off and
	// e^-x_j if it is on, instead of drawing it afresh. Of all moves with the same stationary distribution of one unit
	// this one changes its state most often, so that averages over time have the smallest variance ([Liu1996]).
	Flip bool
}

// Draw samples every unit into state (0 or 1), four units for each block of the stream, and lists the units that turned
// on and off in onBuf and offBuf (length N each), in increasing order.
func (l Layer) Draw(s *rng.Stream, acc []int64, state []uint8, onBuf, offBuf []int32) (on, off []int32) {
	return l.draw(s, acc, state, onBuf, offBuf)
}

func (l Layer) drawGo(s *rng.Stream, acc []int64, state []uint8, onBuf, offBuf []int32) (on, off []int32) {
	var non, noff int
	state = state[:l.N]
	var x [4]float32
	for j := 0; j < l.N; j += 4 {
		var r [4]uint32
		r[0], r[1], r[2], r[3] = s.Block()
		m := min(4, l.N-j)

		for t := 0; t < m; t += 2 {
			v := acc[(j+t)>>1]
			lo := int32(v)
			x[t] = float32(float32(lo) * l.Scale)
			x[t+1] = float32(float32(int32((v-int64(lo))>>32)) * l.Scale)
		}
		if l.Base != nil {
			for t, b := range l.Base[j : j+m] {
				x[t] += float32(b * l.BaseScale)
			}
		}

		for t := 0; t < m; t++ {
			was := state[j+t]
			bit := l.bit(r[t], x[t], was)
			// Both lists are always written and advanced only on a change, because random flips are unpredictable
			// branches.
			state[j+t] = bit
			onBuf[non] = int32(j + t)
			offBuf[noff] = int32(j + t)
			non += int(bit &^ was)
			noff += int(was &^ bit)
		}
	}
	return onBuf[:non], offBuf[:noff]
}

// bit returns the new state of a unit with logit x.
func (l Layer) bit(r uint32, x float32, was uint8) (bit uint8) {
	switch {
	case !l.Flip:
		if Bern(r, x) {
			bit = 1
		}
	case was == 0:
		if Metropolis(r, x) {
			bit = 1
		}
	case !Metropolis(r, -x):
		bit = 1
	}
	return bit
}

// Pack returns x as a packed vector.
func Pack(x []int32) []int64 {
	acc := make([]int64, Words(len(x)))
	for j, v := range x {
		Set(acc, j, v)
	}
	return acc
}

// Softplus returns sum_j log(1 + exp(scale acc_j)) over n packed sums, for scale >= 0.
func Softplus(acc []int64, n int, scale float64) float64 {
	_, pos, _ := Extent(acc, n)
	return SoftplusNegative(acc, n, scale) + float64(float64(pos)*scale)
}

// chunk limits the number of factors in [1, 2] of a product so that it cannot overflow.
const chunk = 512

// SoftplusNegative returns sum_j log(1 + exp(-scale |acc_j|)), scale >= 0: Softplus without the positive parts of its
// terms. It is the log of a product in four interleaved factors, so it takes one exponential per unit.
func SoftplusNegative(acc []int64, n int, scale float64) float64 {
	return softplusNegative(acc, n, scale, false)
}

// softplusNegative with single computes exponentials in float32, by the function that draws use, with scale rounded to
// float32. The error is at most 1e-7 nat for each unit; errors of many units mostly cancel.
func softplusNegative(acc []int64, n int, scale float64, single bool) float64 {
	out := 0.0
	for j0 := 0; j0 < n; j0 += chunk {
		p := [4]float64{1, 1, 1, 1}
		j1 := min(j0+chunk, n)
		if single {
			factors32(&p, acc[j0/2:], j1-j0, float32(scale))
		} else {
			factors(&p, acc[j0/2:], j1-j0, scale)
		}
		out += num.Log(float64(float64(p[0]*p[1]) * float64(p[2]*p[3])))
	}
	return out
}

// factorsGo multiplies 1 + exp(-scale |acc_j|) into p, unit j into p[j mod 4].
func factorsGo(p *[4]float64, acc []int64, n int, scale float64) {
	for j := 0; j < n; j++ {
		x := int64(Get(acc, j))
		x = min(x, -x)
		p[j&3] += float64(p[j&3] * num.Exp(float64(float64(x)*scale)))
	}
}

func factors32Go(p *[4]float64, acc []int64, n int, scale float32) {
	for j := 0; j < n; j++ {
		x := Get(acc, j)
		x = min(x, -x)
		p[j&3] += float64(p[j&3] * float64(num.Exp32(float32(float32(x)*scale))))
	}
}

// NetBytes returns the memory of a Net of rows x cols weights: packed by rows and by columns, and both again in the
// tiles that assembly and the SIMD module read; narrow tiles take half of that.
func NetBytes(rows, cols int) float64 {
	return 8 * float64(rows*Padded(cols)+cols*Padded(rows))
}

// At returns entry (r, c).
func (m *Matrix) At(r, c int) int32 { return Get(m.row(int32(r), m.words), c) }
