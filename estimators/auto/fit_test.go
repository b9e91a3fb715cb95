package auto

import (
	"iter"
	"math"
	"slices"
	"testing"

	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/internal/methodtest"
	"logzlab/models"
	"logzlab/models/rbm"
)

// large is an RBM that is too large for exact samples, as far as methods can see.
type large struct{ *rbm.Model }

func (l large) Capabilities() models.Capabilities {
	c := l.Model.Capabilities()
	c.Exact.Sum = l
	if c.Base.Refit != nil {
		c.Base.Refit, c.Base.Uniform = l.Refit, l.Uniform
	}
	return c
}

func (large) Blocks(int) (int, bool) { return 0, false }

func (l large) Refit(on []float64, n int) models.Model {
	return large{l.Model.Refit(on, n).(*rbm.Model)}
}

// Uniform is as large.
func (l large) Uniform() models.Model { return large{l.Model.Uniform().(*rbm.Model)} }

// slow is a large RBM whose sweeps count as a thousand times as much work.
type slow struct{ large }

func (s slow) Capabilities() models.Capabilities {
	c := s.large.Capabilities()
	if c.Cost = s.Cost; c.Base.Refit != nil {
		c.Base.Refit, c.Base.Uniform = s.Refit, s.Uniform
	}
	return c
}

func (s slow) Cost() models.Cost {
	c := s.Model.Cost()
	c.Sweep *= 1000
	return c
}

func (s slow) Refit(on []float64, n int) models.Model { return slow{s.large.Refit(on, n).(large)} }
func (s slow) Uniform() models.Model                  { return slow{s.large.Uniform().(large)} }

// byPlans makes a run with a worker that knows only the plans of its rounds, and returns the names of the rounds.
func byPlans(t *testing.T, c estimators.Config) (fold estimators.Method, rounds []string) {
	t.Helper()
	fold, err := estimators.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	worker, err := estimators.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	for round, err := fold.Next(nil, nil); round != nil || err != nil; round, err = fold.Next(round.Run(worker)) {
		if err != nil {
			t.Fatal(err)
		}
		rounds = append(rounds, round.Name)
	}
	return fold, rounds
}

// withLanes runs auto in lanes of each size. All runs have the same result, bit for bit, within 4 error bars of the
// truth.
func withLanes(t *testing.T, m models.Model, truth float64, sizes ...int) iter.Seq2[estimators.Method, []string] {
	return func(yield func(estimators.Method, []string) bool) {
		want := ""
		for _, size := range sizes {
			c := methodtest.Config(t, AUTO, m, 1)
			c.Target, c.LaneSize = .1, size
			fold, rounds := byPlans(t, c)
			r := fold.Estimate(nil)[0]
			if got := methodtest.Bits(r); want != "" && got != want {
				t.Errorf("lanes of %d rows give\n%s, want\n%s", size, got, want)
			} else {
				want = got
			}
			if off := math.Abs(r.LogZ - truth); off > 4*r.SE || !(r.SE < .1) {
				t.Errorf("log Z is %g +- %g, exactly %g", r.LogZ, r.SE, truth)
			}
			if !yield(fold, rounds) {
				return
			}
		}
	}
}

// From a base fitted to preliminary samples auto finds the same log Z by a shorter path; workers, which know of the fit
// only from their plans, and lanes of any size give the same result.
func TestAutoRefits(t *testing.T) {
	machine := methodtest.RBMWith(t, 60, 6, .5, rbm.Params{})
	m, truth := slow{large{machine}}, methodtest.ExactLogZ(t, machine)
	for fold, rounds := range withLanes(t, m, truth, 0, 7, 1000) {
		r := fold.Estimate(nil)[0]
		if !slices.Contains(rounds, estimators.BaseRound) {
			t.Errorf("the rounds are %q", rounds)
		}
		if r.Diagnostics[estimators.DiagBaseSamples] != estimators.BaseChains || !r.PathStats.Fitted {
			t.Errorf("the fit is not told: %v", r.Diagnostics)
		}
		if r.Sweeps > fold.Sweeps() || r.Sweeps < estimators.BaseChains*estimators.BaseSweeps {
			t.Errorf("%g sweeps done, %g planned at most", r.Sweeps, fold.Sweeps())
		}
	}
	_, own := methodtest.Drive(t, anneal.AIS, methodtest.Config(t, anneal.AIS, machine, 1, "schedule=varopt"))
	c := methodtest.Config(t, AUTO, m, 1)
	c.Target = .1
	_, fitted := methodtest.Drive(t, AUTO, c)
	if f, g := fitted.Diagnostics[estimators.DiagPathOptimal], own.Diagnostics[estimators.DiagPathOptimal]; !(f < .9*g) {
		t.Errorf("F is %g from the fitted base, %g from the model's own", f, g)
	}
}

// If exact samples can be drawn, and if a model has a base that cannot be fitted, auto begins with its pilot.
func TestAutoKeepsBase(t *testing.T) {
	for name, m := range map[string]models.Model{"exact": methodtest.RBM(t, 8, 5, .8, false),
		"mixture": methodtest.Mixture(t, 2, 1),
		"asked":   large{methodtest.RBMWith(t, 8, 5, .8, rbm.Params{Start: rbm.StartUniform})}} {
		c := methodtest.Config(t, AUTO, m, 1)
		c.Target = .3
		method, err := estimators.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		if round, err := method.Next(nil, nil); err != nil || round.Name != anneal.PilotRound {
			t.Errorf("%s: the first round is %q: %v", name, round.Name, err)
		}
	}
}

// If the pilot from the uniform distribution would be expensive, there is none, and the base is fitted at once.
func TestUniformPilotIsCheap(t *testing.T) {
	for _, size := range []struct {
		visible, hidden int
		first           string
	}{{60, 40, anneal.PilotRound}, {784, 500, estimators.BaseRound}} {
		c := methodtest.Config(t, AUTO, large{methodtest.RBMWith(t, size.visible, size.hidden, .01, rbm.Params{})}, 1)
		c.Target = .1
		method, err := estimators.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		if round, err := method.Next(nil, nil); err != nil || round.Name != size.first {
			t.Errorf("%d x %d: the first round is %q: %v", size.visible, size.hidden, round.Name, err)
		}
	}
}
