package auto

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/factor"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/temper"
	"logzlab/internal/methodtest"
	"logzlab/models"
	"logzlab/models/graph"
	"logzlab/models/mixture"
)

// auto finds log Z of models of every kind to the wanted error, and its second opinion agrees.
func TestAuto(t *testing.T) {
	for name, m := range map[string]models.Model{"rbm": methodtest.RBM(t, 8, 5, .8, false),
		"mixture": methodtest.Mixture(t, 2, 1),
		"ising":   methodtest.Ising(t, 3, 4, true, .4), "two modes": methodtest.TwoModes(t)} {
		c := methodtest.Config(t, AUTO, m, 1)
		for c.Target = .2; c.Target > .04; c.Target /= 2 {
			method, res := methodtest.Drive(t, AUTO, c)
			if off := math.Abs(res.LogZ - methodtest.ExactLogZ(t, m)); off > 3*c.Target || off > 5*res.SE ||
				res.SE > 1.5*c.Target {
				t.Errorf("%s to %g: off by %.3f, error bar %.3f", name, c.Target, off, res.SE)
			}
			if d := res.Diagnostics; !(math.Abs(res.LogZ-d[estimators.DiagLogZOther]) < 5*math.Hypot(res.SE,
				d[estimators.DiagLogZOtherSE])) ||
				!(d[estimators.DiagCostAnnealing] > 0 && d[estimators.DiagCostTempering] > 0) {
				t.Errorf("%s: %g +- %g, %v", name, res.LogZ, res.SE, d)
			}
			if res.Sweeps < anneal.PilotChains*anneal.PilotSteps {
				t.Errorf("%s: %g sweeps without those of the pilot", name, res.Sweeps)
			}
			if method.Need().Time <= 0 {
				t.Error("no planned time")
			}
		}
	}
}

// Chains that have not met a hill of 1 % of the mass agree well, by either method. The error bar covers such a hill all
// the same. Without the least error bar of 1/n this is up to 9 error bars off.
func TestUnmetHills(t *testing.T) {
	p := mixture.BernoulliParams{M: 40, Weights: []float64{.99, .01}}
	for i := range 80 {
		p.Probabilities = append(p.Probabilities, map[bool]float64{true: .05, false: .95}[i < 40 || i%2 == 0])
	}
	m, err := p.Open("hills", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	worst, least := 0., math.Inf(1)
	for seed := range 12 {
		c := methodtest.Config(t, AUTO, m, seed)
		c.Target = .1
		_, r := methodtest.Drive(t, AUTO, c)
		worst, least = max(worst, math.Abs(r.LogZ)/r.SE), min(least, r.SE)
	}
	if worst > 3 || least < 1./64 {
		t.Errorf("at most %.1f bars off, the shortest bar is %.4f", worst, least)
	}
}

// Slowly mixing chains make tempering the cheaper method; a smaller wanted error makes both dearer.
func TestAutoChoice(t *testing.T) {
	plan := func(lag, target float64) (annealing, tempering float64) {
		c := methodtest.Config(t, AUTO, methodtest.RBM(t, 30, 12, .3, false), 1)
		c.Target = target
		c.PathStats = &schedule.PathStats{Betas: []float64{0, 1}, Mean: []float64{0, 0}, Var: []float64{100, 100}, VarianceRatio: lag}
		a, b := planAuto(c)
		return a.work(), b.work()
	}
	if a, b := plan(1, .1); a > b {
		t.Errorf("easy: annealing %g, tempering %g", a, b)
	}
	if a, b := plan(100, .1); b > a {
		t.Errorf("hard: annealing %g, tempering %g", a, b)
	}
	_, b := plan(1, .1)
	if _, half := plan(1, .05); half < 2*b || half > 5*b {
		t.Errorf("half the error costs %g times the work", half/b)
	}
}

// A second opinion is sized for the run as it has grown, in the fold and in workers, which make the opinion anew.
func TestOpinionFits(t *testing.T) {
	m := methodtest.RBM(t, 8, 5, .8, false)
	made := func() *estimators.WithSecondOpinion {
		r, err := temper.WithOptions(methodtest.Config(t, temper.RTS, m, 1, "chains=12", "temperatures=8", "burn_in=15",
			"sweeps=20"),
			temper.Options{MaxSweeps: 200, ExtraSweeps: func(_ *estimators.Result, _, kept int) int { return 200 - kept }})
		if err != nil {
			t.Fatal(err)
		}
		a := &estimators.WithSecondOpinion{Method: r, Planned: r.Sweeps(), Resize: func(growth float64) (estimators.Method,
			error) {
			c := methodtest.Config(t, anneal.AIS, m, 2, "temperatures=30", fmt.Sprint("chains=", int(20*growth)))
			return anneal.WithOptions(c, anneal.Options{})
		}}
		a.AddDiagnostics = func(r, o *estimators.Result) { r.Diagnose(estimators.DiagLogZOther, o.LogZ) }
		if err := a.SizeFor(1); err != nil {
			t.Fatal(err)
		}
		return a
	}
	fold, worker := made(), made()
	round, err := fold.Next(nil, nil)
	for round != nil && err == nil {
		round, err = fold.Next(round.Run(worker))
	}
	growth := fold.Method.Sweeps() / fold.Planned
	got := fold.Estimate(nil)[0]
	_, want := methodtest.Drive(t, anneal.AIS, methodtest.Config(t, anneal.AIS, m, 2, "temperatures=30",
		fmt.Sprint("chains=", int(20*growth))))
	if err != nil || growth < 1.2 || got.Number(estimators.DiagLogZOther) != want.LogZ {
		t.Errorf("grown %.2f times: the opinion is %g, want %g: %v", growth, got.Number(estimators.DiagLogZOther), want.LogZ,
			err)
	}
}

// auto has no parameters except the wanted error, so its checks advise nothing else.
func TestAutoAdvice(t *testing.T) {
	for _, c := range AUTO.Checks {
		if !strings.HasPrefix(c.Advice, "Want a smaller error bar: ") {
			t.Errorf("%s: %s", c.Name, c.Advice)
		}
	}
	if anneal.CheckSandwich.Advice != "Use more temperatures." {
		t.Errorf("ais is told: %s", anneal.CheckSandwich.Advice)
	}
}

// program is a model with a fitted base whose chains turn out to be slow.
type program struct {
	models.Model
	sweep float64
}

func (p program) Capabilities() models.Capabilities {
	return models.Capabilities{Base: models.Base{Prefitted: p}}
}

func (program) HeavyTailed() bool { return false }

func (program) Components() int { return 1 }

func (program) SearchTime() float64 { return 0 }

func (p program) MeasuredCost() models.Cost { return models.Cost{Sweep: p.sweep} }

// A program has a budget of time: if chains turn out to be slow, auto ends with a longer error bar, and no run is
// added. If they are fast it takes the time that it needs.
func TestAutoEnds(t *testing.T) {
	m := methodtest.Mixture(t, 2, 1)
	truth, sweeps := methodtest.ExactLogZ(t, m), 0.
	byPath := AUTO // without importance sampling, which this base allows
	byPath.New = func(c estimators.Config) (estimators.Method, error) {
		c.Overrelaxed = true
		return piloted(c)
	}
	for _, each := range []float64{10, 1e10} {
		c := methodtest.Config(t, byPath, program{m, each}, 1)
		c.Target = .003
		_, r := methodtest.Drive(t, byPath, c)
		slow := each > 10
		if (r.SE > 1.1*c.Target) != slow || (r.Runs == 1) != slow || r.Runs < 1 || math.Abs(r.LogZ-truth) > 4*r.SE {
			t.Errorf("%g: %d runs, off by %g +- %g", each, r.Runs, r.LogZ-truth, r.SE)
		}
		if slow && r.Sweeps > sweeps/2 {
			t.Errorf("%g sweeps, %g where they are fast", r.Sweeps, sweeps)
		}
		sweeps = r.Sweeps
	}
}

// failing is a run that ends with an error, as bridge sampling does if the draws have no covariance.
type failing struct{ estimators.Method }

func (failing) Next(_, _ [][]byte) (*estimators.Round, error) {
	return nil, errors.New("no covariance")
}

// After failed bridge sampling comes a path.
func TestPathAfterFailedBridge(t *testing.T) {
	m := methodtest.Mixture(t, 2, 1)
	p := &posterior{Config: methodtest.Config(t, AUTO, program{m, 10}, 1), stage: byBridge, run: failing{}}
	p.Target = .1
	if r, err := p.Next(nil, nil); r == nil || err != nil || p.stage != byPath {
		t.Errorf("round %v, stage %d, %v", r, p.stage, err)
	}
	p.stage, p.run = byDraws, failing{}
	if _, err := p.Next(nil, nil); err == nil {
		t.Error("an error of importance sampling is lost")
	}
}

// A graph whose constraints no state satisfies has no run, since elimination shows this already.
func TestEmptySum(t *testing.T) {
	unequal := []float64{math.Inf(-1), 0, 0, math.Inf(-1)}
	g := &factor.Graph{States: []int{2, 2, 2}, Factors: []factor.Factor{{Vars: []int{0, 1}, Table: unequal},
		{Vars: []int{1, 2}, Table: unequal}, {Vars: []int{0, 2}, Table: unequal}}}
	p, err := graph.FileOf(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Open("odd", "", spec.Values{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	method, r := methodtest.Drive(t, AUTO, methodtest.Config(t, AUTO, m, 1))
	if !math.IsNaN(r.LogZ) || method.Sweeps() > 0 {
		t.Errorf("log Z %v after %v sweeps", r.LogZ, method.Sweeps())
	}
}

// Bounds from exact samples void an estimate of the other strategy far outside them, whatever the error bars; inside,
// and without exact samples, it is judged.
func TestRefuted(t *testing.T) {
	for _, c := range []struct {
		z, bennett    float64
		judged, agree bool
	}{{216.8, 100, false, false}, {201, 100, false, false}, {216.8, math.NaN(), true, false}, {209.6, 100, true, true},
		{210.5, 100, true, false}} {
		f := estimators.Facts{LogZ: 209.3, SE: .06, Lower: 208.7, Upper: 209.9, Number: func(n diag.Number) float64 {
			return map[diag.Number]float64{estimators.DiagLogZOther: c.z, estimators.DiagLogZOtherSE: .19,
				estimators.DiagESSBennett: c.bennett}[n]
		}}
		if found, judged := checkOther.Judge(f); judged != c.judged || judged && found.OK != c.agree {
			t.Errorf("log Z of the other road is %g: judged %t, agrees %t", c.z, judged, found.OK)
		}
	}
}
