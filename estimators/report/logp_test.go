package report

import (
	"math"
	"testing"

	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/rbm"
)

// log Z of a drawing is right by every method, and log p is the difference from the free log Z, which is exact, or the
// estimate of the same experiment without the drawing.
func TestDrawing(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	p := rbm.Params{M: 24, J: 6, B: make([]float64, 6)}
	for i := range p.M {
		p.C, p.P1 = append(p.C, -.5), append(p.P1, .35)
		for j := range p.J {
			p.W = append(p.W, math.Sin(float64(7*i+13*j)))
		}
	}
	m := testmodels.FileModel(t, p, "clamp=3i2-9p4-20i")
	exact, free := models.TruthOf(m), models.CapabilitiesOf(m).Exact.Unclamped()
	run := func(m models.Model, link string) (*engine.Job, *Reports) {
		j, err := engine.NewJob(testmodels.Parse(t, link), m, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		finished(t, j, 2)
		return j, New(j)
	}
	const link = "ais,rts,rm,smc&replicates=30&ais.chains=40&ais.temperatures=60&rts.sweeps=200&rts.chains=10&" +
		"rts.temperatures=12&rm.particles=60&rm.islands=4&smc.particles=60&smc.islands=4&smc.temperatures=30"
	_, reports := run(m, link)
	for _, r := range reports.All(1) {
		if z := float64(r.LogZ-Number(exact.LogZ)) / float64(r.SE); !(math.Abs(z) < 4) {
			t.Errorf("%s finds %v +- %v, exact is %v", r.Method, r.LogZ, r.SE, exact.LogZ)
		}
		if r.LogP == nil || r.LogP.LogP != r.LogZ-Number(free.LogZ) || r.LogP.SE != r.SE ||
			r.LogP.Source != "enumeration" {
			t.Errorf("%s says log p = %+v, log Z %v, free %v", r.Method, r.LogP, r.LogZ, free.LogZ)
		}
	}
	if _, reports = run(testmodels.FileModel(t, p), "ais"); LacksFree(reports.job.Model) || reports.All(1)[0].LogP != nil {
		t.Error("a model without a drawing has a log p")
	}
	for n, want := range map[float64]string{0: "1", .3: "1", -4.3791: "80", -7.31: "1,500", -12.9: "400,000",
		-13.815510557964274: "1 million", -19.7: "360 million", -19.904: "440 million", -30: "11 trillion",
		-34.5387: "10^15", -45.2: "4 × 10^19", -2000: "4 × 10^868"} {
		if got := (&LogP{LogP: Number(n)}).OneIn().Error(); got != want {
			t.Errorf("log p = %g is one in %s, want %s", n, got, want)
		}
	}
}

// If the free log Z is not known, log p has no number until it is estimated, and then combines both error bars.
func TestDrawingOfLargeMachine(t *testing.T) {
	t.Parallel()
	p := rbm.Params{M: 40, J: 30, C: make([]float64, 40), B: make([]float64, 30), P1: make([]float64, 40)}
	for i := range p.P1 {
		p.P1[i] = .5
	}
	for i := range p.M * p.J {
		p.W = append(p.W, .2*math.Sin(float64(i)))
	}
	run := func(set ...string) *Reports {
		s, m := testmodels.Parse(t, "ais&ais.temperatures=50"), testmodels.FileModel(t, p, set...)
		j, err := engine.NewJob(s, m, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		finished(t, j, 2)
		return New(j)
	}
	drawn, free := run("clamp=0i4"), run()
	if r := drawn.All(1)[0]; !LacksFree(drawn.job.Model) || IsNumber(r.LogP.LogP) || IsNumber(r.LogP.Free) {
		t.Errorf("log p is %+v before the free log Z is known", r.LogP)
	}
	drawn.SetFree(free.All(1))
	r, f := drawn.All(1)[0], free.All(1)[0]
	se := Number(math.Hypot(float64(r.SE), float64(f.SE)))
	if r.LogP.LogP != r.LogZ-f.LogZ || r.LogP.SE != se || r.LogP.Source != "estimate" {
		t.Errorf("log p is %+v of %v +- %v and %v +- %v", r.LogP, r.LogZ, r.SE, f.LogZ, f.SE)
	}
	f.Truth = &Truth{LogZ: f.LogZ + 1, Source: "enumeration"}
	drawn.SetFree([]*Report{f})
	if r = drawn.All(1)[0]; r.LogP.Free != f.Truth.LogZ || r.LogP.SE != r.SE || r.LogP.Source != "enumeration" {
		t.Errorf("with an exact free log Z, log p is %+v", r.LogP)
	}
}
