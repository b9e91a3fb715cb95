package papers

import (
	"math"
	"testing"

	"logzlab/core/rng"
	"logzlab/core/stats"
)

// Where a paper says that a method saves variance, a saving below a quarter differs once it is sure, and a sure one,
// however small, agrees.
func TestSaving(t *testing.T) {
	for _, c := range []struct {
		n    int
		sd   float64 // of b, that of a being 1
		want Answer
	}{{50, 1, Open}, {2000, 1, Differs}, {50, 1.1, Open}, {20000, 1.04, Agrees}, {50, 1.6, Agrees}, {50, .7, Differs}} {
		f, ok := variances(append(line("", "a", c.n, 1, 1, 4), line("", "b", c.n, c.sd, 1, 4)...), "", "a", "b", "")
		if !ok || f.Answer != c.want {
			t.Errorf("%+v: %v", c, f)
		}
	}
}

// sample makes n errors of two lines: what they share, and noise of their own. Squares of normal draws have long tails.
func sample(s *rng.Stream, n int, shared, own float64) (a, b []float64) {
	for range n {
		x := s.Norm()
		x = shared * (x*x - 1)
		a, b = append(a, x+s.Norm()), append(b, x+own*s.Norm())
	}
	return a, b
}

// The error of an sd and of an RMS, and that of the ratio of two lines of one run, are those of many samples.
func TestErrorsOfErrors(t *testing.T) {
	const n, repeats = 200, 400
	s := rng.NewKey(1, "errors", 0).Stream(0, 0, 0)
	var sd, rms, ratio, wantSD, wantRMS, wantRatio, apart stats.Welford
	for range repeats {
		a, b := sample(&s, n, 2, 1.5)
		rows := make([]Row, 2)
		for k, x := range [][]float64{a, b} {
			mean, v := stats.MeanVar(x)
			rows[k] = Row{Point: Point{At: 1}, N: n, Mean: mean, SD: math.Sqrt(v), Known: -1, logZ: x}
			rows[k].Skewness, rows[k].Kurtosis = shape(x)
		}
		pair(rows)
		size, variance := bySD(&rows[0])
		sd.Add(math.Log(size))
		wantSD.Add(variance)
		size, variance = byRMS(&rows[0])
		rms.Add(math.Log(size))
		wantRMS.Add(variance)
		r, se := matched(rows[:1], rows[1:], byRMS)
		ratio.Add(r)
		wantRatio.Add(se * se)
		_, other := byRMS(&rows[1])
		apart.Add(variance + other)
	}
	for _, c := range []struct {
		what string
		got  stats.Welford
		want stats.Welford
	}{{"sd", sd, wantSD}, {"RMS", rms, wantRMS}, {"ratio of one run", ratio, wantRatio}} {
		if q := math.Sqrt(c.want.Mean / c.got.Var()); math.Abs(math.Log(q)) > .2 {
			t.Errorf("%s: errors are %.2f times what they should be", c.what, q)
		}
	}
	// The test would notice errors of normal estimates, or of lines that share nothing.
	if normal := 1 / float64(2*(n-1)); sd.Var() < 1.6*normal || apart.Mean < 1.6*ratio.Var() {
		t.Errorf("sd: %g, of normal estimates %g; ratio: %g, of lines apart %g", sd.Var(), normal, ratio.Var(), apart.Mean)
	}
}
