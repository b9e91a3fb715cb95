package resamplemove

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/internal/methodtest"
)

// Without moves error bars from islands are calibrated, however many copies are among the particles: of 150 runs 95 %
// are within two error bars, and the mean square distance is near 1. Ancestors are all particles without resampling,
// fewer otherwise.
func TestWithoutMoves(t *testing.T) {
	m := methodtest.RBM(t, 8, 5, .8, false)
	z := methodtest.ExactLogZ(t, m)
	const runs = 150
	within, squares, least := 0, 0.0, math.Inf(1)
	for seed := range runs {
		_, res := methodtest.Drive(t, RM, methodtest.Config(t, RM, m, seed, "particles=60", "islands=12", "moves=0",
			"ess=0.9", "absent=off"))
		d := (res.LogZ - z) / res.SE
		squares += d * d / runs
		if math.Abs(d) < 2 {
			within++
		}
		least = min(least, res.Diagnostics[estimators.DiagAncestors])
	}
	t.Logf("%d of %d within two bars, mean square %.2f, %.1f ancestors at least", within, runs, squares, least)
	if within < 135 || squares > 1.6 || squares < .7 { // 142.5 +- 2.7; 1.2 +- .14 for bars from 12 islands
		t.Errorf("%d of %d within two bars, mean square %.2f", within, runs, squares)
	}
	if !(least > 1 && least < 50) {
		t.Errorf("%.1f ancestors of 60 particles", least)
	}
	for _, c := range []struct {
		set []string
		all bool
	}{{[]string{"moves=0", "ess=0"}, true}, {[]string{"moves=1"}, false}} {
		_, res := methodtest.Drive(t, RM, methodtest.Config(t, RM, m, 1, append(c.set, "particles=60", "islands=2")...))
		if n, has := res.Diagnostics[estimators.DiagAncestors]; has != c.all || has && n != 60 {
			t.Errorf("%v: %v ancestors", c.set, n)
		}
	}
}

// V_min is (sum sqrt v_n)^2 over all particles, shares are sqrt v_n over that sum ([ARM] Theorem 1), by the records of
// the islands. With equal sizes V_min is at most the variance within, by Cauchy and Schwarz; the best sizes reach it.
func TestVMin(t *testing.T) {
	m, _, exact := sequenceTruth(t, "public_rbm_bas9_cd1")
	for _, info := range []estimators.Info{RM, RMOptimal, ARM} {
		method, res := methodtest.Drive(t, info, methodtest.Config(t, info, m, 3, "particles=2000", "islands=4", "ess=0",
			"absent=off"))
		if with, ok := method.(*estimators.WithSecondOpinion); ok {
			method = with.Method
		}
		f, _ := method.(*resampleMove)
		if o, ok := method.(*rmOptimal); ok {
			f = o.resampleMove
		}
		sum, truth, particles, shares := 0.0, 0.0, 0, 0.0
		root := make([]float64, m.M-1)
		for n := range root {
			v := 0.0
			for _, d := range f.known {
				v += d.Stages[n].V
				particles += d.Stages[n].Count
			}
			root[n] = math.Sqrt(v / 4)
			sum += root[n]
			truth += math.Sqrt(exact[n])
		}
		for n, x := range root {
			methodtest.Near(t, info.Name+" share of a stage", res.Stages[n].Share, x/sum, 1e-12)
			shares += res.Stages[n].Share
		}
		methodtest.Near(t, info.Name+" sum of shares", shares+res.Stages[m.M-1].Share, 1, 1e-12)
		least, within := res.Diagnostics[estimators.DiagVMin], res.Diagnostics[estimators.DiagSEWithin]
		methodtest.Near(t, info.Name+" V_min", least, sum*sum/float64(particles), 1e-12)
		t.Logf("%s: V_min %.3g, by exact v_n %.3g, se_within^2 %.3g", info.Name, least,
			truth*truth/float64(particles), within*within)
		methodtest.Near(t, info.Name+" V_min by exact v_n", least*float64(particles)/truth/truth, 1, .1)
		if !(least < 1.02*within*within) || info.Name == "rm-optimal" && !(least > .7*within*within) {
			t.Errorf("%s: V_min %.3g, variance within %.3g", info.Name, least, within*within)
		}
	}
}

// Without moves arm and arm-anticipate make no copies: every island equals that of rm. arm-reseed still adds new
// particles, each its own ancestor.
func TestGenerateWithoutMoves(t *testing.T) {
	m, _, _ := sequenceTruth(t, "public_rbm_bas9_cd1")
	run := func(info estimators.Info, set ...string) *estimators.Result {
		c := methodtest.Config(t, info, m, 1, append(set, "particles=40", "islands=3", "moves=0", "absent=off")...)
		c.Key = rng.NewKey(1, "the same", 0)
		_, res := methodtest.Drive(t, info, c)
		return res
	}
	want := run(RM, "ess=0.9")
	for _, info := range []estimators.Info{ARM, ARMAnticipate} {
		if res := run(info, "gamma=0.9"); !slices.Equal(res.Islands, want.Islands) ||
			res.Diagnostics[estimators.DiagParticlesMean] != 40 {
			t.Errorf("%s: islands %v, want %v", info.Name, res.Islands, want.Islands)
		}
		for _, p := range info.Params {
			if hidden := slices.ContainsFunc(p.Needs, func(n spec.Need) bool { return n.Param == "moves" }); hidden !=
				slices.Contains([]string{"i_max", "discard_initial", "extra_copies"}, p.Name) {
				t.Errorf("%s: %s is hidden without moves: %v", info.Name, p.Name, hidden)
			}
		}
	}
	few, more := want.Diagnostics[estimators.DiagAncestors], run(ARMReseed, "gamma=0.97", "reseed_sweeps=5")
	if n := more.Diagnostics[estimators.DiagAncestors]; !(n > few && more.Diagnostics["particles_mean"] > 40) {
		t.Errorf("arm-reseed: %v ancestors, rm %v", n, few)
	}
}
