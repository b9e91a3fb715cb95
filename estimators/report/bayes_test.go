package report

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/models"
)

// Built-in models that claim the same data have them.
func TestEntriesOfSameData(t *testing.T) {
	t.Parallel()
	first := map[string]models.Info{}
	for _, e := range catalog.Kinds.Builtin() {
		if e.Data == "" {
			continue
		}
		info := builtin(t, e.Name).Info()
		if other, ok := first[e.Data]; ok && SameData(other, info) != nil {
			t.Error(SameData(other, info))
		}
		first[e.Data] = info
	}
	if len(first) < 2 {
		t.Errorf("only %d sets of data", len(first))
	}
}

func builtin(t *testing.T, name string) models.Model {
	t.Helper()
	m, err := catalog.Kinds.Open(name, nil, testmodels.LoadSite, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A log Bayes factor is the difference of two log evidences, its error bar combines theirs, and the exact one is
// reported too.
func TestBayesFactor(t *testing.T) {
	t.Parallel()
	of := func(model string) *Report {
		s, m := testmodels.Parse(t, "aisel&aisel.islands=8&aisel.particles=50&aisel.temperatures=15"), builtin(t, model)
		s.Model = model
		j, err := engine.NewJob(s, m, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		finished(t, j, 2)
		return New(j).All(1)[0]
	}
	a, b := of("linreg-line"), of("linreg-level")
	c := Compare(a, b)
	if off := math.Abs(float64(c.LogBF - c.Exact)); !(off < 4*float64(c.SE)) || c.SE > 1 ||
		c.SE != Number(math.Hypot(float64(a.SE), float64(b.SE))) || math.Abs(float64(c.Exact)-21.4828) > 1e-3 {
		t.Errorf("log Bayes factor %v +- %v, exactly %v", c.LogBF, c.SE, c.Exact)
	}
	if c.Grade != "very strong evidence" || a.DataID != b.DataID {
		t.Errorf("it is %q", c.Grade)
	}
}

// A comparison in words: a grade or two, or that the error bar is too wide, and the worse verdict.
func TestBayesInWords(t *testing.T) {
	t.Parallel()
	of := func(z, se float64, level string) *Report {
		return &Report{LogZ: Number(z), SE: Number(se), Verdict: &Verdict{Level: level}}
	}
	for _, c := range []struct {
		a, b           *Report
		grade, verdict string
		says           []string
	}{
		{of(-10, .03, Trust), of(-13, .04, Trust), "positive evidence to strong evidence", Trust,
			[]string{"about 20 (18 to 22, by two error bars) times as likely under A as under B", "odds before the data"}},
		{of(-13, .03, Trust), of(-10.4, .04, Caution), "positive evidence", Caution,
			[]string{"about 13 (12 to 15, by two error bars) times as likely under B as under A", "needs caution"}},
		{of(-10, .01, Trust), of(-10.4, .01, Trust), "hardly worth a mention", Trust, []string{"about 1.5 times"}},
		{of(-10, .1, Trust), of(-10, .1, Trust), "hardly worth a mention", Trust, []string{"about 1.0 (0.75 to 1.3, by two"}},
		{of(0, 0, Trust), of(-30, .5, Trust), "very strong evidence", Trust, []string{"about 11 trillion (3.9 trillion to 29 trillion, by two error bars) times"}},
		{of(-10, .6, Trust), of(-11, .7, Trust), "", Trust, []string{"too wide to tell which of A and B"}},
		{of(-10, .1, Trust), of(-20, .1, Stop), "very strong evidence", Stop, []string{"not to be trusted"}},
		{of(-10, .1, Stop), of(-20, .1, Caution), "very strong evidence", Stop, []string{"not to be trusted"}},
		{of(-10, math.NaN(), Caution), of(-20, .1, Trust), "", Caution, []string{"without an error bar"}},
	} {
		got := Compare(c.a, c.b)
		var said []string
		for _, s := range got.Sentences("A", "B") {
			said = append(said, s.Error())
		}
		text := strings.Join(said, ". ")
		if got.Grade != c.grade || got.Verdict != c.verdict {
			t.Errorf("%v against %v: %q, %s", c.a.LogZ, c.b.LogZ, got.Grade, got.Verdict)
		}
		for _, s := range c.says {
			if !strings.Contains(text, s) {
				t.Errorf("%v against %v: %q lacks %q", c.a.LogZ, c.b.LogZ, text, s)
			}
		}
	}
}

// Truncated priors that are not normalised change a Bayes factor if they differ, and the normalised value is reported.
func TestBayesOfCutPriors(t *testing.T) {
	t.Parallel()
	of := func(z float64, nats ...Number) *Report {
		r := &Report{LogZ: Number(z), SE: .01, Verdict: &Verdict{Level: Trust}, Diagnostics: map[diag.Number]Number{}}
		if nats != nil {
			r.Flags = []diag.Flag{models.FlagTruncated}
		}
		if len(nats) > 0 {
			r.Diagnostics[models.DiagTruncation] = nats[0]
		}
		return r
	}
	for _, c := range []struct {
		a, b          *Report
		verdict, says string
	}{
		{of(-10), of(-12), Trust, ""}, {of(-10, .7), of(-12, .7), Trust, ""},
		{of(-10, .7), of(-12), Caution, "with normalised priors the log Bayes factor would be 2.700"},
		{of(-10), of(-12, .7), Caution, "would be 1.300"},
	} {
		got, text := Compare(c.a, c.b), ""
		for _, s := range got.Sentences("A", "B") {
			text += s.Error() + ". "
		}
		if got.Verdict != c.verdict || !strings.Contains(text, c.says) || strings.Contains(text, "needs caution") ||
			c.says == "" && strings.Contains(text, "normalised") {
			t.Errorf("%v, %v: %s, %s", c.a.truncation(), c.b.truncation(), got.Verdict, text)
		}
	}
	loose := of(-10)
	loose.Flags = []diag.Flag{models.FlagTruncated}
	got := Compare(loose, of(-12))
	if got.Verdict != Caution || !strings.Contains(got.Sentences("A", "B")[2].Error(), "no evidence") {
		t.Errorf("%s, %v", got.Verdict, got.Sentences("A", "B"))
	}
}

// Without a prior a Bayes factor means nothing, however good both estimates are.
func TestBayesImproper(t *testing.T) {
	t.Parallel()
	a, b := &Report{LogZ: -10, SE: .01, Verdict: &Verdict{Level: Trust}}, &Report{LogZ: -13, SE: .01,
		Verdict: &Verdict{Level: Trust}, Flags: []diag.Flag{models.FlagImproper}}
	c := Compare(a, b)
	if says := c.Sentences("A", "B"); c.Verdict != Stop || c.Grade != "" || len(says) != 1 ||
		!strings.HasPrefix(says[0].Error(), "B states no prior") {
		t.Errorf("%s, %q: %v", c.Verdict, c.Grade, says)
	}
}

// Only evidences of the same data are compared, for any kinds of model.
func TestSameData(t *testing.T) {
	t.Parallel()
	info := func(model string) models.Info { return builtin(t, model).Info() }
	for _, c := range []struct{ a, b, says string }{
		{"linreg-line", "linreg-bend", ""}, {"sv-60", "nig-60", ""},
		{"sv-60", "nig-12", "sv-60 and nig-12 are not models of the same data"},
		{"betabinom-coin", "glmm-wards", "not models of the same data"},
		{"linreg-line", "rbm-pcd-20", "log Z of rbm-pcd-20 is no evidence of data"},
	} {
		err := SameData(info(c.a), info(c.b))
		if err == nil && c.says != "" || err != nil && (c.says == "" || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s and %s: %v", c.a, c.b, err)
		}
	}
}
