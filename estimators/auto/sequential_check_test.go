package auto

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/models"
	"logzlab/models/rbm"
)

// alike returns an RBM whose units are all alike, with two modes of the same mass, far apart. Its base rates are those
// of one mode. log Z is a sum over the number of visible units that are on.
func alike(t *testing.T) (m models.Model, truth float64) {
	const v, h, w = 50, 30, .18
	p := rbm.Params{Name: "alike", M: v, J: h}
	for range v * h {
		p.W = append(p.W, w)
	}
	for range v {
		p.C, p.P1 = append(p.C, -w*h/2), append(p.P1, .07)
	}
	for range h {
		p.B = append(p.B, -w*v/2)
	}
	var sum num.LSE
	for k := range v + 1 {
		n, _ := math.Lgamma(v + 1)
		on, _ := math.Lgamma(float64(k + 1))
		off, _ := math.Lgamma(float64(v - k + 1))
		sum.Add(n - on - off - w*h/2*float64(k) + h*num.Softplus(w*float64(k)-w*v/2))
	}
	machine, err := rbm.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return machine, sum.Value()
}

// kept is an RBM that stays at its own base.
type kept struct{ *rbm.Model }

func (k kept) Capabilities() models.Capabilities {
	c := k.Model.Capabilities()
	c.Base = models.Base{Finder: c.Base.Finder}
	return c
}

// From the uniform distribution the strategies that start at a base find both modes, with and without base rates, and
// say so.
func TestUniformStart(t *testing.T) {
	m, truth := alike(t)
	for fold, rounds := range withLanes(t, m, truth, 0, 7) {
		r := fold.Estimate(nil)[0]
		if !slices.Contains(r.Flags, estimators.FlagUniformBase) || slices.Contains(r.Flags, estimators.FlagByGrowing) ||
			slices.Contains(rounds, estimators.BaseRound) || r.Number(estimators.DiagPathOptimal) != optimal(r) {
			t.Errorf("flags %v, rounds %v, path %v", r.Flags, rounds, r.Number(estimators.DiagPathOptimal))
		}
	}
}

// optimal returns F of the pilot that a result shows.
func optimal(r *estimators.Result) float64 {
	_, f := schedule.Functionals(r.PathStats.Betas, r.PathStats.Var)
	return f
}

// A mode that annealing and tempering miss is found by the sequential check, whose estimate is then the result;
// workers, which know of it only from their plans, and lanes of any size give the same result.
func TestSequentialCheck(t *testing.T) {
	m, truth := alike(t)
	m = kept{m.(*rbm.Model)}
	for fold, rounds := range withLanes(t, m, truth, 0, 7) {
		r := fold.Estimate(nil)[0]
		if !slices.Contains(rounds, growingRound) {
			t.Errorf("rounds %v", rounds)
		}
		if first := r.Number(estimators.DiagLogZFirst); !slices.Contains(r.Flags, estimators.FlagByGrowing) ||
			!(first < truth-.3) {
			t.Errorf("flags %v; the first two roads found %g, of %g", r.Flags, first, truth)
		}
		if r.Sweeps > fold.Sweeps() || !(fold.Need().Time > 0) {
			t.Errorf("%g sweeps done, %g planned at most, %+v", r.Sweeps, fold.Sweeps(), fold.Need())
		}
	}
}

// If all strategies agree, the third one changes nothing and confirms the estimate.
func TestSequentialCheckConfirms(t *testing.T) {
	m := methodtest.RBM(t, 40, 24, .3, false)
	c := methodtest.Config(t, AUTO, m, 1)
	c.Target = .1
	_, r := methodtest.Drive(t, AUTO, c)
	z, se := r.Number(estimators.DiagLogZGrown), r.Number(estimators.DiagLogZGrownSE)
	if slices.Contains(r.Flags, estimators.FlagByGrowing) || !(math.Abs(z-r.LogZ) < 4*math.Hypot(se, r.SE)) {
		t.Errorf("log Z is %g +- %g, grown %g +- %g; flags %v", r.LogZ, r.SE, z, se, r.Flags)
	}
}

// If tempering and annealing of a graph do not agree and resample-move is of no use, the result is by annealing, with a
// flag, and the estimate by tempering is kept in the diagnostics; if they agree, or the model does not look ahead, the
// estimate stays.
func TestAnnealedNumber(t *testing.T) {
	grown := &estimators.Result{LogZ: math.NaN(), SE: math.NaN()}
	for _, c := range []struct {
		annealing float64
		ahead     bool
		want      float64
	}{{100, true, 100}, {109.9, true, 110}, {100, false, 110}} {
		tempered := &estimators.Result{LogZ: 110, SE: .1, Bias: "either", Diagnostics: map[diag.Number]float64{
			estimators.DiagLogZOther: c.annealing, estimators.DiagLogZOtherSE: .2}}
		before := tempered.Diagnostics
		none := estimators.Bounds{Floor: math.NaN(), Ceiling: math.NaN()}
		r := (&sequentialCheck{looksAhead: c.ahead, bounds: none}).join(tempered, grown)
		taken := c.want == c.annealing
		if r.LogZ != c.want || slices.Contains(r.Flags, estimators.FlagByAnnealing) != taken {
			t.Errorf("%+v: log Z is %g, flags %v", c, r.LogZ, r.Flags)
		}
		if taken && (r.SE != .2 || r.Bias != "down" || r.Number(estimators.DiagLogZOther) != 110 ||
			r.Number(estimators.DiagLogZOtherSE) != .1 || before[estimators.DiagLogZOther] != c.annealing) {
			t.Errorf("%+v: %+v, of %v", c, r, before)
		}
	}
}

// Frozen tempering may exceed a certain ceiling. An estimate by resample-move below the ceiling is then the result,
// although it is smaller.
func TestCeilingDecides(t *testing.T) {
	for ceiling, want := range map[float64]float64{-54: -68, 20: 18, math.NaN(): 18} {
		first := &estimators.Result{LogZ: 18, SE: .4, Bias: "either"}
		grown := &estimators.Result{LogZ: -68, SE: .1, Bias: "down"}
		r := (&sequentialCheck{looksAhead: true, bounds: estimators.Bounds{Floor: -78, Ceiling: ceiling}}).join(first, grown)
		if r.LogZ != want || slices.Contains(r.Flags, estimators.FlagByGrowing) != (want == -68) {
			t.Errorf("below a ceiling of %g: %g, flags %v", ceiling, r.LogZ, r.Flags)
		}
	}
}
