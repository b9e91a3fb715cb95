package graph

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// kinds reads files of the family.
var kinds = models.Kinds{&Kind}

// plain is a graph as in a file: the number of states of each variable, and the variables and the values of each table.
type plain struct {
	states []int
	on     [][]int
	table  [][]float64
}

// randomGraph returns a graph of up to n variables with a share zeros of zero entries. With spins, all variables have
// two states; otherwise one to four.
func randomGraph(s *rng.Stream, n int, spins bool, zeros float64) plain {
	var g plain
	for range 1 + s.Intn(n) {
		q := 2
		if !spins {
			q = 1 + s.Intn(4)
		}
		g.states = append(g.states, q)
	}
	for range 1 + s.Intn(2*n) {
		var on []int
		size, most := 1, 4
		if spins {
			most = 3
		}
		for range s.Intn(most) {
			if v := s.Intn(len(g.states)); !slices.Contains(on, v) {
				on = append(on, v)
				size *= g.states[v]
			}
		}
		t := make([]float64, size)
		for i := range t {
			if t[i] = math.Exp(1.5 * s.Normal()); s.Float64() < zeros {
				t[i] = 0
			}
		}
		g.on, g.table = append(g.on, on), append(g.table, t)
	}
	return g
}

// uai returns the graph as a .uai file.
func (g plain) uai() string {
	var b strings.Builder
	fmt.Fprintf(&b, "MARKOV\n%d\n%s\n%d\n", len(g.states), words(g.states), len(g.on))
	for _, on := range g.on {
		fmt.Fprintf(&b, "%d %s\n", len(on), words(on))
	}
	for _, t := range g.table {
		fmt.Fprintf(&b, "\n%d\n", len(t))
		for _, x := range t {
			b.WriteString(" " + strconv.FormatFloat(x, 'g', -1, 64))
		}
	}
	return b.String() + "\n"
}

func words(x []int) string { return strings.Trim(fmt.Sprint(x), "[]") }

// forEachState calls visit with every state that agrees with the evidence, and its weight.
func (g plain) forEachState(evidence map[int]int, visit func(x []int, weight float64)) {
	x := make([]int, len(g.states))
	var from func(v int)
	from = func(v int) {
		if v == len(x) {
			w := 1.0
			for k, on := range g.on {
				at := 0
				for _, u := range on {
					at = at*g.states[u] + x[u]
				}
				w *= g.table[k][at]
			}
			visit(x, w)
			return
		}
		for x[v] = range g.states[v] {
			if known, is := evidence[v]; !is || known == x[v] {
				from(v + 1)
			}
		}
	}
	from(0)
}

// remaining returns the variables that the canonical form keeps given the evidence, and their numbers of states.
func (g plain) remaining(evidence map[int]int) (vars, states []int) {
	for v, q := range g.states {
		if _, known := evidence[v]; !known && q > 1 {
			vars, states = append(vars, v), append(states, q)
		}
	}
	return vars, states
}

// load sets row r of a population to a state of the remaining variables.
func load(p labtest.Rows, r int, x, vars, states []int) {
	bytes := make([]uint8, len(vars))
	for i, v := range vars {
		bytes[i] = uint8(x[v])
	}
	var w wire.Writer
	if slices.Max(states) == 2 {
		w.Bits(bytes)
	} else {
		w.Bytes(bytes)
	}
	p.Load(r, &wire.Reader{B: w.B})
}

// randomCase returns random graph number i with some evidence, as a map and as the text of a .evid file.
func randomCase(i int) (g plain, evidence map[int]int, text string) {
	s := rng.NewKey(1, "graphs", i).Stream(0, 0, 0)
	zeros := 0.0
	if i%2 == 1 {
		zeros = .2
	}
	g = randomGraph(&s, 7, i%4 < 2, zeros)
	evidence = map[int]int{}
	for v, q := range g.states {
		if i%3 == 0 && s.Intn(4) == 0 {
			evidence[v] = s.Intn(q)
		}
	}
	text = strconv.Itoa(len(evidence))
	for v := range g.states {
		if x, known := evidence[v]; known {
			text += fmt.Sprintf(" %d %d", v, x)
		}
	}
	return g, evidence, text
}

// TestBruteForce compares the density of every state, log Z and log Z(b) with sums over all states of the tables. It
// fails if strides of a table are reversed, evidence selects another state, or a zero is lost when tables are merged.
func TestBruteForce(t *testing.T) {
	count := 0
	for i := range 200 {
		g, evidence, text := randomCase(i)
		p, err := WithEvidence([]byte(g.uai()), []byte(text), nil)
		vars, states := g.remaining(evidence)
		if err != nil {
			t.Fatalf("graph %d: %v\n%s", i, err, g.uai())
		}
		m, err := New(p, 1, "")
		if err != nil {
			t.Fatal(err)
		}
		count++
		total := 0.0
		ladder := []float64{0, .5, 1}
		pop := m.New(1, ladder)
		var half []float64
		g.forEachState(evidence, func(x []int, w float64) {
			total += w
			if len(vars) > 0 { // otherwise the evidence determines the state
				load(pop, 0, x, vars, states)
			}
			out := make([]float64, 3)
			pop.LogF(0, 3, out)
			half = append(half, out[1])
			if want := math.Log(w); out[2] != want && !(math.Abs(out[2]-want) < 1e-4) || out[0] != 0 ||
				w > 0 && math.Abs(out[1]-want/2) > 1e-4 || w == 0 && !(out[1] > math.Inf(-1)) {
				t.Fatalf("graph %d at %v: log f = %v, want %v", i, x, out, want)
			}
		})
		want := math.Log(total)
		if got := m.Truth().LogZ; got != want && !(math.Abs(got-want) < 1e-12*math.Max(1, math.Abs(want))) {
			t.Errorf("graph %d: log Z = %v, want %v", i, got, want)
		}
		rungs, err := m.LadderLogZ(ladder)
		if err != nil {
			t.Fatal(err)
		}
		n := 1.0
		for _, q := range states {
			n *= float64(q)
		}
		labtest.Near(t, fmt.Sprint(i, " at 0"), rungs[0], math.Log(n), 1e-12)
		labtest.Near(t, fmt.Sprint(i, " at 1/2"), rungs[1], floats.LogSumExp(half), 2e-4)
	}
	if count < 150 {
		t.Errorf("only %d graphs were tested", count)
	}
}

// modelOf returns a graph as a model; nil if no variable remains.
func modelOf(t testing.TB, g plain) *Graph {
	t.Helper()
	f, err := kinds.ReadFile([]byte(g.uai()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if states := f.(Params).Graph.States; len(states) == 1 && states[0] == 1 {
		return nil
	}
	m, err := New(f.(Params), 1, "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFloorIsBelow checks that no floor exceeds the exact value, and that none is far below it for few variables. It
// fails if a table is counted twice or an entropy has the wrong sign.
func TestFloorIsBelow(t *testing.T) {
	for i := range 60 {
		g, _, _ := randomCase(i)
		m := modelOf(t, g)
		if m == nil || math.IsInf(m.Truth().LogZ, -1) {
			continue
		}
		if f, _ := m.Floor(func() bool { return true }); !math.IsNaN(f) {
			labtest.CheckFloor(t, fmt.Sprint("graph ", i), m.Floor, m.Truth().LogZ, 4)
		}
	}
	p, _ := FileOf(Glass(6, 6, 1, 2), nil)
	m, err := New(p, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	labtest.CheckFloor(t, "glass", m.Floor, m.Truth().LogZ, 5)
}
