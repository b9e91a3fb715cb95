package papers

import (
	"math"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
)

// correlatedErrors returns n errors of two series: a common part, shared times a centred square of a normal number,
// which has a long tail, plus independent normal noise with standard deviations 1 and noise.
func correlatedErrors(s *rng.Stream, n int, shared, noise float64) (a, b []float64) {
	for range n {
		x := s.Norm()
		x = shared * (x*x - 1)
		a, b = append(a, x+s.Norm()), append(b, x+noise*s.Norm())
	}
	return a, b
}

// The standard errors of the log of an SD, of an RMSE, and of the ratio of two series of one run agree with simulation.
func TestStandardErrorsOfErrorsMatchSimulation(t *testing.T) {
	const n, repeats = 200, 400
	s := rng.NewKey(1, "errors", 0).Stream(0, 0, 0)
	var sd, rms, ratio, wantSD, wantRMS, wantRatio, independent stats.Welford
	for range repeats {
		a, b := correlatedErrors(&s, n, 2, 1.5)
		rows := make([]Row, 2)
		for k, x := range [][]float64{a, b} {
			mean, v := stats.MeanVar(x)
			rows[k] = Row{Point: Point{At: 1}, N: n, Mean: mean, SD: math.Sqrt(v), Known: -1, Estimates: x}
			rows[k].Skewness, rows[k].Kurtosis = Shape(x)
		}
		setPaired(rows)
		size, variance := BySD(&rows[0])
		sd.Add(math.Log(size))
		wantSD.Add(variance)
		size, variance = ByRMS(&rows[0])
		rms.Add(math.Log(size))
		wantRMS.Add(variance)
		r, se := CompareAtEqualCost(rows[:1], rows[1:], ByRMS)
		ratio.Add(r)
		wantRatio.Add(se * se)
		_, other := ByRMS(&rows[1])
		independent.Add(variance + other)
	}
	for _, c := range []struct {
		name string
		got  stats.Welford
		want stats.Welford
	}{{"sd", sd, wantSD}, {"RMS", rms, wantRMS}, {"ratio of one run", ratio, wantRatio}} {
		if q := math.Sqrt(c.want.Mean / c.got.Var()); math.Abs(math.Log(q)) > .2 {
			t.Errorf("%s: errors are %.2f times what they should be", c.name, q)
		}
	}
	// In this simulation, standard errors that assume normal estimates or independent series would be clearly wrong.
	if normal := 1 / float64(2*(n-1)); sd.Var() < 1.6*normal || independent.Mean < 1.6*ratio.Var() {
		t.Errorf("sd: %g, of normal estimates %g; ratio: %g, of lines apart %g", sd.Var(), normal, ratio.Var(), independent.Mean)
	}
}

// The summary states the numbers of findings of the paper and of this lab by answer.
func TestSummarizeCountsFindings(t *testing.T) {
	findings := func(ours bool, a ...Answer) (out []Finding) {
		for _, x := range a {
			out = append(out, Finding{Answer: x, Ours: ours})
		}
		return
	}
	for want, x := range map[string][]Finding{
		"Nothing to compare yet.": nil,
		"Of 1 finding of the paper this run agrees with 0, contradicts 1, and is too small to see 0.": findings(false, Contradicts),
		"Of 4 findings of the paper this run agrees with 2, contradicts 1, and is too small to see 1. Of 2 findings of " +
			"this lab or on other models this run agrees with 1, contradicts 0, and is too small to see 1.": append(
			findings(true, Agrees, Unseen), findings(false, Agrees, Unseen, Contradicts, Agrees)...),
	} {
		if got := summarize(x, "the paper"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// For an undecided finding, Theory states the predicted effect and how many times as many runs would decide the claim.
// Undecided reports a predicted effect of at least three standard errors.
func TestTheoryStatesNeededRuns(t *testing.T) {
	for _, c := range []struct {
		measured, se, predicted, limit float64
		want                           string
		undecided                      bool
	}{
		{-.03, .1, 0, 0, "", false},
		{-.3, .1, -.3, 0, "", false},
		{-.03, .1, -.05, 0, "Theory predicts -0.05 here (nats), 0.5 standard errors: needs 36 times as many runs.", false},
		{-.1, .1, -.4, 0, "Theory predicts -0.4 here (nats), 4.0 standard errors, and yet nothing is decided: needs 4 " +
			"times as many runs.", true},
		{0, .1, .4, 0, "Theory predicts +0.4 here (nats), 4.0 standard errors, and yet nothing is decided: needs more " +
			"than a million times as many runs.", true},
		{math.NaN(), math.NaN(), -.4, 0, "", false},
		{-.03, .1, 0, .16, "The limit is 1.6 standard errors wide: needs 4 times as many runs.", false},
		{-.11, .1, 0, .4, "The limit is 4.0 standard errors wide, and yet nothing is decided: needs 4 times as many " +
			"runs.", true},
	} {
		f := Finding{Predicted: c.predicted}.Within(c.measured+c.limit, c.limit, c.se, "nats")
		if got := f.Theory(); got != c.want || f.Undecided() != c.undecided {
			t.Errorf("%+v: %q, undecided %v", c, got, f.Undecided())
		}
	}
	lagging := Finding{Predicted: -.4, Lags: true}.Below(-.1, .1, "nats")
	if got := lagging.Theory(); lagging.Undecided() || got != "Theory predicts -0.4 here (nats), 4.0 standard errors, of "+
		"perfect moves; real moves lag behind." {
		t.Errorf("where moves lag: %q", got)
	}
}

// The range of a ratio has enough digits to show on which side of 1 each end is.
func TestFormatVarianceRatioShowsSideOfOne(t *testing.T) {
	for want, c := range map[string][2]float64{"1.1 (0.91 to 1.3)": {1.1, .095}, "1.106 (1.001 to 1.222)": {1.106, .0498},
		"2.7 (1 to 7.3)": {2.7, .495}} {
		if got := FormatVarianceRatio(math.Log(c[0])/2, c[1]/2); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
