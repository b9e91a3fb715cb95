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

// offerRows adds tooltips to the rows.
func (v *ladderView) offerRows() {
	a := v.a
	all := paint.XYWH(0, v.top-8*a.Unit, a.W, v.bottom-v.top+16*a.Unit)
	if !a.Pointed(all) {
		return
	}
	for r := range v.rows {
		y := v.rowY(r)
		a.Pointer.Offer(math.Abs(a.Pointer.At.Y-y), max(v.pitch, 8*a.Unit), paint.Pt(a.Pointer.At.X, y), 0,
			paint.XYWH(52*a.Unit, y, a.W-76*a.Unit, 0), func() string { return v.describe(r) })
	}
}

// describe returns the tooltip of a row.
func (v *ladderView) describe(r int) string {
	a, k := v.a, v.rows[r]
	s := a.Say("Rung") + " " + format.Grouped(float64(k+1), 0) + " / " + format.Grouped(float64(v.rungs), 0)
	if b := v.betaAt(k); num.NotNaN(b) {
		s += ", \u03b2 = " + strconv.FormatFloat(b, 'g', 3, 64)
	}

	if v.w != nil {
		n := 0
		for i := range v.w.Slots {
			if g := v.w.Slots[i].Rung; g >= 0 && g < v.rungs && v.rowOf(g) == r {
				n++
			}
		}
		s += "\n" + a.Say("chains here now") + ": " + format.Grouped(float64(n), 0)
	}
	if v.newest == nil {
		return s
	}

	if v.occ.W > 0 {
		if c := v.rowMeans(v.newest.Occupancy)[r]; num.Finite(c) {
			s += "\n" + a.Say("occupancy") + " c / r = " + format.Ratio(c)
		}
	}
	value := func(x []float64) float64 {
		if len(x) > 0 {
			return x[k]
		}
		return math.NaN()
	}
	if z, se := value(v.newest.LogZ), value(v.newest.SE); num.Finite(z) {
		s += "\nlog Z = " + record.WithError(z, se)
		if e := value(v.newest.Exact); num.Finite(e) {
			s += "\n" + a.Say("exact") + " " + format.Value(e, se) + ", " + a.Say("error") + " " + format.Value(z-e, se)
		}
	}
	return s
}

// scrubberLine draws a line through all panels at the temperature of the scrubber.
func (v *ladderView) scrubberLine(l *paint.Layer, p *record.Run) {
	if !p.Scrubber.Active || v.replayed == v.w || len(v.beta) < 2 {
		return
	}
	k := min(max(sort.SearchFloat64s(v.beta, p.Scrubber.Beta), 1), len(v.beta)-1)
	f := (p.Scrubber.Beta - v.beta[k-1]) / (v.beta[k] - v.beta[k-1])
	if y := v.y.At(float64(k-1) + f); num.NotNaN(y) {
		u := v.a.Unit
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(52*u, y-u, v.a.W-76*u, 2*u)), Color: v.a.Theme.Ink})
	}
}
