package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/runstate"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/models"
	"logzlab/models/gpc"
)

// The particles of arm never meet the second mode (error bars of 0.0001, 2.5 nats off, every check of its own passed),
// which the floor reveals. ais and rts find it, but share their provenance, so neither confirms the other.
func TestSecondOpinion(t *testing.T) {
	t.Parallel()
	m := testmodels.TwoHills(t)
	run := func(link string) (out []*Report) {
		j, err := engine.NewJob(testmodels.Parse(t, link), m, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		finished(t, j, 2)
		return New(j).All(1)
	}
	exact := 3.77646
	check := func(r *Report, level, text string) {
		t.Helper()
		var found *VerdictCheck
		for i := range r.Verdict.Checks {
			if r.Verdict.Checks[i].Name == "A second opinion" {
				if found != nil {
					t.Errorf("%s has two second opinions", r.Method)
				}
				found = &r.Verdict.Checks[i]
			}
		}
		if found == nil || !strings.Contains(found.Text, text) || r.Verdict.Level != level {
			t.Errorf("%s, %v +- %v: level %s, check %+v", r.Method, r.LogZ, r.SE, r.Verdict.Level, found)
		}
	}
	alone := run("arm&arm.absent=off&arm.particles=200&arm.islands=4")[0]
	if math.Abs(float64(alone.LogZ)-exact) < 2 {
		t.Errorf("arm finds %v: this model tells nothing any more", alone.LogZ)
	}
	if alone.Verdict.Failing().Name != "Floor of log Z" {
		t.Errorf("arm alone is judged by %+v", alone.Verdict.Failing())
	}
	check(alone, Stop, "none")
	both := run("ais,arm&ais.temperatures=500&ais.chains=300&arm.absent=off&arm.particles=200&arm.islands=4")
	check(both[0], Caution, "none") // what is stopped refutes nothing
	check(both[1], Stop, "bars off")
	for _, r := range run("ais,rts&ais.temperatures=500&ais.chains=300&rts.sweeps=300") {
		if math.Abs(float64(r.LogZ)-exact) > 4*float64(r.SE) {
			t.Errorf("%s finds %v +- %v, exact %v", r.Method, r.LogZ, r.SE, exact)
		}
		check(r, Caution, "none")
	}
}

// Methods with different provenances confirm each other. Methods that share a part do not, unless one method keeps its
// bounds. Of two distant estimates the lower is refuted, and the higher too unless E[Zhat] = Z, which does not hold if
// the particles pick temperatures.
func TestOpinions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b           string
		za, zb, sb, up Number
		la, lb         string
	}{
		{"ais", "rm", 1, 1.1, .1, NaN, Trust, Trust},
		{"ais", "arm-reseed", 1, 1.1, .1, NaN, Caution, Caution},
		{"arm", "rm", 1, 1.1, .1, NaN, Caution, Caution},
		{"is", "ais", 1, 1.1, .1, NaN, Caution, Caution},
		{"rts", "ais", 1, 1.1, .1, 1.2, Trust, Trust},
		{"ais", "rm", 1, 1.1, 2, NaN, Caution, Trust},
		{"ais", "rm", 1, 2, .1, NaN, Caution, Caution},
		{"ais", "rm", 1, 9, .1, NaN, Stop, Caution},
		{"ais", "arm", 1, 9, .1, NaN, Stop, Stop},
		{"rm", "smc", 1, 9, .1, NaN, Stop, Caution},
		{"rm", "smc adaptive", 1, 9, .1, NaN, Stop, Stop},
	} {
		b, adaptive := strings.CutSuffix(c.b, " adaptive")
		rs := []*Report{{Method: c.a, State: runstate.MethodDone, LogZ: c.za, SE: .1, Upper: NaN, Verdict: &Verdict{Level: Trust}},
			{Method: b, State: runstate.MethodDone, LogZ: c.zb, SE: c.sb, Upper: c.up, Verdict: &Verdict{Level: Trust}}}
		if adaptive {
			rs[1].Flags = []diag.Flag{estimators.FlagAdaptive}
		}
		New(&engine.Job{Model: testmodels.TwoHills(t)}).Opinions(rs)
		if rs[0].Verdict.Level != c.la || rs[1].Verdict.Level != c.lb {
			t.Errorf("%+v: %+v, %+v", c, rs[0].Verdict, rs[1].Verdict)
		}
	}
}

// Two methods without any spread that differ are compared in nats, not in infinitely many error bars.
func TestSecondOpinionWithoutBars(t *testing.T) {
	t.Parallel()
	j := New(&engine.Job{Model: testmodels.TwoHills(t)})
	var rs []*Report
	for _, z := range []Number{1, 9} {
		rs = append(rs, &Report{State: runstate.MethodDone, LogZ: z, Upper: Number(math.NaN()), Verdict: &Verdict{Level: Trust}})
	}
	j.Opinions(rs)
	if c := rs[0].Verdict.Checks[0]; c.OK || c.Text != "8.00 nats off" || c.Needs != "≤ 0.1" ||
		rs[0].Verdict.Level != Stop {
		t.Errorf("%+v", c)
	}
}

// anonymousKind is a model of a kind without declarations.
type anonymousKind struct{ models.Model }

func (u anonymousKind) Info() models.Info { return models.Info{Kind: "unheard of"} }

// A kind gets the check unless the kind declares a target with one mode.
func TestSecondOpinionByDefault(t *testing.T) {
	t.Parallel()
	n := Number(math.NaN())
	for _, c := range []struct {
		m     models.Model
		check bool
	}{{anonymousKind{}, true}, {testmodels.TwoHills(t), true},
		{testmodels.FileModel(t, gpc.Params{N: 9, D: 1, X: []float64{0, 2, 1, 3, 5, 4, 8, 7, 6},
			Y: []float64{1, -1, 1, 1, -1, 1, 1, 1, -1}}), false}} {
		r := &Report{Method: "ais", State: runstate.MethodDone, LogZ: 1, SE: .1, Upper: n, Verdict: &Verdict{}}
		New(&engine.Job{Model: c.m}).Opinions([]*Report{r})
		if got := len(r.Verdict.Checks) == 1; got != c.check {
			t.Errorf("%s: checked %v, want %v", c.m.Info().Kind, got, c.check)
		}
	}
}

// Contradicting methods get the check also if the kind has one mode, and if both read one run. There agreement confirms
// nothing.
func TestContradictions(t *testing.T) {
	t.Parallel()
	classifier := testmodels.FileModel(t, gpc.Params{N: 5, D: 1, X: []float64{0, 2, 1, 3, 5},
		Y: []float64{1, -1, 1, 1, -1}})
	for _, c := range []struct {
		m       models.Model
		methods string
		z       Number // of the second; 1 +- .1 of the first
		checks  int
		level   string
	}{
		{classifier, "rts,ais", 1.2, 0, Trust}, {classifier, "rts,ais", 1.9, 1, Caution},
		{classifier, "rts,ti-rb", 1.2, 0, Trust}, {classifier, "rts,ti-rb", 1.9, 1, Caution},
		{anonymousKind{testmodels.TwoHills(t)}, "rts,ti-rb", 1.2, 1, Caution},
		{anonymousKind{testmodels.TwoHills(t)}, "rts,ti-rb", 1.9, 1, Caution},
	} {
		j := New(newJob(t, c.m, c.methods))
		var rs []*Report
		for i, name := range strings.Split(c.methods, ",") {
			rs = append(rs, &Report{Method: name, State: runstate.MethodDone, LogZ: []Number{1, c.z}[i], SE: .1, Upper: NaN,
				Verdict: &Verdict{Level: Trust}})
		}
		j.Opinions(rs)
		for _, r := range rs {
			told := strings.Contains(fmt.Sprint(r.Verdict.Checks), "bars off")
			if len(r.Verdict.Checks) != c.checks || r.Verdict.Level != c.level || told != (c.z > 1.5) {
				t.Errorf("%s beside %v: %+v", c.methods, c.z, r.Verdict)
			}
		}
	}
}

// A result of the third strategy at the floor is confirmed by it, unless the first two strategies found more: on an RBM
// with a mode behind a gate, resample-move stayed at the floor, half a nat too low, while tempering was right.
func TestFirstStrategies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, se Number
		ok        bool
	}{{5.38, .09, false}, {4.95, .09, true}, {4, .09, true}, {5.38, .8, true}, {NaN, NaN, true}} {
		r := &Report{Method: "auto", LogZ: 4.88, SE: .04, Floor: &Bound{LogZ: 4.85}, names: catalog.Names{},
			Diagnostics: map[diag.Number]Number{estimators.DiagLogZFirst: c.first, estimators.DiagLogZFirstSE: c.se}}
		if found := r.checkFirstStrategies(); found.OK != c.ok {
			t.Errorf("beside %v +- %v: %+v", c.first, c.se, found)
		}
	}
}
