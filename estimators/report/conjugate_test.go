package report

import (
	"math"
	"runtime"
	"testing"

	"logzlab/core/labtest/tier"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// Methods that use each power of the conjugate models (density, draws of base and target, moves) agree with the closed
// forms, by 8 replicates of short runs: |z| < 4. It catches a prior, a likelihood or a Jacobian that differs between
// density, draws and closed form by more than about .05 nats.
func TestMethodsOnConjugateModels(t *testing.T) {
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
		if !e.Kind.QuickLadder || e.Kind.Look != models.Points {
			continue
		}
		at++
		for i, name := range names {
			// One method for each model, so that every method has its turn; a release runs all methods of all models.
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
			reports, err := RunLink(t.Context(), link, nil, runtime.NumCPU())
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
