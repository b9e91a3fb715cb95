package num

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// published are the functions of testdata/special.txt with their largest errors in ulp, relative to the larger of the
// value and floor; with log, multiplied by the distance of the value from 1 in powers of e^10. less reports whether the
// function is computed as one minus another, so that 1 is the scale.
var published = map[string]struct {
	f           func(x []float64) float64
	most, floor float64
	log         bool
	less        func(x []float64) bool
}{
	"Sin":        {f: one(Sin), most: 1},
	"Cos":        {f: one(Cos), most: 1},
	"Tan":        {f: one(Tan), most: 1},
	"Asin":       {f: one(Asin), most: 2},
	"Acos":       {f: one(Acos), most: 2},
	"Atan":       {f: one(Atan), most: 1},
	"Atan2":      {f: two(Atan2), most: 1},
	"Sinh":       {f: one(Sinh), most: 1},
	"Cosh":       {f: one(Cosh), most: 1},
	"Tanh":       {f: one(Tanh), most: 2},
	"Cbrt":       {f: one(Cbrt), most: 1},
	"Digamma":    {f: one(Digamma), most: 10, floor: 1},
	"Trigamma":   {f: one(Trigamma), most: 10},
	"Tetragamma": {f: one(Tetragamma), most: 10},
	"Log1m":      {f: one(Log1m), most: 1},
	"Log1mExp":   {f: one(Log1mExp), most: 1},
	"LogSubExp":  {f: two(LogSubExp), most: 8},
	"GammaP":     {f: two(GammaP), most: 50, log: true},
	"GammaQ":     {f: two(GammaQ), most: 50, log: true, less: func(x []float64) bool { return x[1] < x[0]+1 }},
	"GammaP/a":   {f: two(func(a, x float64) float64 { da, _ := GammaPSlopes(a, x); return da }), most: 5e4, log: true},
	"BetaInc": {f: func(x []float64) float64 { return BetaInc(x[0], x[1], x[2]) }, most: 100, log: true,
		less: func(x []float64) bool { return x[2] >= (x[0]+1)/(x[0]+x[1]+2) }},
	"BetaInc/a":      {f: betaSlope(0), most: 5e4, log: true},
	"BetaInc/b":      {f: betaSlope(1), most: 5e4, log: true},
	"LogBessel":      {f: func(x []float64) float64 { return LogBessel(int(x[0]), x[1]) }, most: 100, floor: 1},
	"LogBesselSlope": {f: func(x []float64) float64 { return LogBesselSlope(int(x[0]), x[1]) }, most: 500},
}

func one(f func(float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

func two(f func(x, y float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0], x[1]) }
}

func betaSlope(i int) func([]float64) float64 {
	return func(x []float64) float64 {
		da, db, _ := BetaIncSlopes(x[0], x[1], x[2])
		return [2]float64{da, db}[i]
	}
}

// TestPublishedValues compares with mpmath.
func TestPublishedValues(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/special.txt")
	if err != nil {
		t.Fatal(err)
	}
	worst, where := map[string]float64{}, map[string]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		var x []float64
		for _, w := range words[1:] {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, v)
		}
		c := published[words[0]]
		want := x[len(x)-1]
		got := c.f(x[:len(x)-1])
		scale := max(math.Abs(want), c.floor)
		if c.less != nil && c.less(x) {
			scale = 1
		}
		if c.log {
			scale *= 1 + math.Abs(math.Log(math.Abs(want)))/10
		}
		if e := math.Abs(got-want) / (math.Nextafter(scale, math.Inf(1)) - scale); !(e <= worst[words[0]]) {
			worst[words[0]], where[words[0]] = e, line
		}
	}
	for name, c := range published {
		t.Logf("%s: worst %.3g at %s", name, worst[name], where[name])
		if !(worst[name] <= c.most) {
			t.Errorf("%s: error %g exceeds %g at %s", name, worst[name], c.most, where[name])
		}
	}
}
