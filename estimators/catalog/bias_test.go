package catalog

import (
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// large are even shorter runs, whose bias must be visible. The log of a mean of few weights is too low. Rules of
// integration that use one end of each step err towards that end. Reverse chains leave the target too early. If
// particles of arm are heavy more are added, and lower their mean.
var large = []struct {
	method, set, models string
	sign                float64
}{
	{"is", "particles=2", "rbm mixture posterior", -1}, {"ais", "chains=2 temperatures=3", "rbm posterior", -1},
	{"smc", "particles=2 islands=1 temperatures=3", "rbm mixture posterior", -1},
	{"aisel", "particles=2 islands=1 temperatures=3", "rbm posterior", -1},
	{"is2", "particles=2 islands=1", "rbm posterior", -1}, {"rm", "particles=1 islands=1", "rbm", -1},
	{"arm", "particles=2 islands=1", "rbm", -1}, {"raise", "chains=2 temperatures=3", "rbm mixture", 1},
	{"ti", "rule=right", "rbm mixture", 1}, {"ti", "rule=left", "rbm posterior", -1},
	{"ti-rb", "rule=right", "rbm mixture", 1}, {"ti-rb", "rule=left", "rbm posterior", -1},
	{"stepping-stone", "direction=forward temperatures=2 samples=fixed chains=2 sweeps=4", "rbm posterior", -1},
	{"stepping-stone", "direction=backward temperatures=3", "rbm posterior", 1},
}

// target is a model of known log Z.
type target struct {
	name  string
	model models.Model
	logZ  float64
}

// errors returns the errors of short runs with different seeds, by the bias that their results state.
func (m *target) errors(t *testing.T, info *estimators.Info, set string, runs int) map[string][]float64 {
	t.Helper()
	settings := append(methodtest.ShortSettings(*info), strings.Fields(set)...)
	if info.Target > 0 { // auto, which makes its runs long enough for its target
		runs /= 10
	}
	out := map[string][]float64{}
	for seed := range runs {
		c := methodtest.Config(t, *info, m.model, seed, settings...)
		c.Target = 3 * info.Target
		if _, res := methodtest.Drive(t, *info, c); !math.IsNaN(res.LogZ) {
			out[res.Bias] = append(out[res.Bias], res.LogZ-m.logZ)
		}
	}
	return out
}

// score returns the mean of x in its standard errors, with the sign of the stated bias: far below zero contradicts it.
func score(x []float64, stated string) float64 {
	z, _, _ := methodtest.ZScore(x, 0)
	return map[string]float64{"down": -z, "up": z, "none": -math.Abs(z)}[stated]
}

// targets returns three models of known log Z.
func targets(t *testing.T) (out []target) {
	rbm, mixture := methodtest.RBM(t, 8, 5, 1.2, false), methodtest.Mixture(t, 4, 3)
	posterior := methodtest.LatentModel(t, "betabinom")
	return []target{{"rbm", rbm, methodtest.ExactLogZ(t, rbm)}, {"mixture", mixture, methodtest.ExactLogZ(t, mixture)},
		{"posterior", posterior, methodtest.ExactLogZ(t, posterior)}}
}

// The stated sign of the bias, and E[Zhat] = Z if Info.Unbiased is set, are not contradicted by the mean of many short
// runs. Detects a wrong sign, and a mean of logs in place of the log of a mean.
func TestSignsOfBias(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	all, runs := targets(t), tier.Size(15, 15, 1000)
	for _, info := range Methods {
		for _, m := range all {
			if !fits(info, m.model) {
				continue
			}
			for stated, x := range m.errors(t, &info, "", runs) {
				if s := score(x, stated); s < -4 {
					t.Errorf("%s on %s states a bias of %q, against %.1f s.e.", info.Name, m.name, stated, s)
				}
				if len(x) < runs/2 || !info.Unbiased {
					continue
				}
				ratios := make([]float64, len(x))
				for i, e := range x {
					ratios[i] = math.Exp(e)
				}
				if z, mean, se := methodtest.ZScore(ratios, 1); math.Abs(z) > 4 {
					t.Errorf("%s on %s: the mean of Zhat/Z is %.3f +- %.3f", info.Name, m.name, mean, se)
				}
			}
		}
	}
}

// A stated bias is visible if it is large.
func TestBiasIsSeen(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	all, runs := targets(t), tier.Size(150, 150, 1000)
	for _, c := range large {
		info, _ := Method(c.method)
		for _, m := range all {
			if !strings.Contains(c.models, m.name) {
				continue
			}
			n := runs
			if c.method == "rm" { // whose weights are the most even
				n *= 4
			}
			x := slices.Concat(slices.Collect(maps.Values(m.errors(t, info, c.set, n)))...)
			z, mean, se := methodtest.ZScore(x, 0)
			if !(z*c.sign > 4) {
				t.Errorf("%s %s on %s: a bias of %+.3f +- %.3f, not seen", c.method, c.set, m.name, mean, se)
			}
			t.Logf("%-7s %-10s %-8s %+.3f +- %.3f", c.method, c.set, m.name, mean, se)
		}
	}
}

// Documents state the same bias of every method as its results.
func TestSignsDocumented(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../site/docs/methods.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, line := range strings.Split(string(b), "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 {
			continue
		}
		for _, m := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(cells[0], -1) {
			rows[m[1]] = cells[2]
		}
	}
	says := map[string]*regexp.Regexp{"down": regexp.MustCompile(`down|E\[Zhat\] = Z`), "up": regexp.MustCompile(`up`),
		"none":   regexp.MustCompile(`unbiased in log Z`),
		"either": regexp.MustCompile(`no fixed sign|either sign|either way|up or down|averaged in log Z|own error`)}
	for _, info := range Methods {
		m := target{model: methodtest.RBM(t, 3, 2, .8, false)}
		if !fits(info, m.model) {
			m.model = methodtest.LatentModel(t, "betabinom")
		}
		text := rows[info.Name]
		for range 2 { // "as `rts`"
			for _, m := range regexp.MustCompile("(?:as|near|or|,) `([a-z0-9-]+)`").FindAllStringSubmatch(text, -1) {
				text += " " + rows[m[1]]
			}
		}
		for stated := range m.errors(t, &info, "", 10) {
			if !says[stated].MatchString(text) {
				t.Errorf("results of %s state a bias of %q, and site/docs/methods.md says %q", info.Name, stated, text)
			}
		}
	}
}
