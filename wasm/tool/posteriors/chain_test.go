package main

import (
	"math"
	"testing"
	"time"

	"logzlab/core/num"
)

// skewed is a density with log Z = 3 in four coordinates: normal ones, the logarithm of an exponential variable, and a
// coordinate whose distribution depends on the first.
type skewed struct{ unconstrainedProgram }

func (skewed) slope(x, out []float64) float64 {
	f := 3 - 1.5*num.Log2Pi
	out[0], out[1] = -x[0]/9, -x[1]
	f -= x[0]*x[0]/18 + math.Log(3) + x[1]*x[1]/2
	d := x[2] - 2*x[0]
	out[2], out[0] = -d, out[0]+2*d
	f -= d * d / 2
	out[3] = 1 - math.Exp(x[3])
	return f + x[3] - math.Exp(x[3])
}

func (s skewed) LogF(u []float64) float64 { return s.slope(u, make([]float64, 4)) }

// The second method finds log Z of a skewed density; with a wrong acceptance, weight or metric of the chains it would
// not.
func TestSecondMethod(t *testing.T) {
	r, s := newRow("skewed", ""), skewed{unconstrainedProgram{dim: 4}}
	began := time.Now()
	r.bridge(s, s.slope, func() float64 { return time.Since(began).Seconds() / 60 })
	if !r.hasSecond() || !(r.SecondSE < .02) || math.Abs(r.SecondLogZ-3) > 4*r.SecondSE {
		t.Errorf("log Z is %v ± %v, %s %s; want 3", r.SecondLogZ, r.SecondSE, r.SecondVerdict, r.SecondReason)
	}
	late := newRow("skewed", "")
	late.bridge(s, s.slope, func() float64 { return 1 })
	if late.SecondReason == "" || late.hasSecond() {
		t.Errorf("without time the result is %+v", late)
	}
}
