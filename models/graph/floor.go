package graph

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/models"
)

// The bound of independent variables with probabilities q_i(k):
//
//	log Z >= sum_a E_q[log T_a] + sum_i H(q_i).
//
// A zero that q can meet makes it minus infinity, so that a climb begins at a state without any: q_i is then
// proportional to exp of the mean log of the tables of i given its state, which is 0 where a zero can be met, and never
// lowers the bound.

// climber is one climb.
type climber struct {
	l *layout
	q [][]float64
}

// bound climbs from a state, by place; it is minus infinity where the state breaks a constraint.
func (m *Graph) bound(x []int) float64 {
	if math.IsInf(m.g.LogF(x), -1) {
		return math.Inf(-1)
	}
	c := &climber{l: m.layout}
	for p, states := range m.layout.states {
		q := make([]float64, states)
		q[x[p]] = 1
		c.q = append(c.q, q)
	}
	return models.Ascend(models.ClimbSteps, c.step)
}

// step goes over all variables and returns the bound: the means of tables given the state of a variable have also those
// of the tables, each of which is counted at its last place.
func (c *climber) step() float64 {
	sum := c.l.constant
	for p := range c.q {
		c.update(p)
	}
	for p, q := range c.q {
		for _, x := range q {
			if x > 0 {
				sum -= num.Mul(x, num.Log(x))
			}
		}
		for i := range c.l.sites[p] {
			part := &c.l.sites[p][i]
			if int(part.last()) > p {
				break
			}
			for k, x := range q {
				if x > 0 {
					sum += num.Mul(x, c.mean(part, k))
				}
			}
		}
	}
	return sum
}

// update sets q at a place to its best given the others.
func (c *climber) update(p int) {
	q := c.q[p]
	w, top := make([]float64, len(q)), math.Inf(-1)
	for k := range q {
		for i := range c.l.sites[p] {
			w[k] += c.mean(&c.l.sites[p][i], k)
		}
		top = max(top, w[k])
	}
	if math.IsInf(top, -1) {
		return
	}
	total := 0.0
	for k, x := range w {
		q[k] = num.Exp(x - top)
		total += q[k]
	}
	for k := range q {
		q[k] /= total
	}
}

// mean is the mean of the log of a table given state k of the variable whose part it is.
func (c *climber) mean(part *part, k int) float64 {
	return c.over(part, len(part.places)-1, int32(k)*part.stride)
}

// over sums over the first n+1 of the other variables.
func (c *climber) over(part *part, n int, at int32) float64 {
	if n < 0 {
		if part.broken != nil && part.broken[at] {
			return math.Inf(-1)
		}
		return part.x[at]
	}
	sum := 0.0
	for k, x := range c.q[part.places[n]] {
		if x > 0 {
			sum += num.Mul(x, c.over(part, n-1, at+int32(k)*part.strides[n]))
		}
	}
	return sum
}

// Climb starts from a row as it is shown.
func (m *Graph) Climb(state []uint8) float64 {
	x := make([]int, len(m.g.States))
	for v := range x {
		x[v] = m.grid.state(v, state[v])
	}
	return m.bound(x)
}

// Climbs of a floor: starts, and sweeps that cool each of them.
const (
	floorStarts = 8
	floorSweeps = 60
)

// cooled are a few rows that are cooled alike for every run.
func (m *Graph) cooled(going func() bool) *rows {
	ladder := make([]float64, floorSweeps+1)
	for k := range ladder {
		ladder[k] = float64(k) / floorSweeps
	}
	p := newRows(m, floorStarts, ladder)
	at := rng.At{Key: rng.NewKey(0, "floor", len(m.g.States))}
	p.Draw(at)
	rungs := make([]int32, floorStarts)
	for k := 1; k <= floorSweeps && going(); k++ {
		at.Step++
		for r := range rungs {
			rungs[r] = int32(k)
		}
		p.Move(at, rungs, false)
	}
	return p
}

// Floor climbs from a few cooled states.
func (m *Graph) Floor(going func() bool) (float64, string) {
	p := m.cooled(going)
	best := math.Inf(-1)
	x := make([]int, len(m.g.States))
	for r := range floorStarts {
		for v := range x {
			x[v] = int(p.s[v*p.stride+r])
		}
		best = max(best, m.bound(x))
		if !going() {
			break
		}
	}
	if math.IsInf(best, -1) {
		best = math.NaN()
	}
	return best, models.FloorMeanField
}
