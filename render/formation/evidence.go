package formation

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// evidence draws log Z_n over the stages n, the exact curve if it is known, and the value at the stage that is shown.
func (v *stageView) evidence(s *strip, l *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	rec := v.Island.Growth.Record
	exact := v.Island.Growth.Exact
	if !v.exactKnown() { // one or two exact values are not a curve
		exact = nil
	}
	ax := v.evidenceAxis(s, exact)
	if v.p.HasTruth {
		y := ax.At(v.p.Truth)
		v.scaleLabel(l, y, format.Value(v.p.Truth, 0.02), true)
		l.Label(a.Say("exact"), v.X.P1+7*u, y-8*u, paint.Tick, t.Ink2, paint.Left) // the column shows another number
	}
	at, fine := format.Ticks(ax.D0, ax.D1, int(max(2, min(5, (s.y1-s.y0)/(20*u)))))
	for _, x := range at {
		l.HLine(a, v.X.P0, v.X.P1, ax.At(x), t.Line)
		v.scaleLabel(l, ax.At(x), format.Tick(x, fine), false)
	}
	for _, pts := range v.polylines(ax, len(exact), func(i int) (int, float64) { return i + 1, exact[i] }) {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.25 * u * t.Stroke, Color: t.Ink})
	}
	if v.p.HasTruth && !num.Finite(v.Island.Growth.ExactAt(v.Island.Growth.Stages)) { // the exact value at the last stage
		y := ax.At(v.p.Truth)
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: v.X.P1 - 14*u, Y: y}, {X: v.X.P1, Y: y}},
			Width: 1.5 * u * t.Stroke, Color: t.Ink})
	}

	// Each island, if there are several, and their mean.
	pooled := v.pooled()
	if ink := paint.Mix(t.Ground, t.Ink3, 0.5); len(v.allIslands) > 1 {
		for _, is := range v.allIslands {
			own := is.Growth.Record
			for _, pts := range v.polylines(ax, len(own), func(i int) (int, float64) { return own[i].N + 1, own[i].LogZ }) {
				l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 0.75 * u * t.Stroke, Color: ink})
			}
		}
	}
	mean := func(i int) (int, float64) { return rec[i].N + 1, pooled[rec[i].N].mean }
	for _, pts := range v.polylines(ax, len(rec), mean) {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 2.25 * u * t.Stroke,
			Color: t.Method(v.p.MethodIndex(v.w.Method)), Halo: true})
	}
	v.evidenceMark(s, l, ax)
}

// pooledLogZ is log Z_n at a stage: the mean over the islands that have reached it, its standard error, and their
// number.
type pooledLogZ struct{ mean, se, n float64 }

// pooled returns log Z_n at each stage that the shown island has completed.
func (v *stageView) pooled() []pooledLogZ {
	base, lastStage := v.Island.Growth.Record, 0
	for i := range base {
		lastStage = max(lastStage, base[i].N)
	}
	out := make([]pooledLogZ, lastStage+1)
	for _, is := range v.allIslands {
		at := 0 // index into base; both records are sorted
		for i := range is.Growth.Record {
			r := &is.Growth.Record[i]
			for at < len(base) && base[at].N < r.N {
				at++
			}
			if at == len(base) || base[at].N != r.N || !(math.Abs(r.LogZ-base[at].LogZ) <= record.MaxLogZ) {
				continue
			}
			c, d := &out[r.N], r.LogZ-base[at].LogZ
			c.mean, c.se, c.n = c.mean+d, c.se+d*d, c.n+1
		}
	}
	for i := range base {
		c := &out[base[i].N]
		d := c.mean / max(c.n, 1)
		c.se = math.Sqrt(max(c.se/max(c.n, 1)-d*d, 0) / (c.n - 1)) // NaN for one island
		c.mean = base[i].LogZ + d
	}
	return out
}

// exactKnown reports whether the exact value is known at half of the stages or more.
func (v *stageView) exactKnown() bool {
	n, exactValues := 0, v.Island.Growth.Exact
	for _, z := range exactValues {
		if math.Abs(z) <= record.MaxLogZ {
			n++
		}
	}
	return n > 0 && 2*n >= len(exactValues)
}

// level returns log Z_n at the stage that is shown, pooled over the islands that have reached it. At the last stage it
// is the result of the method.
func (v *stageView) level() record.Level {
	l := record.Level{Z: math.NaN(), Se: math.NaN(), Exact: v.Island.Growth.ExactAt(v.Moment.Stage),
		Color: v.a.Theme.Method(v.p.MethodIndex(v.w.Method)), Where: "n = " + format.Grouped(float64(v.Moment.Stage), 0)}
	r := v.stageRecord(v.Moment.Stage)
	if r == nil {
		return l
	}
	here := v.pooled()[r.N]
	if l.Z, l.Se = here.mean, here.se; here.n == 1 && v.islands() > 1 {
		l.Label = v.a.Say("group") + " 1"
	}
	for _, c := range v.p.Curves { // the result of the method
		if k := len(c.Points); v.Moment.Stage == v.Island.Growth.Stages && c.Method == v.w.Method && k > 0 && c.Points[k-1].Final {
			l.Z, l.Se, l.Label = c.Points[k-1].LogZ, c.Points[k-1].SE, ""
		}
	}
	if v.p.HasTruth && v.Moment.Stage == v.Island.Growth.Stages {
		l.Exact = v.p.Truth
	}

	ax := v.evidenceAxis(&strip{}, v.Island.Growth.Exact)
	if l.SetSpan(ax.D0, ax.D1); v.p.State == runstate.Running {
		l.WaveTime = v.p.Now
	}
	return l
}

// evidenceAxis returns the axis of log Z_n, which includes all known values.
func (v *stageView) evidenceAxis(s *strip, exact []float64) paint.Axis {
	rec := v.Island.Growth.Record
	lo, hi := math.Inf(1), math.Inf(-1)
	put := func(x float64) {
		if math.Abs(x) <= record.MaxLogZ {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	for i := range rec {
		put(rec[i].LogZ)
	}
	for _, z := range exact {
		put(z)
	}
	if v.p.HasTruth {
		put(v.p.Truth)
	}
	if lo > hi {
		lo, hi = 0, 1
	}

	// The axis includes 0 if it is near. If the final value is unknown, its ends are tick values, so that it changes
	// rarely while the curve grows.
	if lo > 0 && lo < 0.3*hi {
		lo = 0
	}
	if hi < 0 && hi > 0.3*lo {
		hi = 0
	}
	if hi-lo < 1e-9*max(math.Abs(hi), 1) {
		lo, hi = lo-1, hi+1
	}
	if step := format.Step(hi-lo, 5); !v.p.HasTruth {
		lo, hi = math.Floor(lo/step+1e-9)*step, math.Ceil(hi/step-1e-9)*step
	}
	return paint.NewAxis(lo, hi, s.y1, s.y0+5*v.a.Unit)
}

// evidenceMark marks the stage that is shown, and writes its log Z next to it unless the column shows it.
func (v *stageView) evidenceMark(s *strip, l *paint.Layer, ax paint.Axis) {
	a, u, t, rec := v.a, v.a.Unit, v.a.Theme, v.Island.Growth.Record
	here := v.level()
	if !(math.Abs(here.Z) <= record.MaxLogZ) {
		return
	}
	spot := paint.Pt(v.X.At(float64(v.Moment.Stage)), ax.At(here.Z))
	l.MethodMark(a, v.p.MethodIndex(v.w.Method), spot.X, spot.Y, 4.5*u, false)
	if v.hasColumn {
		return
	}

	// The estimate, and the exact value if it fits.
	value, known := format.Grouped(here.Z, 1), ""
	if here.Label != "" {
		value = here.Label + ": " + value
	}
	if num.Finite(here.Exact) && !a.Compact() {
		known = a.Say("exact") + " " + format.Grouped(here.Exact, 2)
	}
	wd := a.Fonts.Width(value, paint.Figure)
	all := wd
	if known != "" {
		all += 8*u + a.Fonts.Width(known, paint.Plain)
	}

	// Next to the point, on the concave side of the curve; at the right end, to its left.
	x, y := spot.X+10*u, spot.Y+20*u
	if len(rec) > 1 && rec[0].LogZ > here.Z {
		y = spot.Y - 9*u
	}
	if x+all > v.X.P1-4*u {
		x = spot.X - 12*u - all
	}
	y = min(max(y, s.y0+11*u), s.y1-3*u)
	l.Label(value, x, y, paint.Figure, t.Ink, paint.Left)
	if known != "" {
		l.Label(known, x+wd+8*u, y, paint.Plain, t.Ink2, paint.Left)
	}
}

// stageRecord returns the record entry that ends at a stage, or the nearest one; nil if there is none.
func (v *stageView) stageRecord(stage int) *frame.StageRecord {
	for i := range v.Island.Growth.Record {
		if r := &v.Island.Growth.Record[i]; r.N+1 == stage || r.N+1 > stage && i == 0 {
			return r
		}
	}
	if n := len(v.Island.Growth.Record); n > 0 && v.Island.Growth.Record[n-1].N+1 < stage {
		return &v.Island.Growth.Record[n-1]
	}
	return nil
}

// polylines returns a curve of n values over the stages, interrupted at unknown values. f returns a stage and its
// value.
func (v *stageView) polylines(ax paint.Axis, n int, f func(i int) (int, float64)) (out [][]paint.Point) {
	var pts []paint.Point
	flush := func() {
		if len(pts) > 1 {
			out = append(out, pts)
		}
		pts = nil
	}
	for i := range n {
		stage, val := f(i)
		if !(math.Abs(val) <= record.MaxLogZ) {
			flush()
			continue
		}
		x := v.X.At(float64(stage))
		if k := len(pts); k > 0 && x-pts[k-1].X < 0.75 && i+1 < n {
			continue
		}
		pts = append(pts, paint.Pt(x, ax.At(val)))
	}
	flush()
	return out
}

// offerStages adds tooltips to the stages of all strips.
func (v *stageView) offerStages() {
	a := v.a
	first, last := &v.strips[0], &v.strips[len(v.strips)-1]
	b := paint.XYWH(v.X.P0, first.y0, v.X.P1-v.X.P0, last.y1-first.y0)
	rec := v.Island.Growth.Record
	if !a.Pointed(b) || len(rec) == 0 {
		return
	}

	n := v.X.D0 + (a.Pointer.At.X-v.X.P0)/(v.X.P1-v.X.P0)*(v.X.D1-v.X.D0)
	if a.Dragging { // the handle moves from moment to moment
		n = float64(v.Moment.Stage)
	}
	best := &rec[0]
	for i := range rec {
		if math.Abs(float64(rec[i].N+1)-n) < math.Abs(float64(best.N+1)-n) {
			best = &rec[i]
		}
	}

	x, here := v.X.At(float64(best.N+1)), v.pooled()[best.N]
	a.Pointer.Offer(0, 1, paint.Pt(x, a.Pointer.At.Y), 0, paint.XYWH(x, b.Y, 0, b.H), func() string {
		text := "n = " + format.Grouped(float64(best.N+1), 0) + " " + v.unit() + "\n"
		text += "log Z = " + record.WithError(here.mean, here.se)
		if here.n == 1 && v.islands() > 1 {
			text += ", " + a.Say("group") + " 1"
		}
		if z := v.Island.Growth.ExactAt(best.N + 1); num.Finite(z) {
			text += "\n" + a.Say("exact") + " " + format.Value(z, 0.02)
		}
		return text
	})
}
