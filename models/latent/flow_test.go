package latent

import (
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/models"
)

// Weighted means and variances of the particles of a flow agree with the Kalman filter, the flow contains the exact
// means, and each particle descends from the particle named in From.
func TestFlow(t *testing.T) {
	p := simulatedLGSSM(40)
	y := series{y: p.Y, data: p.Y, weigh: observationWeights, dynamics: func(x []float64) kernel.Autoregression {
		return kernel.Autoregression{Phi: p.Phi, SD: 1, First: 1 / math.Sqrt(1-p.Phi*p.Phi)}
	}}
	const n = 4000
	f := &frame.Flow{}
	filter := kernel.NewFilter(p.Y, n)
	filter.Watch = recordInto(f)
	s := rng.NewKey(1, "flow", 0).Stream(0, 0, 0)
	l := y.logLik(filter, &s, []float64{0, 0}) // q = r = 1
	if len(f.X) != 40*n || len(f.W) != 40*n || len(f.Parents) != 39*n {
		t.Fatalf("%d states, %d weights, %d lines", len(f.X), len(f.W), len(f.Parents))
	}
	s = rng.NewKey(1, "flow", 0).Stream(0, 0, 0)
	if y.logLik(kernel.NewFilter(p.Y, n), &s, []float64{0, 0}) != l {
		t.Error("a filter with Watch has another result")
	}
	var exact []float64
	p.filter([]float64{0, 0}, func(mean float64) { exact = append(exact, mean) })
	mean, v := 0.0, 1/(1-p.Phi*p.Phi)
	for at, y := range p.Y {
		k := v / (v + 1)
		mean, v = mean+k*(y-mean), v*(1-k)
		got, square, sum := 0.0, 0.0, 0.0
		for i, w := range f.W[at*n : (at+1)*n] {
			w, x := float64(w), float64(f.X[at*n+i])
			sum += w
			got += w * x
			square += w * x * x
		}
		if square -= got * got; math.Abs(sum-1) > 1e-4 || math.Abs(got-mean) > .15 || math.Abs(square/v-1) > .2 {
			t.Errorf("at %d weights sum to %g, mean %.3f and variance %.3f, want %.3f and %.3f", at, sum, got, square, mean, v)
		}
		if math.Abs(exact[at]-mean) > 1e-12 {
			t.Errorf("at %d the exact mean is %g, want %g", at, exact[at], mean)
		}
		if at < 39 {
			off := 0.0
			for i, j := range f.Parents[at*n : (at+1)*n] {
				d := float64(f.X[(at+1)*n+i]) - p.Phi*float64(f.X[at*n+int(j)])
				off += d * d / n
			}
			if math.Abs(off-1) > .1 {
				t.Errorf("from %d on steps have the variance %.3f, want 1", at, off)
			}
		}
		mean, v = p.Phi*mean, p.Phi*p.Phi*v+1
	}
}

// Frames of a series show a filter at the mean of its rows, at most as often as evaluationsPerFilter allows, and only
// the end of a long series.
func TestRowsShowTheirFlow(t *testing.T) {
	for _, c := range []struct {
		file    models.File
		v       spec.Values
		t, n    int
		exactly bool
	}{
		{simulatedLGSSM(40), spec.Values{}, 40, minFlowParticles, true},
		{simulatedLGSSM(40), spec.Values{"likelihood": "filter", "inner": "200"}, 40, maxFlowParticles, true},
		{simulatedSV(30), spec.Values{"inner": "25"}, 30, 25, false},
		{simulatedSV(30), spec.Values{"inner": "2"}, 30, minFlowParticles, false},
		{simulatedSV(maxFlowData + 5), spec.Values{"inner": "30"}, maxFlowData, maxFlowStates / maxFlowData, false},
	} {
		m, err := models.FromFile("own", c.file, c.v, nil)
		if err != nil {
			t.Fatal(err)
		}
		ladder, at := []float64{0, 1}, rng.At{Key: rng.NewKey(1, "rows", 0)}
		rows := m.New(4, ladder)
		rows.Draw(at)
		f := &frame.Frame{N: 3, LogW: []float32{-1, float32(math.Inf(-1)), -1}}
		rows.Read(3, f)
		back, err := frame.Decode(f.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		flow, own := back.Flow, back.Parameters
		if flow == nil || len(flow.Y) != c.t || flow.N != c.n || (len(flow.Exact) > 0) != c.exactly ||
			flow.Logs != (c.file.Kind() == &SVKind) {
			t.Fatalf("%s: %+v", c.file.Kind().Name, flow)
		}
		d := len(own.Names)
		for i := range d {
			if want := (own.X[i] + own.X[2*d+i]) / 2; math.Abs(float64(flow.Params[i]-want)) > 1e-5 {
				t.Errorf("%s: the filter is at %v of %v", c.file.Kind().Name, flow.Params, own.X)
			}
		}
		seen := 0
		for range 60 {
			rows.LogF(0, 1, make([]float64, 4))
			if rows.Read(3, f); f.Flow != nil {
				seen++
			}
		}
		if seen > 0 {
			t.Errorf("%s: %d more flows without evaluations", c.file.Kind().Name, seen)
		}
	}
}
