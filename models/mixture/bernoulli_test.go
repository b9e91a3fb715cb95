package mixture

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// smallBernoulli has two components of four bits, one of which is certain in the second component.
const smallBernoulli = `{"kind": "bmm", "logC": 0.5, "weights": [3, 1], "probabilities":
	[[0.9, 0.2, 0.7, 0.5], [0.1, 0.6, 1, 0.3]]}`

// log Z, log f along the path, exact draws, and the invariance of the kernel at every beta, forwards and in reverse,
// agree with sums over all states. The test fails if the term of the drawn unit stays in the weights of the components,
// if the base is missing from the odds, or if weights are normalised.
func TestBernoulliMixture(t *testing.T) {
	f, err := kinds.ReadFile([]byte(smallBernoulli), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.FromFile("own", f, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := f.(BernoulliParams)
	rates := []float64{.7, .3, .775, .45}
	const n = 40000 // with fewer the rare pictures are too few for chi-square
	ladder := []float64{0, .3, .8, 1}
	pop := m.New(n, ladder)
	at := rng.At{Key: rng.NewKey(5, "bmm", 0)}
	for k, beta := range ladder {
		logf := make([]float64, 16)
		for v := range logf {
			base, target := 0.0, 0.0
			for i, q := range rates {
				base += labtest.Bit(v, i)*math.Log(q) + (1-labtest.Bit(v, i))*math.Log(1-q)
			}
			for j, w := range file.Weights {
				for i := range 4 {
					q := min(file.Probabilities[4*j+i], 1-1e-9)
					w *= labtest.Bit(v, i)*q + (1-labtest.Bit(v, i))*(1-q)
				}
				target += w
			}
			logf[v] = (1-beta)*base + beta*(.5+math.Log(target))
			labtest.SetBits(pop, v, v, 4)
		}
		for v, want := range logf {
			got := []float64{0}
			labtest.LogF(pop, n, v, k, got)
			labtest.Near(t, fmt.Sprintf("log f of %04b at beta %v", v, beta), got[0], want, 1e-8)
		}
		if beta == 1 {
			labtest.Near(t, "log Z", models.TruthOf(m).LogZ, floats.LogSumExp(logf), 1e-12)
			at.Phase++
			models.RowCapabilitiesOf(pop).DrawTarget(at, nil, nil)
			labtest.ChiSquare(t, "exact draws", bernoulliCounts(pop, n), labtest.Normalize(logf))
		}
		pick := labtest.NewCategorical(labtest.Normalize(logf))
		for _, back := range []bool{false, true} {
			for r := range n {
				s := rng.NewKey(6, "exact", r).Stream(uint32(k), 0, 0)
				labtest.SetBits(pop, r, pick.Draw(&s), 4)
			}
			at.Phase++
			pop.Move(at, labtest.Rungs(n, k), back)
			labtest.ChiSquare(t, fmt.Sprint("a sweep at beta ", beta, ", back ", back), bernoulliCounts(pop, n), labtest.Normalize(logf))
		}
	}
}

// Means returns (3 p_0i + p_1i)/4 for this mixture, and AddMoments adds weighted rows.
func TestBernoulliMeans(t *testing.T) {
	f, err := kinds.ReadFile([]byte(smallBernoulli), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.FromFile("own", f, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := models.CapabilitiesOf(m).Exact.Means()
	for i, want := range []float64{.7, .3, .775, .45} {
		labtest.Near(t, fmt.Sprint("the mean of unit ", i), got[i], want, 1e-9)
	}
	pop := m.New(2, []float64{0, 1})
	labtest.SetBits(pop, 0, 0b0101, 4)
	labtest.SetBits(pop, 1, 0b1001, 4)
	sum, squares := make([]float64, 4), make([]float64, 4)
	models.RowCapabilitiesOf(pop).AddMoments(sum, squares, 0, .5)
	models.RowCapabilitiesOf(pop).AddMoments(sum, squares, 1, 2)
	for i := range sum {
		want := .5*labtest.Bit(0b0101, i) + 2*labtest.Bit(0b1001, i)
		if sum[i] != want || squares[i] != want {
			t.Errorf("unit %d: sums %g and %g, want %g", i, sum[i], squares[i], want)
		}
	}
}

// bernoulliCounts returns how often each of the 16 states occurs among n rows.
func bernoulliCounts(p models.Population, n int) []int {
	count := make([]int, 16)
	for r := range n {
		count[labtest.GetBits(p, r, 4)]++
	}
	return count
}

func TestBadBernoulliMixture(t *testing.T) {
	for old, c := range map[string][2]string{
		"[3, 1]":                 {"[3]", "weights has 1 values; it must have 2"},
		"[3, ":                   {"[0, ", "weights[0] = 0 must be"},
		"0.2":                    {"1.5", "probabilities[0][1] = 1.5 must be between 0 and 1"},
		"[0.9, 0.2, 0.7, 0.5]":   {"[0.9]", "probabilities is ragged: row 1"},
		`"probabilities"`:        {`"p"`, "probabilities is missing"},
		"0.5, \"weights\": [3":   {"1e9, \"weights\": [3", "logC[0] = 1e+09"},
		"[3, 1], \"probabilitie": {"\"x\", \"probabilitie", "is not a list of numbers"},
	} {
		bad := strings.Replace(smallBernoulli, old, c[0], 1)
		if _, err := kinds.ReadFile([]byte(bad), nil); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: error %v", bad, err)
		}
	}
	if !slices.ContainsFunc(kinds.Builtin(), func(e models.Entry) bool { return e.Name == "bmm-digits" }) {
		t.Error("bmm-digits is not listed")
	}
}

// The lower bound is at most 2 nats below the exact value, and never above it.
func TestBernoulliFloorIsBelow(t *testing.T) {
	m, err := digitsMixture().Open("", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	labtest.CheckFloor(t, "bmm", models.CapabilitiesOf(m).Bounds.Floor, models.TruthOf(m).LogZ, 2)
}
