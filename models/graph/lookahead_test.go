package graph

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/tier"
)

// TestLookaheadIsUnbiased checks that the mean weight of particles with lookahead is Z, without moves and with moves at
// every stage, for tables so small that weights vary. It fails if a message stays too long, or if a move uses a message
// that has left.
func TestLookaheadIsUnbiased(t *testing.T) {
	n := tier.Draws(8000)
	uneven := 0
	for i := range 16 {
		s := rng.NewKey(6, "ahead", i).Stream(0, 0, 0)
		m := modelOf(t, completeGraph(&s, 2+i%2, .1*float64(i%3)))
		if m == nil || math.IsInf(m.Truth().LogZ, -1) {
			continue
		}
		m.order, m.maxEntries = lookahead, 4
		for _, sweeps := range []int{0, 1} {
			logw, z1 := weights(m, n, sweeps)
			top, sum, square := num.LogSumExp(logw), 0.0, 0.0
			if math.IsInf(top, -1) {
				t.Errorf("graph %d: all weights are 0", i)
				continue
			}
			for _, x := range logw {
				w := math.Exp(x + z1 - m.Truth().LogZ)
				sum, square = sum+w, square+w*w
			}
			mean := sum / float64(n)
			se := math.Sqrt((square/float64(n) - mean*mean) / float64(n))
			if se > 1e-9 {
				uneven++
			}
			if !(math.Abs(mean-1) <= 4.5*se+1e-6) {
				t.Errorf("graph %d, %d sweeps: mean weight / Z = %v +- %v", i, sweeps, mean, se)
			}
		}
	}
	if uneven < 8 {
		t.Errorf("only %d runs had varying weights", uneven)
	}
}

// weights returns the log weights of n particles without resampling.
func weights(m *Graph, n, sweeps int) (logw []float64, logZ1 float64) {
	at := rng.At{Key: rng.NewKey(7, "ahead", n)}
	p := m.NewParticles()
	p.Resize(n)
	logZ1 = p.Init(at)
	logw = make([]float64, n)
	one := make([]float64, n)
	for p.Stage() < m.Stages() {
		at.Phase++
		p.Move(at, 0, n, sweeps)
		p.LogW(0, n, one)
		for r, x := range one {
			logw[r] += x
		}
		at.Phase++
		p.Augment(at)
	}
	return logw, logZ1
}

// completeGraph returns a graph of six variables with two to maxStates states, with a table on each pair.
func completeGraph(s *rng.Stream, maxStates int, zeros float64) plain {
	var g plain
	for range 6 {
		g.states = append(g.states, 2+s.Intn(maxStates-1))
	}
	for i := range 6 {
		for j := range i {
			t := make([]float64, g.states[i]*g.states[j])
			for k := range t {
				if t[k] = math.Exp(s.Normal()); s.Float64() < zeros {
					t[k] = 0
				}
			}
			g.on, g.table = append(g.on, []int{i, j}), append(g.table, t)
		}
	}
	return g
}
