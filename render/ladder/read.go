package ladder

import (
	"math"
	"sort"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// offerRows lets the pointer read a row.
func (v *ladderView) offerRows() {
	a := v.a
	all := paint.XYWH(0, v.top-8*a.Unit, a.W, v.bottom-v.top+16*a.Unit)
	if !a.Pointed(all) {
		return
	}
	for r := range v.rows {
		y := v.rowY(r)
		a.Pointer.Offer(math.Abs(a.Pointer.At.Y-y), max(v.pitch, 8*a.Unit), paint.Pt(a.Pointer.At.X, y), 0,
			paint.XYWH(52*a.Unit, y, a.W-76*a.Unit, 0), func() string { return v.read(r) })
	}
}

// read says all that is known of a row.
func (v *ladderView) read(r int) string {
	a, k := v.a, v.rows[r]
	s := a.Say("Rung") + " " + format.Grouped(float64(k+1), 0) + " / " + format.Grouped(float64(v.k), 0)
	if b := v.betaAt(k); num.Known(b) {
		s += ", \u03b2 = " + strconv.FormatFloat(b, 'g', 3, 64)
	}

	if v.w != nil {
		n := 0
		for i := range v.w.Slots {
			if g := v.w.Slots[i].Rung; g >= 0 && g < v.k && v.row(g) == r {
				n++
			}
		}
		s += "\n" + a.Say("chains here now") + ": " + format.Grouped(float64(n), 0)
	}
	if v.now == nil {
		return s
	}

	// What is known of the ladder at this rung.
	if v.occ.W > 0 {
		if c := v.binned(v.now.Occupancy)[r]; num.Finite(c) {
			s += "\n" + a.Say("occupancy") + " c / r = " + format.Ratio(c)
		}
	}
	value := func(x []float64) float64 {
		if len(x) > 0 {
			return x[k]
		}
		return math.NaN()
	}
	if z, se := value(v.now.LogZ), value(v.now.SE); num.Finite(z) {
		s += "\nlog Z = " + record.WithError(z, se)
		if e := value(v.now.Exact); num.Finite(e) {
			s += "\n" + a.Say("exact") + " " + format.Value(e, se) + ", " + a.Say("error") + " " + format.Value(z-e, se)
		}
	}
	return s
}

// heldAt draws a line through all panels where the hand holds the run.
func (v *ladderView) heldAt(l *paint.Layer, p *record.Run) {
	if !p.Scrubber.Active || v.replayed == v.w || len(v.beta) < 2 {
		return
	}
	k := min(max(sort.SearchFloat64s(v.beta, p.Scrubber.Beta), 1), len(v.beta)-1)
	f := (p.Scrubber.Beta - v.beta[k-1]) / (v.beta[k] - v.beta[k-1])
	if y := v.y.At(float64(k-1) + f); num.Known(y) {
		u := v.a.Unit
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(52*u, y-u, v.a.W-76*u, 2*u)), Color: v.a.Theme.Ink})
	}
}
