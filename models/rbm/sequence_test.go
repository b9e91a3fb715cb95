package rbm

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// TestStageLogZ compares log Z_n with the truth files in two orders, within the tolerance of the file and the bound of
// quantisation.
func TestStageLogZ(t *testing.T) {
	for _, name := range []string{"public_rbm_tiny", "public_rbm_24x12", "public_rbm_bas9_cd1"} {
		f := labtest.ReadTruth(t, name)
		var file struct {
			Sequential struct {
				Order   []int32
				LogZn   []float64 `json:"logZ_n"`
				Natural []float64 `json:"logZ_n_natural_order"`
			}
		}
		if err := json.Unmarshal(f.Content, &file); err != nil {
			t.Fatal(err)
		}
		for _, order := range Orders {
			m := labtest.Open(t, f, spec.Values{"order": order}, kinds.ReadFile, models.FromFile).(*Model)
			want := map[string][]float64{"variance": file.Sequential.LogZn, "natural": file.Sequential.Natural}[order]
			if order == "variance" && !slices.Equal(m.order, file.Sequential.Order) {
				t.Errorf("%s: order %v, want %v", name, m.order, file.Sequential.Order)
			}
			tol := f.Tol + m.info.Diagnostics["quantisation_bound"]
			z := m.StageLogZ()
			for n, x := range z {
				if want != nil {
					labtest.Near(t, fmt.Sprintf("%s %s log Z_%d", name, order, n+1), x, want[n+1], tol)
				}
			}
			labtest.Near(t, name+" "+order+" log Z", z[m.M-1], file.Sequential.LogZn[m.M], tol)
		}
	}
}

// TestStageLogZByVisible checks few visible units with many hidden ones: the first stages by enumeration of the visible
// units agree with those of the hidden ones; later ones are unknown.
func TestStageLogZByVisible(t *testing.T) {
	m := newRBM(t, randomRBM(3, 12, 8, .7))
	for _, name := range models.AbsentValues {
		s := sequenceOf(m, name)
		want := slices.Clone(s.StageLogZ())
		for i := range s.logZ {
			s.logZ[i] = math.NaN()
		}
		s.enumerateVisible()
		for n := range want {
			labtest.Near(t, fmt.Sprint(name, " log Z_", n+1), s.logZ[n], want[n], 1e-10)
		}
	}
	big := newRBM(t, randomRBM(4, 40, 60, .1)).StageLogZ()
	if !(big[0] > 0 && big[13] > big[0]) || num.NotNaN(big[14]) || num.NotNaN(big[39]) {
		t.Errorf("log Z_1 %v, log Z_14 %v, log Z_15 %v, log Z_40 %v", big[0], big[13], big[14], big[39])
	}
}

// sequenceTable returns log f_n of every state of the first n units in order, by its formula.
func sequenceTable(p Params, order []int32, n int) []float64 {
	out := make([]float64, 1<<n)
	for x := range out {
		for i := range n {
			out[x] += labtest.Bit(x, i) * p.C[order[i]]
		}
		for j := range p.J {
			g := p.B[j]
			for i := range n {
				g += labtest.Bit(x, i) * p.W[int(order[i])*p.J+j]
			}
			out[x] += math.Log1p(math.Exp(g))
		}
	}
	return out
}

// state reads and setState writes the units of a row.
func state(p models.Particles, r int) int { return labtest.GetBits(p, r, p.Stage()) }

func setState(p models.Particles, r, x int) { labtest.SetBits(p, r, x, p.Stage()) }

// sequenceOf is the sequence of m for a value of AbsentValues.
func sequenceOf(m *Model, absent string) *sequence {
	if absent != models.Sampled {
		return m.Fill(absent).(*sequence)
	}
	var lanes [][]byte
	for lane := range models.RoughLanes {
		lanes = append(lanes, m.RoughSamples(lane))
	}
	return m.FillSampled(lanes).(*sequence)
}

// TestRBMParticles compares Init, log W, Augment, Move and Reseed with enumeration at every stage: p_1 and log Z_1; log
// W and the distribution of x_{n+1} given every x; Move leaves p_n invariant (exact draws, one sweep, exact
// distribution); one sweep from a fixed state has the exact transition probabilities; and Reseed does not depend on its
// start. Planted and caught: absent units drawn too (Layer of M units), the wrong unit's row in the logit, the natural
// order for the visible biases, every block at the address of the first.
func TestRBMParticles(t *testing.T) {
	n := tier.Draws(10000)
	for c, absent := range models.AbsentValues { // every value with one order; sampled has its own
		order := Orders[c%len(Orders)]
		p := randomRBM(20+c, 4, 3, 1.3)
		p.Order = order
		m := newRBM(t, p)
		tol := 1e-9
		if absent != "off" { // the mean inputs are rounded like weights
			tol += float64(p.M*p.J) * m.unit
		}
		seq := sequenceOf(m, absent)
		ps := seq.NewParticles()
		ps.Resize(n)
		at := rng.At{Key: rng.NewKey(3, order, 0)}
		logZ1 := ps.Init(at)
		sequenceTable := func(p Params, order []int32, n int) []float64 {
			return sequenceTable(filled(p, seq, n, absent), order, n)
		}
		labtest.Near(t, order+" log Z_1", logZ1, floats.LogSumExp(sequenceTable(p, seq.order, 1)), tol)
		for n, z := range seq.StageLogZ() {
			labtest.Near(t, fmt.Sprint(order, absent, " log Z_", n+1), z, floats.LogSumExp(sequenceTable(p, seq.order, n+1)),
				tol)
		}
		count := func() []int {
			out := make([]int, 1<<ps.Stage())
			for r := range n {
				out[state(ps, r)]++
			}
			return out
		}
		labtest.ChiSquare(t, order+" init", count(), labtest.Normalize(sequenceTable(p, seq.order, 1)))
		for stage := 1; stage <= p.M; stage++ {
			what := fmt.Sprintf("%s stage %d", order, stage)
			if ps.Stage() != stage {
				t.Fatalf("%s: stage %d", what, ps.Stage())
			}
			table := sequenceTable(p, seq.order, stage)
			pi := labtest.Normalize(table)
			pick := labtest.NewCategorical(pi)
			s := at.Key.Stream(9, 0, uint32(stage))
			for r := range n {
				setState(ps, r, pick.Draw(&s))
			}
			at.Phase, at.Step = uint32(stage), 7
			ps.Move(at, 0, n/2+3, 1)
			ps.Move(rng.At{Key: at.Key, Phase: at.Phase, Slot: 1 << 22, Step: 9}, n/2+3, n, 3)
			labtest.ChiSquare(t, what+" moved", count(), pi)
			for r := range n {
				setState(ps, r, stage%len(pi))
			}
			at.Step = 20
			ps.Move(at, 0, n, 1)
			now := filled(p, seq, stage, absent)
			labtest.ChiSquare(t, what+" one sweep", count(), sequenceTransition(now, seq.order, stage, stage%len(pi)))
			at.Step = 30
			ps.Reseed(at, 0, n, 40)
			labtest.ChiSquare(t, what+" reseeded", count(), pi)
			if stage == p.M {
				break
			}
			next := sequenceTable(p, seq.order, stage+1)
			out := make([]float64, 1)
			before := make([]int, n)
			for r := range n {
				x := r % len(pi)
				setState(ps, r, x)
				before[r] = x
				ps.LogW(r, r+1, out)
				labtest.Near(t, what+" log W", out[0], floats.LogSumExp([]float64{next[x], next[x|1<<stage]})-table[x], tol)
			}
			at.Step = 99
			ps.Augment(at)
			byState := make([][]int, len(pi))
			for r := range n {
				x := state(ps, r)
				if x&(1<<stage-1) != before[r] {
					t.Fatalf("%s: Augment changed %b to %b", what, before[r], x)
				}
				if byState[before[r]] == nil {
					byState[before[r]] = make([]int, 2)
				}
				byState[before[r]][x>>stage]++
			}
			for x, k := range byState {
				q, total := labtest.Normalize([]float64{next[x], next[x|1<<stage]})[1], float64(k[0]+k[1])
				if z := (float64(k[1]) - total*q) / math.Sqrt(total*q*(1-q)); !(math.Abs(z) < 4) {
					t.Errorf("%s: after %b the next unit is on %d times of %v, want %.4g of them, z = %.1f", what, x, k[1], total, q,
						z)
				}
			}
		}
	}
}

// filled returns p with the inputs of units absent at stage n added to its hidden biases.
func filled(p Params, seq *sequence, n int, absent string) Params {
	p.B = slices.Clone(p.B)
	if absent == models.Sampled {
		for _, fill := range seq.fill[n:] {
			for j := range p.J {
				p.B[j] += float64(kernel.Get(fill, j)) * seq.m.unit
			}
		}
		return p
	}
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	mu := slices.Clone(p.P1)
	switch absent {
	case "off":
		clear(mu)
	case "mean-field":
		for range 3 {
			h, v := slices.Clone(p.B), slices.Clone(p.C)
			for i := range p.M {
				for j := range p.J {
					h[j] += p.W[i*p.J+j] * mu[i]
				}
			}
			for i := range p.M {
				for j := range p.J {
					v[i] += p.W[i*p.J+j] * sigmoid(h[j])
				}
				mu[i] = sigmoid(v[i])
			}
		}
	}
	for _, u := range seq.order[n:] {
		for j := range p.J {
			p.B[j] += p.W[int(u)*p.J+j] * mu[u]
		}
	}
	return p
}

// sequenceTransition returns the distribution after one sweep at stage n from state x.
func sequenceTransition(p Params, order []int32, n, x int) []float64 {
	sub := Params{M: n, J: p.J, B: p.B}
	for i := range n {
		u := int(order[i])
		sub.W = append(sub.W, p.W[u*p.J:(u+1)*p.J]...)
		sub.C = append(sub.C, p.C[u])
		sub.P1 = append(sub.P1, .5)
	}
	out := make([]float64, 1<<n)
	for s, q := range transition(sub, 1, x, false, false) {
		out[s&(1<<n-1)] += q
	}
	return out
}

// TestRBMParticlesRows checks that blocks, row numbers and caches do not change a bit; copies are equal, states survive
// encoding, growing keeps rows, and pictures show absent units.
func TestRBMParticlesRows(t *testing.T) {
	p := randomRBM(31, 9, 5, 1)
	p.Order = "random"
	p.Picture = [2]int{5, 2}
	m := newRBM(t, p)
	at := rng.At{Key: rng.NewKey(4, "rows", 0)}
	run := func(rows, cut int, forget bool) ([]int, []float64) {
		ps := m.NewParticles()
		ps.Resize(5)
		ps.Resize(rows)
		ps.Init(at)
		w := make([]float64, rows)
		for n := 1; n < m.M; n++ {
			at := at
			at.Phase = uint32(n)
			for lo := 0; lo < rows; lo += cut {
				ps.Move(at, lo, min(lo+cut, rows), 2)
			}
			if forget {
				old := ps
				ps = m.NewParticles()
				ps.Resize(rows)
				ps.SetStage(n)
				for r := range rows {
					var b wire.Writer
					old.Append(r, &b)
					ps.Load(r, &wire.Reader{B: b.B})
				}
			} else {
				ps.LogW(0, rows, w)
			}
			ps.Augment(at)
		}
		out := make([]int, rows)
		for r := range out {
			out[r] = state(ps, r)
		}
		ps.Resize(rows + 3)
		ps.Copy(rows+1, 2)
		if state(ps, rows+1) != out[2] {
			t.Errorf("a copy of %b is %b", out[2], state(ps, rows+1))
		}
		return out, w
	}
	want, _ := run(37, 37, false)
	for _, cut := range []int{1, 5, 16, 20} {
		if got, _ := run(37, cut, cut == 5); !slices.Equal(got, want) {
			t.Errorf("moved %d rows at a time: %b, want %b", cut, got, want)
		}
	}
	if got, _ := run(20, 7, false); !slices.Equal(got, want[:20]) {
		t.Errorf("20 rows: %b, want %b", got, want[:20])
	}
	ps := m.NewParticles()
	ps.Resize(2)
	ps.SetStage(3)
	setState(ps, 0, 5)
	setState(ps, 1, 0)
	w := make([]float64, 2)
	ps.LogW(0, 2, w)
	ps.Copy(1, 0)
	if ps.LogW(1, 2, w[1:]); w[1] != w[0] {
		t.Errorf("log W is %v, of its copy %v", w[0], w[1])
	}
	setState(ps, 1, 0)
	f := &frame.Frame{Growth: &frame.Growth{}}
	ps.Read(2, f)
	pic := make([]byte, 20)
	for i := range pic {
		pic[i] = 2
	}
	for i, x := range []byte{1, 0, 1} {
		pic[m.order[i]], pic[10+m.order[i]] = x, 0
	}
	if f.W != 5 || f.H != 2 || !slices.Equal(f.Pixels, pic) || !slices.Equal(f.Growth.Cell, m.order) {
		t.Errorf("picture %d x %d %v, cells %v; want %v, %v", f.W, f.H, f.Pixels, f.Growth.Cell, pic, m.order)
	}
}
