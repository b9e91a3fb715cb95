package factor

import (
	"math"
	"math/rand/v2"
	"testing"

	"logzlab/core/num"
)

// randomGraph returns a graph of up to most variables with 1 to 4 states and factors on up to three of them, some with
// zeros, some with a wide range of values.
func randomGraph(r *rand.Rand, most int) *Graph {
	g := &Graph{}
	n := 1 + r.IntN(most)
	for range n {
		g.States = append(g.States, 1+r.IntN(4))
	}
	size, zeros := 1.0, 0.0
	switch r.IntN(4) {
	case 0:
		size = 400
	case 1:
		zeros = .2
	}
	for range r.IntN(2 * n) {
		f := Factor{Vars: r.Perm(n)[:r.IntN(min(n, 3)+1)]}
		for range int(g.Entries(f.Vars)) {
			x := r.NormFloat64() * size
			if r.Float64() < zeros {
				x = math.Inf(-1)
			}
			f.Table = append(f.Table, x)
		}
		g.Factors = append(g.Factors, f)
	}
	return g
}

// eachState calls do with each joint state.
func (g *Graph) eachState(do func(x []int)) {
	x := make([]int, len(g.States))
	for {
		do(x)
		i := len(x) - 1
		for ; i >= 0; i-- {
			if x[i]++; x[i] < g.States[i] {
				break
			}
			x[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// enumerated is log Z by enumeration.
func (g *Graph) enumerated() float64 {
	var all []float64
	g.eachState(func(x []int) { all = append(all, g.LogF(x)) })
	return num.LogSumExp(all)
}

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-12*max(1, math.Abs(a))
}

func TestEliminate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	zeros := 0
	for i := range 600 {
		g := randomGraph(r, 8)
		want := g.enumerated()
		for _, bytes := range []float64{math.Inf(1), 200, 20} {
			got, ok := g.Eliminate(g.Plan(bytes), nil)
			if !ok || !near(got, want) {
				t.Fatalf("graph %d: Eliminate with %v bytes = %v, want %v", i, bytes, got, want)
			}
		}
		if math.IsInf(want, -1) {
			zeros++
		}
	}
	if zeros == 0 || zeros == 600 {
		t.Errorf("%d of 600 graphs have Z = 0, want some but not all", zeros)
	}
}

// TestCondition compares the conditioned graph with the sum over the states that agree with the evidence.
func TestCondition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 200 {
		g := randomGraph(r, 7)
		evidence := map[int]int{}
		for v, n := range g.States {
			if r.IntN(3) == 0 {
				evidence[v] = r.IntN(n)
			}
		}
		var all []float64
		g.eachState(func(x []int) {
			for v, value := range evidence {
				if x[v] != value {
					return
				}
			}
			all = append(all, g.LogF(x))
		})
		c, kept := g.Condition(evidence)
		for j, v := range kept {
			if _, known := evidence[v]; known || g.States[v] == 1 || c.States[j] != g.States[v] {
				t.Fatalf("graph %d: Condition kept variable %d", i, v)
			}
		}
		got, _ := c.Eliminate(c.Plan(math.Inf(1)), nil)
		if want := num.LogSumExp(all); !near(got, want) {
			t.Fatalf("graph %d: Eliminate = %v, want %v", i, got, want)
		}
	}
}

// TestOrders checks that every order gives the same sum.
func TestOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		g := randomGraph(r, 8)
		want := g.enumerated()
		p := g.cost(g.neighbours(), r.Perm(len(g.States)), math.Inf(1))
		if got, _ := g.Eliminate(p, nil); !near(got, want) {
			t.Fatalf("Eliminate = %v, want %v", got, want)
		}
	}
}

func TestDraw(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const draws = 4000
	for i := range 30 {
		g := randomGraph(r, 5)
		s, ok := g.Sampler(g.Plan(math.Inf(1)), 0, nil)
		if !ok {
			continue
		}
		count := map[[5]int]float64{}
		x := make([]int, len(g.States))
		key := func(x []int) (k [5]int) { copy(k[:], x); return k }
		for range draws {
			s.Draw(x, r.Float64)
			count[key(x)]++
		}
		chi, cells := 0.0, 0
		g.eachState(func(x []int) {
			want := draws * math.Exp(g.LogF(x)-s.LogZ)
			if want == 0 && count[key(x)] > 0 {
				t.Fatalf("graph %d: Draw returned a state of weight 0", i)
			}
			if want > 5 {
				chi += (count[key(x)] - want) * (count[key(x)] - want) / want
				cells++
			}
		})
		if limit := float64(cells) + 5*math.Sqrt(2*float64(cells)) + 5; chi > limit {
			t.Errorf("graph %d: chi-square = %.1f with %d cells", i, chi, cells)
		}
	}
}
