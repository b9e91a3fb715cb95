package resamplemove

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/internal/answers"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/rbm"
)

// forming are the methods that grow a model unit by unit.
var growingMethods = []estimators.Info{RM, RMOptimal, ARM, ARMAnticipate, ARMReseed}

// sequenceTruth returns an RBM of the truth folder and its exact log Z_n, n from 0.
func sequenceTruth(t *testing.T, name string) (*rbm.Model, []float64, []float64) {
	t.Helper()
	b := answers.Read(t, name+".json")
	file, err := models.Kinds{&rbm.Kind}.ReadFile(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.FromFile("own", file, spec.Values{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Sequential struct {
			LogZ []float64 `json:"logZ_n"`
		}
		RM struct {
			V []float64 `json:"v_n"`
		} `json:"rm_exact"`
	}
	if err := json.Unmarshal(b, &truth); err != nil {
		t.Fatal(err)
	}
	return m.(*rbm.Model), truth.Sequential.LogZ, truth.RM.V
}

// Log Z_n of every method agrees with the exact value at n = M/2 and M: |z| < 4 over 30 islands, with limits on the
// standard error. Detects a generated batch not weighted by its share or always by a half, weights w in place of w/N_r
// of copies, and offspring drawn by the weights before smoothing.
func TestStageTruth(t *testing.T) {
	tier.Test(t)
	for _, name := range []string{"public_rbm_tiny", "public_rbm_24x12", "public_rbm_bas9_cd1"} {
		m, want, _ := sequenceTruth(t, name)
		for _, info := range growingMethods {
			// Options matter most for methods that generate particles.
			for _, set := range [][]string{{}, {"gamma=0.97", "ess=0.6"}, {"gamma=0.97", "discard_initial=yes"},
				{"gamma=0.97", "extra_copies=yes"}, {"ess=1", "resample=systematic"}} {
				if len(set) > 0 && m.M != 9 {
					continue
				}
				c := methodtest.Config(t, info, m, 3, "islands=30", "particles=200", "moves=4", "absent=off")
				if info.Name == "arm-reseed" {
					c.Values["reseed_sweeps"] = "40"
				}
				known := true
				for _, kv := range set {
					k, x, _ := strings.Cut(kv, "=")
					_, has := c.Values[k]
					known = known && has
					c.Values[k] = x
				}
				if !known {
					continue
				}
				_, res := methodtest.Drive(t, info, c)
				for _, n := range []int{m.M / 2, m.M} {
					se := res.Stages[n-1].SE
					z := (res.Stages[n-1].LogZ - want[n]) / se
					t.Logf("%s %s %v: log Z_%d %+.4f +- %.4f (z %+.1f), R %.0f", name, info.Name, set, n,
						res.Stages[n-1].LogZ-want[n], se, z, res.Diagnostics["particles_mean"])
					if !(math.Abs(z) < 4) || !(se < .03) {
						t.Errorf("%s %s %v: log Z_%d is off by %.4f +- %.4f (z %.1f)", name, info.Name, set, n,
							res.Stages[n-1].LogZ-want[n], se, z)
					}
				}
			}
		}
	}
}

// E[Zhat] = Z for resample-move, for any kernel and sizes: few particles, one sweep of a kernel that mixes slowly. 4
// s.e. (3 to 5 % of Z) detect weights dropped without resampling, offspring drawn by the weights before smoothing, and
// the mean of log Zhat of islands.
func TestRMUnbiased(t *testing.T) {
	tier.Test(t)
	runs := tier.Size(300, 600, 3000)
	m := methodtest.TwoModes(t)
	z := methodtest.ExactLogZ(t, m)
	for _, c := range []struct {
		info  estimators.Info
		share float64 // of the runs
		set   []string
	}{
		{RM, 1, []string{"particles=12", "ess=0.7", "absent=off"}}, {RM, 1, []string{"particles=20", "ess=0", "absent=off"}},
		{RM, 1, []string{"particles=12", "ess=1", "resample=stratified", "absent=off"}},
		{RMOptimal, 1, []string{"particles=16", "absent=off"}},
		{RM, 1, []string{"particles=12", "absent=rates"}}, {RM, 1, []string{"particles=12", "absent=mean-field"}},
		{RM, .2, []string{"particles=60", "absent=sampled"}}, // rough samples take longer than all else
		{RM, 1, []string{"particles=40", "absent=off", "moves=0"}},
		{RM, 1, []string{"particles=40", "ess=1", "absent=off", "moves=0"}},
	} {
		ratio := make([]float64, int(c.share*float64(runs)))
		for seed := range ratio {
			_, res := methodtest.Drive(t, c.info, methodtest.Config(t, c.info, m, seed,
				append([]string{"islands=2", "moves=1"}, c.set...)...))
			ratio[seed] = math.Exp(res.LogZ - z)
		}
		d, mean, se := methodtest.ZScore(ratio, 1)
		t.Logf("%s %v: mean Zhat/Z %.4f +- %.4f (z %+.1f)", c.info.Name, c.set, mean, se, d)
		if !(math.Abs(d) < 4) || tier.Releases() && se > .02 {
			t.Errorf("%s %v: mean of Zhat/Z is %.4f +- %.4f", c.info.Name, c.set, mean, se)
		}
	}
}

// Theorem 1 with exact independent particles: dividing (N-1) R particles as optimalSizes does, from the exact v_n,
// changes the variance of log Zhat by the factor (sum sqrt v)^2 / ((N-1) sum v). Detects sizes proportional to v (0.7
// and 1.0 in place of 0.57 and 0.84) and equal sizes (a factor of 1).
func TestTheorem1(t *testing.T) {
	for _, name := range []string{"public_rbm_tiny", "public_rbm_bas9_cd1"} {
		m, _, v := sequenceTruth(t, name)
		pilot := &island{}
		roots, sum := 0.0, 0.0
		for _, x := range v {
			pilot.Stages = append(pilot.Stages, stage{V: x})
			roots += math.Sqrt(x)
			sum += x
		}
		want := roots * roots / (float64(len(v)) * sum)
		const r = 50
		sizes := optimalSizes([]*island{pilot}, r)
		total := 0
		for _, k := range sizes {
			total += int(k)
		}
		if total > len(v)*r || total < len(v)*r-len(v) {
			t.Errorf("%s: %v are %d particles, want %d", name, sizes, total, len(v)*r)
		}
		exact := exactStages(t, m)
		runs := 12000
		variance := func(at uint32, size func(n int) int) float64 {
			z := make([]float64, runs)
			for i := range z {
				for n := range v {
					s := rng.NewKey(at, "theorem", i).Stream(uint32(n), 0, 0)
					mean := 0.0
					for range size(n) {
						mean += exact[n].draw(&s) / float64(size(n))
					}
					z[i] += math.Log(mean)
				}
			}
			_, out := stats.MeanVar(z)
			return out
		}
		got := variance(1, func(n int) int { return int(sizes[n]) }) / variance(2, func(int) int { return r })
		// The ratio of two variances of 12000 runs has an s.e. of sqrt(4/12000) of itself.
		se := want * math.Sqrt(4/float64(runs))
		t.Logf("%s: variance ratio %.3f, want %.3f +- %.3f", name, got, want, se)
		if !(math.Abs(got-want) < 4*se) {
			t.Errorf("%s: the variance changes by %.3f, want %.3f +- %.3f", name, got, want, se)
		}
	}
}

// exactStage has the values of W of every state of a stage and their probabilities.
type exactStage struct{ cdf, w []float64 }

func (e exactStage) draw(s *rng.Stream) float64 {
	i, _ := slices.BinarySearch(e.cdf, s.Float64()*e.cdf[len(e.cdf)-1])
	return e.w[i]
}

// exactStages enumerates the stages 1..N-1: f_{n+1}(x, 0) = f_n(x), and log W gives the rest.
func exactStages(t *testing.T, m *rbm.Model) (out []exactStage) {
	p := m.NewParticles()
	p.Resize(1)
	w := make([]float64, 1)
	logW := func(n, x int) float64 {
		units := make([]uint8, n)
		for i := range units {
			units[i] = uint8(x >> i & 1)
		}
		var b wire.Writer
		b.Bits(units)
		p.SetStage(n)
		p.Load(0, &wire.Reader{B: b.B})
		p.LogW(0, 1, w)
		return w[0]
	}
	next := func(n int, logf []float64) []float64 { // exp(log W) = 1 + f(x, 1)/f(x, 0)
		all := append(slices.Clone(logf), make([]float64, len(logf))...)
		for x := range logf {
			all[x|1<<n] = logf[x] + math.Log(math.Expm1(logW(n, x)))
		}
		return all
	}
	logf := next(0, []float64{0})
	for n := 1; n < m.Stages(); n++ {
		e := exactStage{}
		sum := 0.0
		for x := range logf {
			sum += math.Exp(logf[x])
			e.cdf = append(e.cdf, sum)
			e.w = append(e.w, math.Exp(logW(n, x)))
		}
		out = append(out, e)
		logf = next(n, logf)
	}
	return out
}

// With independent units W is constant: log Z is exact in every island, nothing is generated, and nothing is resampled.
// A model of one unit has log Z_1.
func TestExactStages(t *testing.T) {
	for _, size := range [][2]int{{6, 3}, {1, 4}} {
		for _, info := range growingMethods {
			m := methodtest.RBM(t, size[0], size[1], 0, false)
			if size[0] == 1 {
				m = methodtest.RBM(t, 1, 4, 1, false)
			}
			z := methodtest.ExactLogZ(t, m)
			method, res := methodtest.Drive(t, info, methodtest.Config(t, info, m, 1, "particles=7", "islands=5"))
			methodtest.Near(t, info.Name+" log Z of independent units", res.LogZ, z, 1e-13)
			if !(res.SE < 1e-12) || res.Diagnostics["islands_sd"] > 1e-12 {
				t.Errorf("%s: s.e. %v", info.Name, res.SE)
			}
			if with, ok := method.(*estimators.WithSecondOpinion); ok {
				method = with.Method
			}
			method = method.(*withRoughSamples).Method
			f, _ := method.(*resampleMove)
			if o, ok := method.(*rmOptimal); ok {
				f = o.resampleMove
			}
			for _, d := range f.known {
				if len(d.Stages) != m.M-1 {
					t.Errorf("%s: %d stages", info.Name, len(d.Stages))
				}
				for n, s := range d.Stages {
					if len(s.Batches) != 1 || s.Resampled || s.Count != 7 {
						t.Errorf("%s: stage %d has batches %v, resampled %v", info.Name, n+1, s.Batches, s.Resampled)
					}
				}
			}
			if s := res.Stages; len(s) != m.M || s[m.M-1].LogZ != res.LogZ || s[m.M-1].N != m.M {
				t.Errorf("%s: stages %v", info.Name, s)
			}
		}
	}
}

// After every batch the weights of the set sum to one, the batches have the sizes of the method, joining particles have
// been moved, and the record has all this. Detects copies that are not moved, weights of promising copies not divided,
// and one copy too many.
func TestGenerate(t *testing.T) {
	m, _, _ := sequenceTruth(t, "public_rbm_bas9_cd1")
	for _, info := range []estimators.Info{ARM, ARMAnticipate, ARMReseed} {
		for _, set := range []string{"discard_initial=no", "discard_initial=yes", "extra_copies=yes"} {
			if strings.HasPrefix(set, "extra") && info.Name != "arm-anticipate" {
				continue
			}
			method, err := estimators.Open(methodtest.Config(t, info, m, 2, "particles=60", "gamma=0.999", "ess=0.1", "i_max=3",
				"islands=1",
				"absent=off", set))
			if err != nil {
				t.Fatal(err)
			}
			round, _ := method.Next(nil, nil)
			f := method.(*resampleMove)
			u := round.Unit(0)
			u.Watched = true
			l := f.newLane(u)
			batches, kept := 0, 0
			before := make([]float64, 60)
			l.run(func(fr *frame.Frame) bool {
				if fr.Growth == nil {
					return true // a sign of life
				}
				switch fr.Phase {
				case "smooth":
					copy(before, l.logW)
				case "generate":
					batches++
					sum, live := 0.0, 0
					for _, x := range l.rho {
						sum += math.Exp(x)
						if !math.IsInf(x, -1) {
							live++
						}
					}
					methodtest.Near(t, info.Name+" "+set+" sum of weights", sum, 1, 1e-12)
					if len(l.rho) != l.Rows || len(l.logW) != l.Rows || len(l.view.lineage) != l.Rows {
						t.Fatalf("%s: %d rows, %d weights, %d lines", info.Name, l.Rows, len(l.rho), len(l.view.lineage))
					}
					if !slices.Equal(l.logW[:60], before) {
						t.Errorf("%s: log W of old particles changed", info.Name)
					}
					// After ten sweeps hardly any row of nine units equals its source.
					same := 0
					for q, src := range l.sources {
						if src >= 0 && l.logW[l.Rows-len(l.sources)+q] == l.logW[src] {
							same++
						}
					}
					if n := m.M; l.p.Stage() > n/2 && same*2 > len(l.sources) {
						t.Errorf("%s: %d of %d new rows have the weight of their source", info.Name, same, len(l.sources))
					}
					kept += live
				case "augment":
					s := l.Stages[len(l.Stages)-1]
					total := 0
					for i, k := range s.Batches {
						total += int(k)
						switch {
						case i == 0 && k != 60 && !l.DiscardInitial, i == 0 && k != 0 && l.DiscardInitial && len(s.Batches) > 1,
							i > 0 && info.Name == "arm" && k != 60, i > 0 && info.Name == "arm-reseed" && (k < 60 || k > 60),
							i > 0 && info.Name == "arm-anticipate" && (k < 60 || k > 120):
							t.Errorf("%s %s: batches %v", info.Name, set, s.Batches)
						}
					}
					if total != s.Count || s.ESS > float64(s.Count)*(1+1e-12) {
						t.Errorf("%s: batches %v, %d particles, ESS %g", info.Name, s.Batches, s.Count, s.ESS)
					}
				}
				return true
			})
			if batches < 10 || kept == 0 {
				t.Errorf("%s %s: %d batches", info.Name, set, batches)
			}
		}
	}
}

func TestFormingRefuses(t *testing.T) {
	for _, c := range []struct {
		m    models.Model
		set  []string
		want string
	}{
		{methodtest.Mixture(t, 2, 0), nil,
			"the method arm grows a model unit by unit; a model of kind gmm cannot be grown so: " +
				"choose a method that goes through temperatures"},
		{methodtest.Ising(t, 3, 3, true, .3), nil, "kind ising"},
		{methodtest.RBM(t, 3, 2, 1, false), []string{"particles=100000", "i_max=1000"}, "lower one of them"},
		{methodtest.RBM(t, 9000, 1, 0, false), nil, "at most 8192 units"},
	} {
		if _, err := estimators.Open(methodtest.Config(t, ARM, c.m, 1, c.set...)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: error %v, want %q", c.m.Info().Kind, c.set, err, c.want)
		}
	}
}
