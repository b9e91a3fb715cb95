package graph

import (
	"math"

	"logzlab/core/num/rng"
	"logzlab/models"
)

// The floor is a plain mean field (factor.PlainMeanField):
//
//	log Z >= sum_a E_q[log T_a] + sum_i H(q_i).
//
// It is minus infinity if q has mass on a zero, so an ascent starts from a state that breaks no constraint; an update
// never gives mass to a zero.

// bound is the bound that an ascent from a state reaches; minus infinity if the state breaks a constraint.
func (m *Graph) bound(x []int) float64 {
	if math.IsInf(m.g.LogF(x), -1) {
		return math.Inf(-1)
	}
	return models.Ascend(models.ClimbSteps, m.g.PlainMeanField(x))
}

// Climb is bound from a row as frames show it.
func (m *Graph) Climb(state []uint8) float64 {
	x := make([]int, len(m.g.States))
	for v := range x {
		x[v] = m.grid.state(v, state[v])
	}
	return m.bound(x)
}

// A floor is the best of floorStarts ascents, from rows that floorSweeps sweeps anneal.
const (
	floorStarts = 8
	floorSweeps = 60
)

// cooled is floorStarts annealed rows, the same for every run.
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

// Floor is the best bound of ascents from annealed states; NaN if they all break constraints.
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
