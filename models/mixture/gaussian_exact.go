package mixture

import (
	"fmt"
	"math"

	"logzlab/core/num"
)

// maxSpan is the largest dimension of the span of the means for LadderLogZ: the work grows as the (maxSpan+1)-th power
// of the resolution.
const maxSpan = 2

// maxPoints limits the number of points of a quadrature.
const maxPoints = 1 << 25

// LadderLogZ returns log Z(beta) in nats at every beta, by quadrature. Let x = y + z, with y in the span of the means
// (dimension r <= 2) and z orthogonal to it, |z| = rho. Then log f_0 and log f depend on y and rho alone, so
//
//	Z(beta) = |S^(n-1)| int dy int_0^inf d rho rho^(n-1) f_0^(1-beta) f^beta,  n = d - r,
//
// with rho = e^t. The integrand is analytic and vanishes at both ends of every axis, so the trapezoid rule converges
// exponentially. The step is halved until log Z changes by less than 1e-9. The result is an error if r > 2, or if more
// than maxPoints points are needed.
func (m *Gaussian) LadderLogZ(betas []float64) ([]float64, error) {
	span := span(m.f.Means, len(m.f.Means))
	if len(span) > maxSpan {
		return nil, fmt.Errorf("gmm: the means span %d dimensions; log Z along the path is integrated for at most %d",
			len(span), maxSpan)
	}
	q := m.quadrature(span)
	var previous []float64
	for q.points() <= maxPoints {
		out := q.sum(betas)
		change := math.Inf(1)
		if previous != nil {
			change = 0
			for k := range out {
				change = max(change, math.Abs(out[k]-previous[k]))
			}
		}
		if change < 1e-9 {
			return out, nil
		}
		previous = out
		q.h /= 2
		q.ht /= 2
	}
	return nil, fmt.Errorf("gmm: the components are too narrow beside the base to integrate log Z along the path")
}

// span returns an orthonormal basis of the span of the vectors (Gram-Schmidt), or the first maxSize elements of such a
// basis.
func span(vectors [][]float64, maxSize int) (basis [][]float64) {
	for _, vector := range vectors {
		if len(basis) == maxSize {
			break
		}
		v := append([]float64(nil), vector...)
		for range 2 { // two passes make v orthogonal up to rounding
			for _, e := range basis {
				c := num.Dot(v, e)
				for i := range v {
					v[i] -= num.Mul(c, e[i])
				}
			}
		}
		norm := math.Sqrt(num.Dot(v, v))
		if norm <= num.Mul(1e-9, math.Sqrt(num.Dot(vector, vector))) {
			continue
		}
		for i := range v {
			v[i] /= norm
		}
		basis = append(basis, v)
	}
	return
}

// quadrature is the trapezoid grid of LadderLogZ.
type quadrature struct {
	m       *Gaussian
	means   [][]float64 // coordinates of the means in the span
	span    int         // dimension of the span
	n       int         // dimension of the orthogonal part
	reach   float64     // y runs over [-reach, reach] on each axis
	h       float64     // step of y
	lo, hi  float64     // range of t = log rho
	ht      float64     // step of t
	logArea float64     // log area of the unit sphere in n dimensions
}

// quadrature returns the coarsest grid, given a basis of the span of the means.
func (m *Gaussian) quadrature(span [][]float64) *quadrature {
	q := &quadrature{m: m, span: len(span), n: m.f.D - len(span)}
	minSD, maxSD := m.f.BaseSD, m.f.BaseSD
	maxNorm := 0.0
	for j, mean := range m.f.Means {
		minSD, maxSD = min(minSD, m.f.SDs[j]), max(maxSD, m.f.SDs[j])
		maxNorm = max(maxNorm, math.Sqrt(num.Dot(mean, mean)))
		c := make([]float64, len(span))
		for a, e := range span {
			c[a] = num.Dot(mean, e)
		}
		q.means = append(q.means, c)
	}

	// Gaussians of standard deviation maxSD bound every f_beta; the mass beyond 7.5 standard deviations is about e^-28.
	// Towards rho = 0 the integrand falls as e^(n t).
	q.reach = maxNorm + num.Mul(7.5+math.Sqrt(float64(q.n)), maxSD)
	q.h = minSD
	if q.n > 0 {
		n := float64(q.n)
		q.lo, q.hi = num.Log(minSD)-28/n, num.Log(q.reach)
		q.ht = 0.5 / math.Sqrt(n)
		q.logArea = math.Ln2
		if q.n%2 == 0 {
			q.logArea += num.Log(math.Pi)
		}
		for k := 4 - q.n%2; k <= q.n; k += 2 { // |S^(k-1)| = |S^(k-3)| 2 pi/(k-2)
			q.logArea += num.Log2Pi - num.Log(float64(k-2))
		}
	}
	return q
}

// axes returns the number of points along an axis of y on each side of 0, and along t.
func (q *quadrature) axes() (y, t int) {
	y, t = int(min(q.reach/q.h, maxPoints))+1, 1
	if q.n > 0 {
		t = int(min((q.hi-q.lo)/q.ht, maxPoints)) + 2
	}
	return
}

// points returns the number of points of the grid.
func (q *quadrature) points() float64 {
	y, t := q.axes()
	p := float64(t)
	for range q.span {
		p *= float64(2*y + 1)
	}
	return p
}

// sum returns log Z in nats at every beta, on the current grid.
func (q *quadrature) sum(betas []float64) []float64 {
	ny, nt := q.axes()
	sums := make([]num.LSE, len(betas))
	y := make([]float64, q.span)
	spanSquares := make([]float64, len(q.means)) // squared distance from y to each mean
	index := make([]int, q.span)
	for a := range index {
		index[a] = -ny
	}

	// Loop over the points y of the grid in the span of the means.
	for {
		for a, i := range index {
			y[a] = num.Mul(float64(i), q.h)
		}
		for j, c := range q.means {
			spanSquares[j] = 0
			for a := range y {
				d := y[a] - c[a]
				spanSquares[j] += num.Mul(d, d)
			}
		}
		q.radial(nt, num.Dot(y, y), spanSquares, betas, sums)
		a := 0
		for ; a < q.span; a++ {
			if index[a]++; index[a] <= ny {
				break
			}
			index[a] = -ny
		}
		if a == q.span {
			break
		}
	}

	out := make([]float64, len(betas))
	for k := range out {
		out[k] = sums[k].Value() + num.Mul(float64(q.span), num.Log(q.h))
		if q.n > 0 {
			out[k] += q.logArea + num.Log(q.ht)
		}
	}
	return out
}

// radial adds the terms of all points over t at one y to sums. ySquare is |y|^2, spanSquares are the squared distances
// from y to the means.
func (q *quadrature) radial(nt int, ySquare float64, spanSquares, betas []float64, sums []num.LSE) {
	f := &q.m.f
	terms := make([]float64, len(spanSquares))
	for i := 0; i < nt; i++ {
		rhoSquare, jacobian := 0.0, 0.0
		if q.n > 0 {
			t := q.lo + num.Mul(float64(i), q.ht)
			rhoSquare = num.Exp(num.Mul(2, t))
			jacobian = num.Mul(float64(q.n), t)
		}
		l0 := q.m.logBaseNorm - (ySquare+rhoSquare)/num.Mul(2, num.Mul(f.BaseSD, f.BaseSD))
		for j, d := range spanSquares {
			terms[j] = q.m.logWeights[j] - (d+rhoSquare)/num.Mul(2, num.Mul(f.SDs[j], f.SDs[j]))
		}
		l1 := num.LogSumExp(terms)
		for k, b := range betas {
			x := num.Mul(1-b, l0) + num.Mul(b, l1) + jacobian
			// Terms below e^-45 of the sum so far do not change it.
			if s := &sums[k]; s.S == 0 || x > s.M-45 {
				s.Add(x)
			}
		}
	}
}
