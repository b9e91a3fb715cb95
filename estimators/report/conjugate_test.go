package report

import (
	"math"
	"runtime"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/conjugate"
)

// Methods that use each capability of the conjugate models (density, draws of base and target, moves) agree with the
// closed forms, by 8 replicates of short runs: |z| < 4. Detects a prior, a likelihood or a Jacobian that differs
// between density, draws and closed form by more than about .05 nats.
func TestMethodsOnConjugateModels(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	if runtime.GOOS == "js" {
		t.Skip("takes minutes under Node, which the golden links of these models cover")
	}
	const replicates = "8"
	small := map[string]string{"chains": "30", "temperatures": "16", "sweeps": "100", "init_rounds": "2",
		"init_sweeps": "20", "particles": "400", "islands": "4", "schedule": "power:4", "is.particles": "60000",
		"rts.sweeps": "400"}
	for _, name := range []string{"ais", "ais-bar", "smc"} {
		small[name+".temperatures"], small[name+".sweeps"] = "60", "1"
	}
	small["ais.temperatures"] = "240"
	names, at := []string{"is", "ais", "ais-bar", "rts", "smc"}, 0
	for _, e := range catalog.Kinds.Builtin() {
		if !e.Kind.FastLadderLogZ || e.Kind.Look != models.Points {
			continue
		}
		at++
		for i, name := range names {
			// One method for each model, so that every method has its turn; a release runs all methods on all models.
			if (i+at)%len(names) > 0 && !tier.Releases() {
				continue
			}
			info, _ := catalog.Method(name)
			link := "v=1&model=" + e.Name + "&method=" + info.Name + "&seed=2&replicates=" + replicates
			for _, p := range info.Params {
				value, ok := small[info.Name+"."+p.Name]
				if !ok {
					value, ok = small[p.Name]
				}
				if ok && value != p.Default {
					link += "&" + info.Name + "." + p.Name + "=" + value
				}
			}
			reports, err := RunLink(t.Context(), link, engine.Source{}, runtime.NumCPU())
			if err != nil {
				t.Errorf("%s: %v", link, err)
				continue
			}
			r := reports[0]
			z := float64((r.LogZ - r.Truth.LogZ) / r.SE)
			if !(math.Abs(z) < 4) || !(r.SE < .1) || !(math.Abs(float64(r.LogZ-r.Truth.LogZ)) < .3) {
				t.Errorf("%s: log Z %v +- %v, exact %v, z = %.1f", link, r.LogZ, r.SE, r.Truth.LogZ, z)
			}
		}
	}
}

// Regressions with fifty coefficients, and with as many as auto has preliminary samples, more than rows: auto finds log
// Z. Their first base once grew without end, and log Z was 4e8 nats too low; fewer samples than coordinates have no
// covariance, and then points of the search replace them.
func TestManyCoefficients(t *testing.T) {
	t.Parallel()
	tier.Release(t)
	for _, c := range []struct{ rows, dim int }{{200, 50}, {60, 100}} {
		s := rng.NewKey(1, "coefficients", c.dim).Stream(0, 0, 0)
		p := conjugate.LinregParams{D: c.dim, S2: 1, T2: 25}
		for range c.rows {
			y := s.Norm()
			for k := range c.dim {
				x := s.Norm()
				p.X = append(p.X, x)
				y += x * float64(k%3-1)
			}
			p.Y = append(p.Y, y)
		}
		m := testmodels.FileModel(t, p, "moves=2")
		r := finished(t, newJob(t, m, "auto&target=.5&limit=500000"), 1)[0]
		if off := float64(r.LogZ - r.Truth.LogZ); !(math.Abs(off) < 4*float64(r.SE)) || !(r.SE < .3) {
			t.Errorf("%+v: log Z is %v +- %v, not %v", c, r.LogZ, r.SE, r.Truth.LogZ)
		}
	}
}
