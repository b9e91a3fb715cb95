package factor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The product of the tables that are there is log Z of the rest where tables are large enough, and f at the end; its
// start is an upper bound in any case. Fails where a message goes too early or too late, or is counted twice.
func TestAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 60 {
		g := randomGraph(r, 8)
		for _, f := range g.Factors {
			for i, x := range f.Table {
				f.Table[i] = max(x, -50) // differences are taken
			}
		}
		p := g.Plan(math.Inf(1))
		logZ, _ := g.Eliminate(p, nil)
		for _, entries := range []float64{4, math.Inf(1)} {
			a, ok := g.Ahead(Buckets{p.Order, entries == 4}, entries, nil)
			if !ok || a.LogZ < logZ-1e-9 || math.IsInf(entries, 1) && math.Abs(a.LogZ-logZ) > 1e-9 {
				t.Fatalf("tables of %v: %v, log Z is %v", entries, a.LogZ, logZ)
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
						t.Fatalf("%d variables there: %v, want %v", n, now, want)
					}
				}
				if n == len(x) && math.Abs(now-g.LogF(x)) > 1e-9 {
					t.Fatalf("at the end %v, want %v", now, g.LogF(x))
				}
			}
		}
	}
}

// logF is the log of the product of the tables that are there with the first n variables.
func (a *Ahead) logF(x []int, n int) float64 {
	place := make([]int, len(x))
	for p, v := range a.Order {
		place[v] = p
	}
	sum := a.LogZ // without messages on nothing that have gone
	for p := range n {
		sum -= a.Fixed[p]
	}
	for p := range n {
		for i, f := range a.Graph.Factors {
			last, at := 0, 0
			for _, v := range f.On {
				last, at = max(last, place[v]), at*a.Graph.States[v]+x[v]
			}
			if last == p {
				sum += f.Table[at]
			}
			if a.Goes[i] == p {
				sum -= f.Table[at]
			}
		}
	}
	return sum
}
