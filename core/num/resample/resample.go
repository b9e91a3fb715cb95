package resample

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Schemes are the names that New accepts, the default first.
var Schemes = []string{"residual", "multinomial", "stratified", "systematic"}

// Sampler draws the numbers of offspring of weighted particles by one of four schemes, for normalised weights w_r and n
// offspring. It has working memory, so it must be used by one goroutine at a time.
//
//	multinomial  n independent draws from the weights
//
// residual floor(n w_r) offspring of particle r; the remaining ones multinomial with weights n w_r - floor(n w_r)
// ([Liu1998])
//
//	stratified   one draw in each of n equal parts of [0, 1)
//
// systematic one draw in each part as in stratified, all at the same position within their parts
type Sampler struct {
	scheme string
	w, cum []float64
}

// New returns a sampler of one of Schemes.
func New(scheme string) *Sampler { return &Sampler{scheme: scheme} }

// residualSlack compensates rounding: an n w_r that is within residualSlack below an integer counts as that integer.
const residualSlack = 1e-12

// Counts sets counts[r], with sum n, to the number of offspring of particle r with log weight logw[r]; the weights need
// not be normalised. s is the only source of random numbers. If all weights are zero (-Inf), they count as equal.
func (p *Sampler) Counts(logw []float64, n int, s *rng.Stream, counts []int32) {
	if cap(p.w) < len(logw) {
		p.w, p.cum = make([]float64, len(logw)), make([]float64, len(logw))
	}
	w, cum := p.w[:len(logw)], p.cum[:len(logw)]

	total := num.LogSumExp(logw)
	for r, l := range logw {
		w[r] = 1 / float64(len(logw))
		if num.Finite(total) {
			w[r] = num.Exp(l - total)
		}
		counts[r] = 0
	}

	// Residual resampling keeps the integer parts deterministically.
	remaining := n
	if p.scheme == "residual" {
		for r := range w {
			expected := num.Mul(float64(n), w[r])
			k := math.Floor(expected + residualSlack)
			counts[r] = int32(k)
			remaining -= int(k)
			w[r] = max(expected-k, 0)
		}
	}

	sum, last := 0.0, 0
	for r, x := range w {
		sum += x
		cum[r] = sum
		if x > 0 {
			last = r
		}
	}

	// Draw the remaining offspring.
	switch p.scheme {
	case "stratified", "systematic":
		u := s.Float64()
		r := 0
		for i := range n {
			if i > 0 && p.scheme == "stratified" {
				u = s.Float64()
			}
			x := float64((float64(i)+u)/float64(n)) * sum
			for r < last && cum[r] <= x {
				r++
			}
			counts[r]++
		}
	default:
		for range remaining {
			counts[firstAbove(cum[:last+1], num.Mul(s.Float64(), sum))]++
		}
	}
}

// find returns the first r with x < cum[r], or the last r if there is none.
func firstAbove(cum []float64, x float64) int {
	lo, hi := 0, len(cum)-1
	for lo < hi {
		mid := (lo + hi) / 2
		if x < cum[mid] {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// Parents converts counts to the parent of each of n = len(parents) offspring; n may exceed the number of parents. A
// row r < n with offspring stays in place, parents[r] = r, so rows can be copied in place in any order: only rows
// without offspring are overwritten.
func Parents(counts []int32, parents []int32) {
	for i := range parents {
		parents[i] = -1
		if i < len(counts) && counts[i] > 0 {
			parents[i] = int32(i)
		}
	}
	free := 0
	for r, k := range counts {
		if r < len(parents) && k > 0 {
			k--
		}
		for ; k > 0; k-- {
			for parents[free] >= 0 {
				free++
			}
			parents[free] = int32(r)
		}
	}
}
