package rbm

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// meanFieldAscent is a coordinate ascent of the mean-field bound of an RBM. With h summed out, log f(v) = c.v + sum_j
// softplus(b_j + (W'v)_j) is convex in v, so independent visible units with means m give
//
//	log Z >= F(m) = c.m + H(m) + sum_j softplus(b_j + (W'm)_j),  H the entropy,
//
// with equality F = log f(v) if m is a state v. Alternating h = sigmoid(b + W'm) and m = sigmoid(c + W h) never
// decreases F.
type meanFieldAscent struct {
	m    *Model
	v, h []float64 // means of the visible and of the hidden units
	y, x []float64 // sums c + W h and b + W'v, padded
	work int       // approximate number of multiply-adds so far
}

// newAscent returns an ascent whose means are all 0.
func newAscent(m *Model) *meanFieldAscent {
	return &meanFieldAscent{m: m, v: make([]float64, m.M), y: make([]float64, kernel.Padded(m.M)), h: make([]float64, m.J),
		x: make([]float64, kernel.Padded(m.J))}
}

// unitCost is the cost of the sigmoid or softplus of a unit, in multiply-adds.
const unitCost = 24

// up computes the hidden means from the visible ones.
func (c *meanFieldAscent) up() {
	m := c.m
	for j, b := range m.b {
		c.x[j] = float64(b)
	}
	m.net.VH.Means(c.v, c.x)
	for j := range c.h {
		c.x[j] *= m.unit
		c.h[j] = num.Sigmoid(c.x[j])
	}
	c.work += m.M*m.J + unitCost*m.J
}

// down computes the visible means from the hidden ones.
func (c *meanFieldAscent) down() {
	m := c.m
	clear(c.y)
	m.net.HV.Means(c.h, c.y)
	for i := range c.v {
		c.y[i] = num.Mul(float64(m.c[i])+c.y[i], m.unit)
		c.v[i] = num.Sigmoid(c.y[i])
	}
	c.work += m.M*m.J + unitCost*m.M
}

// step performs a step of the ascent and returns F. It uses H(m) = sum softplus(y) - m y at m = sigmoid(y).
func (c *meanFieldAscent) step() float64 {
	c.down()
	c.up()
	f := 0.0
	for i, v := range c.v {
		y := c.y[i]
		f += num.Softplus(y) - num.Mul(v, y-num.Mul(float64(c.m.c[i]), c.m.unit))
	}
	for _, x := range c.x[:c.m.J] {
		f += num.Softplus(x)
	}
	c.work += unitCost * (c.m.M + c.m.J)
	return f
}

// stateSteps is the number of steps of FloorFrom; further steps would gain about a nat in total.
const stateSteps = 20

// FloorFrom returns the lower bound in nats reached by an ascent from a visible state.
func (m *Model) FloorFrom(state []uint8) float64 {
	c := newAscent(m)
	for i := range c.v {
		c.v[i] = float64(state[i])
	}
	c.up()
	return models.Ascend(stateSteps, c.step)
}

// floorWork limits the multiply-adds of all ascents: about 20 ms for small RBMs, 150 steps for large ones.
func (m *Model) floorWork() int { return 1<<24 + 300*m.M*m.J }

// startFamily is a set of n starting points of an ascent; set sets the hidden means of c to those of start i.
type startFamily struct {
	n   int
	set func(c *meanFieldAscent, i int)
}

// Floor returns a lower bound of log Z in nats and the name of the method. It takes two steps from every start of
// startFamilies, using up to half of the work limit, then ascends to the maximum from the best eight of them. While
// work is left, it flips one hidden unit of the best mode after another and ascends again. Finally sharperBound
// improves the bounds of the modes, and mixtureBound combines them. If keepGoing returns false, Floor returns the best
// bound so far.
func (m *Model) Floor(keepGoing func() bool) (float64, string) {
	c, maxWork := newAscent(m), m.floorWork()
	var candidates []localMax
	families := m.startFamilies()
	for i, s := range families {
		familyWork := (maxWork/2 - c.work) / max(len(families)-i, 1)
		for k, until := 0, c.work+familyWork; k < s.n && (c.work < until || len(candidates) == 0); k++ {
			s.set(c, spread(k, s.n))
			candidates = keepBest(candidates, c, models.Ascend(2, c.step))
			if !keepGoing() {
				return candidates[0].f, models.FloorMeanField
			}
		}
	}

	// Ascend to the maximum from the best starts.
	var modes []localMax
	for _, t := range candidates {
		copy(c.h, t.h)
		modes = keepBest(modes, c, models.Ascend(models.MaxAscentSteps, c.step))
		if c.work > maxWork || !keepGoing() {
			break
		}
	}

	// Flip single hidden units of the best mode.
	for j, since := 0, 0; since < m.J && c.work < maxWork && keepGoing(); j, since = (j+1)%m.J, since+1 {
		best := modes[0].f
		copy(c.h, modes[0].h)
		c.h[j] = 1 - math.Round(c.h[j])
		if modes = keepBest(modes, c, models.Ascend(models.MaxAscentSteps, c.step)); modes[0].f > best+models.MinAscentGain {
			since = 0
		}
	}

	// Compute sharper bounds of the modes close to the best one: first at the means of the ascent, then at means that
	// maximise the sharper bound. The latter may overlap more, so the mixture may gain less.
	top := modes[0].f
	modes = slices.DeleteFunc(modes, func(t localMax) bool { return t.f < top-sharperRange })
	best := mixtureBound(modes)
	for _, steps := range []int{1, sharperSteps} {
		for k, t := range modes {
			if steps > 1 && t.f < best-sharperFinalRange {
				continue
			}
			if !keepGoing() {
				return best, models.FloorMeanField
			}
			modes[k].f = max(t.f, m.tighten(t.v, steps))
			best = max(best, modes[k].f)
		}
		best = max(best, mixtureBound(modes))
	}
	return best, models.FloorMeanField
}

// mixtureBound combines the bounds F_k of several modes. Let q_k be the product distribution of mode k, and q = sum_k
// w_k q_k with w_k proportional to e^F_k. Jensen's inequality for q gives the bound sum_k w_k F_k + H(q) - sum_k w_k
// H(q_k), where the difference of entropies is at least
//
//	-sum_k w_k log sum_l w_l B_kl,  B_kl = prod_i (sqrt(p_i r_i) + sqrt((1-p_i)(1-r_i))),
//
// with p and r the means of q_k and q_l ([Kolchinsky2017]). Modes without common states have B_kl = 0 and give log
// sum_k e^F_k.
func mixtureBound(modes []localMax) float64 {
	var f, weights []float64
	for _, t := range modes {
		f = append(f, t.f)
	}
	logSum := num.LogSumExp(f)
	for _, x := range f {
		weights = append(weights, num.Exp(x-logSum))
	}
	bound := 0.0
	for k, mode := range modes {
		overlap := 0.0
		for l, other := range modes {
			overlap += num.Mul(weights[l], affinity(mode.v, other.v))
		}
		bound += num.Mul(weights[k], f[k]-num.Log(overlap))
	}
	return bound
}

// affinity returns B_kl, the Bhattacharyya coefficient of two products of Bernoulli distributions with means p and r.
func affinity(p, r []float64) float64 {
	b := 1.0
	for i, x := range p {
		y := r[i]
		b *= min(math.Sqrt(num.Mul(x, y))+math.Sqrt(num.Mul(1-x, 1-y)), 1)
	}
	return b
}

// localMax is the result of an ascent: the bound f in nats, and the visible and hidden means.
type localMax struct {
	f    float64
	v, h []float64
}

// keepBest inserts the bound f at the means of c into tops and returns the best eight maxima, best first. Of maxima
// with the same rounded hidden means it keeps only the best.
func keepBest(tops []localMax, c *meanFieldAscent, f float64) []localMax {
	same := func(t localMax) bool {
		for j, x := range t.h {
			if math.Abs(x-c.h[j]) > .5 {
				return false
			}
		}
		return true
	}
	if i := slices.IndexFunc(tops, same); i >= 0 {
		if !(f > tops[i].f) {
			return tops
		}
		tops = slices.Delete(tops, i, i+1)
	}
	position := slices.IndexFunc(tops, func(t localMax) bool { return f > t.f })
	if position < 0 {
		position = len(tops)
	}
	tops = append(tops, localMax{})
	copy(tops[position+1:], tops[position:])
	tops[position] = localMax{f, slices.Clone(c.v), slices.Clone(c.h)}
	return tops[:min(len(tops), 8)]
}

// spread returns element k of a permutation of 0..n-1 whose initial parts are all spread evenly (golden-ratio steps).
func spread(k, n int) int {
	step := max(int(num.Mul(0.618, float64(n))), 1)
	for gcd(step, n) != 1 {
		step++
	}
	return k * step % n
}

// gcd returns the greatest common divisor.
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// startFamilies returns the families of starts. Hidden or visible units are on as follows: all or none of a layer; as
// in the first data; where a leading singular vector of W, or a column or row of W, is positive, or where it is not;
// one hidden unit, or all but one; pairs of hidden units; random hidden units.
func (m *Model) startFamilies() []startFamily {
	fill := func(x []float64, isOn func(i int) bool) {
		for i := range x {
			x[i] = 0
			if isOn(i) {
				x[i] = 1
			}
		}
	}
	hidden := func(n int, on func(i, j int) bool) startFamily {
		return startFamily{n, func(c *meanFieldAscent, i int) { fill(c.h, func(j int) bool { return on(i, j) }) }}
	}
	visible := func(n int, on func(i, u int) bool) startFamily {
		return startFamily{n, func(c *meanFieldAscent, i int) { fill(c.v, func(u int) bool { return on(i, u) }); c.up() }}
	}
	leading := m.singularVectors()
	random := rng.NewKey(0, "floor", 0)
	return []startFamily{
		hidden(2, func(i, _ int) bool { return i == 0 }),
		visible(2, func(i, _ int) bool { return i == 0 }),
		visible(min(m.data.n, 32), func(i, u int) bool { return m.data.rows()[i][u] != 0 }),
		visible(2*len(leading), func(i, u int) bool { return (leading[i/2][u] > 0) == (i%2 == 0) }),
		visible(2*m.J, func(i, u int) bool { return (m.w[u*m.J+i/2] > 0) == (i%2 == 0) }),
		hidden(2*m.J, func(i, j int) bool { return (i/2 == j) == (i%2 == 0) }),
		hidden(2*m.M, func(i, j int) bool { return (m.w[i/2*m.J+j] > 0) == (i%2 == 0) }),
		hidden(m.J*m.J, func(i, j int) bool { return j == i%m.J || j == i/m.J }),
		hidden(1024, func(i, j int) bool { return random.Uniform(0, uint32(i), uint32(j)) < .5 }),
	}
}

// singularVectors returns approximate leading left singular vectors of W by power iteration; nil if that takes too much
// work.
func (m *Model) singularVectors() [][]float64 {
	const vectors, rounds = 4, 6
	if vectors*rounds*2*m.M*m.J > m.floorWork()/4 {
		return nil
	}

	// Power iterations, each from a different unit vector.
	var out [][]float64
	for k := range vectors {
		u, h := make([]float64, kernel.Padded(m.M)), make([]float64, kernel.Padded(m.J))
		u[spread(k, m.M)] = 1
		for range rounds {
			clear(h)
			m.net.VH.Means(u[:m.M], h)
			clear(u)
			m.net.HV.Means(h[:m.J], u)
			norm := 0.0
			for _, previous := range out { // keep u orthogonal to the previous vectors
				num.Axpy(-num.Dot(u, previous), previous, u)
			}
			for _, x := range u {
				norm = max(norm, math.Abs(x))
			}
			if norm == 0 {
				break
			}
			for i := range u {
				u[i] /= norm
			}
		}

		// Keep the normalised vector.
		if length := math.Sqrt(num.Dot(u, u)); length > 0 {
			for i := range u {
				u[i] /= length
			}
			out = append(out, u)
		}
	}
	return out
}
