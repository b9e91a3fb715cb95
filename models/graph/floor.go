package graph

import (
	"math"

	"logzlab/core/num/rng"
	"logzlab/models"
)

// The lower bound of this file is that of mean-field inference with independent variables
// (factor.Graph.PlainMeanField):
//	 log Z >= sum_a E_q[log T_a] + sum_i H(q_i).
// The bound is minus infinity if q has mass on a zero of a table. Therefore an ascent starts from a state that
// satisfies all constraints; its steps never move mass onto a zero.

// meanFieldBound returns the bound, in nats, that an ascent from state x reaches; minus infinity if x violates a
// constraint.
func (m *Graph) meanFieldBound(x []int) float64 {
	if math.IsInf(m.g.LogF(x), -1) {
		return math.Inf(-1)
	}
	return models.Ascend(models.MaxAscentSteps, m.g.PlainMeanField(x))
}

// FloorFrom returns meanFieldBound for the state that a row of a frame shows (Population.Read).
func (m *Graph) FloorFrom(state []uint8) float64 {
	x := make([]int, len(m.g.States))
	for v := range x {
		x[v] = m.grid.state(v, state[v])
	}
	return m.meanFieldBound(x)
}

// Floor is the best of floorStarts ascents, from rows that floorSweeps sweeps have annealed.
const (
	floorStarts = 8
	floorSweeps = 60
)

// annealedRows returns floorStarts annealed rows. They do not depend on the seed. It calls proceed before each sweep
// and stops if it returns false.
func (m *Graph) annealedRows(proceed func() bool) *rows {
	ladder := make([]float64, floorSweeps+1)
	for k := range ladder {
		ladder[k] = float64(k) / floorSweeps
	}
	p := newRows(m, floorStarts, ladder)
	at := rng.At{Key: rng.NewKey(0, "floor", len(m.g.States))}
	p.Draw(at)
	rungs := make([]int32, floorStarts)
	for k := 1; k <= floorSweeps && proceed(); k++ {
		at.Step++
		for r := range rungs {
			rungs[r] = int32(k)
		}
		p.Move(at, rungs, false)
	}
	return p
}

// Floor returns the best mean-field bound in nats over ascents from annealed rows, and its kind; NaN if all rows
// violate constraints.
func (m *Graph) Floor(proceed func() bool) (float64, string) {
	p := m.annealedRows(proceed)
	best := math.Inf(-1)
	x := make([]int, len(m.g.States))
	for r := range floorStarts {
		for v := range x {
			x[v] = int(p.s[v*p.stride+r])
		}
		best = max(best, m.meanFieldBound(x))
		if !proceed() {
			break
		}
	}
	if math.IsInf(best, -1) {
		best = math.NaN()
	}
	return best, models.FloorMeanField
}
