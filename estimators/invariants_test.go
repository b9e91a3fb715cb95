package estimators

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/models"
)

// AIS on {0, 1} is importance sampling, bit for bit.
func TestTwoTemperaturesAreImportanceSampling(t *testing.T) {
	for name, m := range conformingModels(t) {
		is := config(t, IS, m, 1, "particles=30")
		ais := config(t, AIS, m, 1, "chains=30", "temperatures=2")
		ais.Key = is.Key
		_, a := drive(t, IS, is)
		_, b := drive(t, AIS, ais)
		a.Diagnostics, b.Diagnostics = nil, nil
		if bits(a) != bits(b) {
			t.Errorf("%s: is\n%s\nais with K = 2\n%s", name, bits(a), bits(b))
		}
	}
}

// A target that is the base times a constant has weights without spread: every
// method is exact but ts, whose visits are chance. 1e-9 catches any weight term dropped or counted twice, and a
// kernel's own normaliser leaking into a weight.
func TestConstantRatioIsExact(t *testing.T) {
	flat := models.RBMParams{M: 9, J: 6, W: make([]float64, 54), C: make([]float64, 9), B: make([]float64, 6),
		P1: make([]float64, 9)}
	want := 0.0
	for i := range flat.C {
		flat.C[i] = .25 * float64(i-4) // a multiple of any 2^-s
		flat.P1[i] = num.Sigmoid(flat.C[i])
		want += num.Softplus(flat.C[i])
	}
	for j := range flat.B {
		flat.B[j] = float64(j) - 2.5
		want += num.Softplus(flat.B[j])
	}
	rbm, err := models.NewRBM(flat, nil)
	if err != nil {
		t.Fatal(err)
	}
	gmm, err := models.NewMixture(models.MixtureParams{D: 3, BaseSD: 2, LogC: 7.25, Weights: []float64{1},
		SDs: []float64{2}, Means: [][]float64{{0, 0, 0}}}, models.Kernel{Moves: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		name  string
		model models.Model
		want  float64
	}{
		{"RBM without weights", rbm, want},
		{"mixture equal to its base", gmm, 7.25},
		{"ising at beta = 0", testIsing(t, 4, 3, true, 0), 12 * math.Ln2},
	} {
		for _, c := range conforming {
			if !fits(c.info, m.model) || slices.Contains([]string{TS.Name, WL.Name, SAMS.Name}, c.info.Name) {
				continue // visits are random; weights come nearer with every sweep
			}
			_, res := drive(t, c.info, config(t, c.info, m.model, 1, c.set...))
			// On the machine the slope is the same for all states, but not for all rungs: only the rule errs, by what
			// the error bar says.
			if rule := res.Diagnostics[DiagRuleError]; rule != 0 && m.model == rbm {
				if off := math.Abs(res.LogZ - m.want); !(off <= 1.05*rule && res.SE <= 1.05*rule) {
					t.Errorf("%s on %s is off by %v, the bar is %v", c.info.Name, m.name, off, res.SE)
				}
				continue
			}
			near(t, c.info.Name+" on "+m.name, res.LogZ, m.want, 1e-9)
			if !(res.SE < 1e-9) {
				t.Errorf("%s on %s: s.e. %v of an exact value", c.info.Name, m.name, res.SE)
			}
		}
	}
}

// An error bar claims to be calibrated only with ESS >= 50 and Var(log w) <= 1.
func TestOptimisticFlag(t *testing.T) {
	m := testRBM(t, 8, 5, 1.2, false)
	seen := map[bool]bool{}
	for _, k := range []string{"2", "3", "5", "30"} {
		for _, c := range []string{"20", "60", "400"} {
			_, res := drive(t, AIS, config(t, AIS, m, 1, "chains="+c, "temperatures="+k))
			claims := res.Diagnostics["ess"] >= 50 && res.Diagnostics["var_log_weight"] <= 1
			if flagged := slices.Contains(res.Flags, "se_optimistic"); flagged == claims {
				t.Errorf("K = %s, C = %s: flagged %v with ESS %.1f, Var(log w) %.2f", k, c, flagged, res.Diagnostics["ess"],
					res.Diagnostics["var_log_weight"])
			}
			seen[claims] = true
		}
	}
	if len(seen) != 2 {
		t.Error("the settings show one side only")
	}
}

// The ends of the sandwich are the contract's: mean log weight minus 2 sd/sqrt(C),
// and minus the mean reverse log weight plus 2 sd/sqrt(C), from the base's log Z.
// Catches a sign flipped and a base that was left out (8.3 nats here).
func TestSandwichFormula(t *testing.T) {
	m := testIsing(t, 3, 4, true, .3)
	method, res := drive(t, AIS, config(t, AIS, m, 1, "chains=23", "temperatures=6"))
	a := method.(*anneal)
	forward := a.known.Works(len(a.known.Betas) - 1)
	_, mean, se := zScore(forward, 0)
	near(t, "lower", res.Lower, m.LogZ0()+mean-2*se, 1e-12)
	_, mean, se = zScore(a.known.Reverse, 0)
	near(t, "upper", res.Upper, m.LogZ0()-mean+2*se, 1e-12)
	if len(forward) != 23 || len(a.known.Reverse) != 23 {
		t.Errorf("%d forward and %d reverse chains", len(forward), len(a.known.Reverse))
	}
}

// script is a model without randomness: log f_k(x) is what at says for the
// phase and sweep of the last move.
type script struct {
	logf func(phase, step uint32, k int) float64
}

func (s script) Info() models.Info                        { return models.Info{Name: "script"} }
func (s script) LogZ0() float64                           { return 0 }
func (s script) New(n int, _ []float64) models.Population { return &scriptRows{script: s, n: n} }

type scriptRows struct {
	script
	n  int
	at rng.At
}

func (s *scriptRows) Draw(at rng.At)                    { s.at = at }
func (s *scriptRows) Move(at rng.At, _ []int32, _ bool) { s.at = at }
func (s *scriptRows) Read(int, *frame.Frame)            {}
func (s *scriptRows) Append(int, *frame.Writer)         {}
func (s *scriptRows) Load(int, *frame.Reader)           {}
func (s *scriptRows) Copy(int, int)                     {}
func (s *scriptRows) LogF(lo, n int, out []float64) {
	for i := range s.n * n {
		out[i] = s.logf(s.at.Phase, s.at.Step, lo+i%n)
	}
}

// Sweeps of the burn-in do not count, the first one after it does, and each
// initial iteration counts all of its own. Catches a missing burn-in, one that
// is repeated after a cut, and one sweep too few or many.
func TestBurnIn(t *testing.T) {
	m := script{func(_, step uint32, k int) float64 {
		switch {
		case step <= 7:
			return 30 * float64(k) // would give log Z = 90
		case step == 8 && k == 3:
			return math.Log(19) // one sweep of ten with q = 19/22 for the last rung
		}
		return 0
	}}
	for _, cut := range []int{0, 1, 3, 8} {
		cfg := config(t, RTS, m, 1, "chains=12", "temperatures=4", "sweeps=10", "burn_in=7", "init=ones", "init_rounds=0")
		cfg.Cut = cut
		_, res := drive(t, RTS, cfg)
		want := math.Log((9./4 + 19./22) / (9./4 + 1./22)) // c_4/c_1
		near(t, "log Z", res.LogZ, want, 1e-12)
		near(t, "log Z of the rung below", res.Ladder[2].LogZ, 0, 1e-12)
		near(t, "sweeps", res.Sweeps, 12*17, 0)
	}
	cfg := config(t, RTS, m, 1, "chains=12", "sweeps=1000")
	r, _ := newTemper(cfg)
	if b := r.(*temper).burn; b != 100 {
		t.Errorf("default burn-in of 1000 sweeps is %d", b)
	}
	cfg = config(t, RTS, m, 1, "chains=12", "sweeps=50")
	r, _ = newTemper(cfg)
	if b := r.(*temper).burn; b != 20 {
		t.Errorf("default burn-in of 50 sweeps is %d", b)
	}
}

// The final run keeps log Zhat as the initial iterations left it, whatever its
// own sweeps say, and the initial iterations learn. Here f_k = e^k in every
// phase: after one iteration log Zhat is exact, and stays.
func TestLogZhatFrozen(t *testing.T) {
	phases := map[uint32]bool{}
	m := script{func(phase, _ uint32, k int) float64 { phases[phase] = true; return float64(k) }}
	cfg := config(t, RTS, m, 1, "chains=12", "temperatures=4", "sweeps=10", "init=ones", "init_rounds=5", "init_sweeps=3")
	cfg.Cut = 2
	method, res := drive(t, RTS, cfg)
	near(t, "log Z", res.LogZ, 3, 1e-12)
	near(t, "log Zhat", method.(*temper).zhat[3], 3, 1e-12)
	// The stop rule fires in the second iteration: two of five, and the final run.
	if len(phases) != 3 {
		t.Errorf("phases %v, want two initial iterations and the final run", phases)
	}
	if n := res.Sweeps; n != 12*(3+3+30) {
		t.Errorf("%v chain-sweeps, want %d", n, 12*(3+3+30))
	}
}

// Costs are counted as the contract says.
func TestCost(t *testing.T) {
	m := testMixture(t, 2, 0)
	_, res := drive(t, AIS, config(t, AIS, m, 1, "chains=13", "temperatures=9", "sweeps=2"))
	if res.Sweeps != 2*13*7*2 || res.Evaluations != 2*13*2*8 {
		t.Errorf("ais: %v sweeps, %v evaluations", res.Sweeps, res.Evaluations)
	}
	_, res = drive(t, IS, config(t, IS, m, 1, "particles=50"))
	if res.Sweeps != 0 || res.Evaluations != 2*50*2 {
		t.Errorf("is: %v sweeps, %v evaluations", res.Sweeps, res.Evaluations)
	}
	method, res := drive(t, RTS, config(t, RTS, m, 1, "chains=11", "temperatures=5", "sweeps=40", "burn_in=6",
		"init_rounds=1", "init_sweeps=9"))
	if want := 11. * (3*4 + 9 + 6 + 40); res.Sweeps != want || method.Sweeps() != want {
		t.Errorf("rts: %v sweeps, planned %v, want %v", res.Sweeps, method.Sweeps(), want)
	}
	if want := 11.*(2*4+5*(9+6+40)) + 2*targetDraws; res.Evaluations != want {
		t.Errorf("rts: %v evaluations, want %v", res.Evaluations, want)
	}
}
