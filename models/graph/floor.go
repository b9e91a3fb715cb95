package graph

import (
	"math"

	"logzlab/core/num/rng"
	"logzlab/models"
)

// The bound of independent variables with probabilities q_i(k):
//
//	log Z >= sum_a E_q[log T_a] + sum_i H(q_i).
//
// A zero that q can meet makes it minus infinity, so that a climb begins at a state without any: q_i is then
// proportional to exp of the mean log of the tables of i given its state, which is 0 where a zero can be met, and never
// lowers the bound.

// bound climbs from a state; it is minus infinity where the state breaks a constraint.
func (m *Graph) bound(x []int) float64 {
	if math.IsInf(m.g.LogF(x), -1) {
		return math.Inf(-1)
	}
	return models.Ascend(models.ClimbSteps, m.g.PlainMeanField(x))
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
