package factor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLookahead checks lookahead densities: with unlimited tables they equal log Z given the first n variables; with
// all variables they equal f; the initial density is an upper bound. It fails if a message leaves too early or too
// late, or is counted twice.
func TestLookahead(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 60 {
		g := randomGraph(r, 8)
		for _, f := range g.Factors {
			for i, x := range f.Table {
				f.Table[i] = max(x, -50) // the test subtracts logs
			}
		}
		p := g.Plan(math.Inf(1))
		logZ, _ := g.Eliminate(p, nil)
		for _, entries := range []float64{4, math.Inf(1)} {
			a, ok := g.Lookahead(Buckets{p.Order, entries == 4}, entries, nil)
			if !ok || a.LogZ < logZ-1e-9 || math.IsInf(entries, 1) && math.Abs(a.LogZ-logZ) > 1e-9 {
				t.Fatalf("tables of %v entries: LogZ = %v, exact log Z = %v", entries, a.LogZ, logZ)
			}
			x := make([]int, len(g.States))
			for v, n := range g.States {
				x[v] = r.IntN(n)
			}
			for n := 1; n <= len(x); n++ {
				now := a.logF(x, n)
				if math.IsInf(entries, 1) {
					known := map[int]int{}
					for _, v := range a.Order[:n] {
						known[v] = x[v]
					}
					rest, _ := g.Condition(known)
					if want, _ := rest.Eliminate(rest.Plan(math.Inf(1)), nil); math.Abs(now-want) > 1e-9 {
						t.Fatalf("density of %d variables = %v, want %v", n, now, want)
					}
				}
				if n == len(x) && math.Abs(now-g.LogF(x)) > 1e-9 {
					t.Fatalf("density of all variables = %v, want %v", now, g.LogF(x))
				}
			}
		}
	}
}

// logF is the log density of the first n variables at x.
func (a *Lookahead) logF(x []int, n int) float64 {
	place := make([]int, len(x))
	for p, v := range a.Order {
		place[v] = p
	}
	sum := a.LogZ // less the constant messages that have left
	for p := range n {
		sum -= a.LogConst[p]
	}
	for p := range n {
		for i, f := range a.Graph.Factors {
			last, at := 0, 0
			for _, v := range f.Vars {
				last, at = max(last, place[v]), at*a.Graph.States[v]+x[v]
			}
			if last == p {
				sum += f.Table[at]
			}
			if a.LeavesAt[i] == p {
				sum -= f.Table[at]
			}
		}
	}
	return sum
}
