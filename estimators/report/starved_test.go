package report

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/targets"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/ising"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// unknown is a model without its exact log Z; exact samples of it can still be drawn.
type unknown struct{ models.Model }

func (m unknown) Capabilities() models.Capabilities {
	c := models.CapabilitiesOf(m.Model)
	c.Exact.Truth = nil
	return c
}

// hidden withholds the exact log Z of a model from the program.
func hidden(m models.Model) judged {
	truth := models.TruthOf(m).LogZ
	switch m.(type) {
	case *rbm.Model, *ising.Lattice, *mixture.Gaussian:
		m = unknown{m}
	}
	return judged{m.Info().Name, m, truth}
}

// Budgets: far too few chains, sweeps and temperatures on all but the easiest models, and about enough on small ones.
// Along a sequence from samples ten particles in each of 16 islands are enough for a small RBM: 0.004 nats off, error
// bars of 0.009.
const (
	tooLittle = "is.particles=100 ais.chains=20 ais.temperatures=8 rts.chains=10 rts.temperatures=8 rts.sweeps=20 " +
		"wl.temperatures=8 wl.sweeps=30 wl.islands=4 sams.temperatures=8 sams.sweeps=30 sams.islands=4 " +
		"smc.particles=10 smc.temperatures=8 aisel.particles=10 aisel.temperatures=8 is2.particles=5 " +
		"arm.temperatures=8 bridge.chains=10 bridge.sweeps=20 " +
		"ti.chains=20 ti.temperatures=8 ti.sweeps=20 rm.particles=10 rm.moves=1 rm.absent=off arm.particles=10 arm.moves=1 " +
		"arm.absent=off"
	enough = "is.particles=2000 ais.chains=50 ais.temperatures=100 rts.chains=20 rts.temperatures=20 rts.sweeps=200 " +
		"wl.temperatures=20 wl.sweeps=300 sams.temperatures=20 sams.sweeps=300 smc.particles=50 smc.temperatures=50 " +
		"aisel.particles=20 aisel.temperatures=50 is2.particles=100 " +
		"rm.particles=100 rm.moves=1 arm.particles=200 arm.moves=1"
)

// emptyOrFull returns an RBM of n x n units with two modes of the same mass, all units off and all on; the base is at
// the first.
func emptyOrFull(t *testing.T, n int, w float64) models.Model {
	f := rbm.Params{M: n, J: n}
	for range n {
		f.C, f.B, f.P1 = append(f.C, -w*float64(n)/2), append(f.B, -w*float64(n)/2), append(f.P1, .05)
		for range n {
			f.W = append(f.W, w)
		}
	}
	return testmodels.FileModel(t, f)
}

// opposite returns an RBM whose base rates are those of negatives, and more extreme.
func opposite(t *testing.T, f rbm.Params) models.Model {
	for i, p := range f.P1 {
		f.P1[i] = .97
		if p > .3 {
			f.P1[i] = .03
		}
	}
	return testmodels.FileModel(t, f)
}

// A starved run and a bad start are not trusted, for every method, over some seeds, on models whose exact log Z the
// program does not know: no result off by more than 3 s.e. and half a nat is trusted, nor one that misses a mode or has
// far too little work, right or not.
func TestStarvedRunsAndBadStarts(t *testing.T) {
	tier.Test(t)
	seeds := tier.Size(1, 1, 20)
	twoHills := mixture.GaussianParams{D: 2, BaseSD: 1, Weights: []float64{.5, .5}, SDs: []float64{.5, .5},
		Means: [][]float64{{0, 0}, {9, 0}}}
	for _, c := range []struct {
		what   string
		model  judged
		budget string
		blind  bool // no run can be right but by luck
	}{
		{"starved machine", hidden(testmodels.RBMModel(t, 40, 16, .6, 7)), tooLittle, true},
		{"starved lattice", hidden(testmodels.IsingModel(t, 8, 8, true, .6)), tooLittle, true},
		{"starved hills", hidden(testmodels.HillsModel(t, 10, 3, 8, 0, 1)), tooLittle, true},
		{"bad start", hidden(opposite(t, targets.RandomRBM(60, 10, .6, 7))), enough, false},
		{"one mode, machine", hidden(emptyOrFull(t, 14, .9)), enough, true},
		{"one mode, hills", hidden(testmodels.FileModel(t, twoHills)), enough, true},
	} {
		cache := map[string][][]byte{}
		for _, info := range catalog.Methods {
			if !fits(info.Name, c.model.model) || info.Target > 0 { // auto does not let itself be starved
				continue
			}
			levels := map[string]int{}
			wrong, own := 0, 0
			for seed := range seeds {
				link := fmt.Sprint(info.Name, budgeted(&info, c.budget), "&seed=", seed+1)
				j, err := engine.NewJob(testmodels.Parse(t, link), c.model.model, engine.Options{Cache: cache})
				if err != nil {
					t.Fatal(err)
				}
				r := finished(t, j, runtime.NumCPU())[0]
				off := math.Abs(float64(r.LogZ) - c.model.truth)
				bars := off / float64(r.SE)
				bad := !(bars <= 3 || off <= .5)
				levels[r.Verdict.Level]++
				if bad {
					wrong++
				}
				if r.OwnLevel == Trust {
					own++
				}
				if r.Verdict.Level == Trust && (bad || c.blind) {
					t.Errorf("%s, %s, seed %d: trusted at %v +- %v, exact %v", c.what, info.Name, seed+1, r.LogZ, r.SE,
						c.model.truth)
				}
			}
			t.Logf("%-18s %-14s wrong %2d, trust %d, caution %d, stop %d; by its own checks trust %d", c.what, info.Name,
				wrong, levels[Trust], levels[Caution], levels[Stop], own)
		}
	}
}

// If one weight is the whole estimate its error bar would be 1, whatever log Z is: there is none, and the run is marked
// stop. So is a run with fewer than about 1.5 effective weights. Fails if an error bar of 1.0000 is reported for a log
// Z that is thousands off.
func TestOneWeightHasNoBar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ess, se float64
		want    bool
	}{{.909, .99999, true}, {1, 1, true}, {1.4, .84, true}, {1.7, .76, false}, {1.5, 2, false}, {3, .9, false}} {
		r := &estimators.Result{LogZ: 5, SE: c.se}
		r.Diagnose(estimators.DiagESS, c.ess)
		if alone, whole := r.OneWeight(); alone != c.want || whole != (c.se == 1) {
			t.Errorf("a bar of %v from %v weights: %v, %v", c.se, c.ess, alone, whole)
		}
	}
	m := testmodels.FileModel(t, mixture.GaussianParams{D: 10, BaseSD: 3, Weights: []float64{1},
		Means: [][]float64{slices.Repeat([]float64{5}, 10)}, SDs: []float64{1e-4}}) // far narrower than the base
	j, err := engine.NewJob(testmodels.Parse(t, "is,ais,smc&is.particles=50&ais.chains=20&ais.temperatures=3"+
		"&smc.particles=20&smc.temperatures=3"), m, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range finished(t, j, 1) {
		if !slices.Contains(r.Flags, estimators.FlagOneWeight) || IsNumber(r.SE) || r.Verdict.Level != Stop ||
			slices.Contains(r.Flags, estimators.FlagNoErrorBar) {
			t.Errorf("%s: log Z %v +- %v, %s, flags %v", r.Method, r.LogZ, r.SE, r.Verdict.Level, r.Flags)
		}
	}
}

// suits reports whether a link's methods can run on a model.
func suits(link string, m models.Model) bool {
	methods, _, _ := strings.Cut(link, "&")
	return !slices.ContainsFunc(strings.Split(methods, ","), func(name string) bool { return !fits(name, m) })
}

// fits reports whether a method can run on a model.
func fits(method string, m models.Model) bool {
	ok := true
	switch catalog.Path(method) {
	case estimators.Sequential:
		ok = models.CapabilitiesOf(m).GrowingSpaces.Sequence != nil
	case estimators.Fitted:
		ok = models.CapabilitiesOf(m).Base.StudentT != nil
	}
	return ok
}
