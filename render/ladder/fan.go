package ladder

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// Chains of annealing carry weights and are drawn as a fan: at each inverse temperature, the log weight of each chain
// minus the log of the mean weight. The width of the fan is the error of annealing; the few chains at its right
// determine the estimate.

// fanKnot contains the log weights of all chains near an inverse temperature.
type fanKnot struct {
	rung float64   // on the ladder; fractional between two rungs
	off  []float64 // log weight of each slot minus the log of the mean weight; NaN if it has not been there
}

// knots returns the log weights at the temperatures of the snapshots.
func (v *ladderView) knots() (out []fanKnot) {
	slots := v.w.Slots[:min(len(v.w.Slots), record.MaxChains)]
	for k, beta := range v.w.Moments {
		o := fanKnot{rung: v.rungAt(beta), off: make([]float64, len(slots))}
		var known []float64
		for i := range slots {
			o.off[i] = math.NaN()
			if k < len(slots[i].Snapshots) && slots[i].Snapshots[k].Valid && num.Finite(slots[i].Snapshots[k].LogW) {
				o.off[i] = slots[i].Snapshots[k].LogW
				known = append(known, o.off[i])
			}
		}
		if len(known) == 0 || !num.NotNaN(o.rung) {
			continue
		}
		mean := num.LogMeanExp(known)
		for i := range o.off {
			o.off[i] -= mean
		}
		out = append(out, o)
	}
	return out
}

// rungAt returns the position of an inverse temperature on the ladder, in rungs; NaN if the ladder is unknown.
func (v *ladderView) rungAt(beta float64) float64 {
	for k := 1; k < len(v.beta); k++ {
		if lo, hi := v.beta[k-1], v.beta[k]; beta <= hi || k == len(v.beta)-1 {
			if !(hi > lo) {
				return float64(k)
			}
			return float64(k-1) + min(max((beta-lo)/(hi-lo), 0), 1)
		}
	}
	return math.NaN()
}

// fanLines is the maximum number of chains in a fan.
const fanLines = 200

// fan draws the log weights of the chains, those above the mean in the colour of the method, and the line of the mean.
func (v *ladderView) fan(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	left, right := v.chains.X, math.Round(v.chains.X+v.chains.W-v.positionsWidth)
	knots := v.knots()

	// The range includes all chains, but at most 40 nats.
	far := 1.0
	for _, k := range knots {
		for _, d := range k.off {
			if num.Finite(d) {
				far = max(far, math.Abs(d))
			}
		}
	}
	far = min(far, 40)
	x := paint.NewAxis(-far, far, left+6*u, right-6*u)

	light, heavy := paint.Layer{}, paint.Layer{}
	for i := range min(len(v.w.Slots), fanLines) {
		var pts []paint.Point
		last := math.NaN()
		for _, k := range knots {
			if num.Finite(k.off[i]) {
				last = k.off[i]
				pts = append(pts, paint.Pt(x.At(min(max(last, -far), far)), v.y.At(k.rung)))
			}
		}
		line := paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.25 * u * t.Stroke, Color: paint.Fade(t.Ink3, 3*t.CrowdAlpha)}
		switch {
		case len(pts) < 2:
		case last > 0:
			line.Color = paint.Fade(t.Method(v.method), 0.7)
			heavy.Add(line)
		default:
			light.Add(line)
		}
	}
	l.Add(light.Marks...)
	l.Add(heavy.Marks...)
	l.VLine(a, x.At(0), v.top-4*u, v.bottom+4*u, t.Ink)
	v.fanAxis(l, x, t.Ink3)
}

// fanAxis draws the axis of log weights below the fan.
func (v *ladderView) fanAxis(l *paint.Layer, x paint.Axis, ink color.RGBA) {
	a, u := v.a, v.a.Unit
	at, step := format.Ticks(x.D0, x.D1, max(3, int((x.P1-x.P0)/(48*u))))
	for _, d := range at {
		l.Label(format.Signed(d, format.StepDecimals(step)), x.At(d), v.bottom+18*u, paint.Tick, ink, paint.Centre)
	}
	l.Label(a.Say("log weight"), (x.P0+x.P1)/2, v.bottom+34*u, paint.Tick, ink, paint.Centre)
	l.Label(a.Say("now"), v.chains.X+v.chains.W-v.positionsWidth/2, v.bottom+18*u, paint.Tick, ink, paint.Centre)
}
