package formation

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// evidence draws log Z_n growing with n, the exact curve where it is known, and
// the value at the stage on show.
func (v *forming) evidence(s *strip, l *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	rec := v.Is.Growth.Record
	exact := v.Is.Growth.Exact
	if !v.exact() { // at a stage or two, perhaps: that makes no curve
		exact = nil
	}
	ax := v.evidenceAxis(s, exact)
	if v.p.HasTruth {
		v.scale(l, ax.At(v.p.Truth), format.Value(v.p.Truth, 0.02), true)
	}
	at, fine := format.Ticks(ax.D0, ax.D1, int(max(2, min(5, (s.y1-s.y0)/(20*u)))))
	for _, x := range at {
		l.HLine(a, v.X.P0, v.X.P1, ax.At(x), t.Line)
		v.scale(l, ax.At(x), format.Tick(x, fine), false)
	}
	for _, pts := range v.polyline(ax, len(exact), func(i int) (int, float64) { return i + 1, exact[i] }) {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.25 * u * t.Stroke, Color: t.Ink})
	}
	if v.p.HasTruth && !num.Finite(v.Is.Growth.ExactAt(v.Is.Growth.Stages)) { // where it will end
		y := ax.At(v.p.Truth)
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: v.X.P1 - 14*u, Y: y}, {X: v.X.P1, Y: y}},
			Width: 1.5 * u * t.Stroke, Color: t.Ink})
	}
	for _, pts := range v.polyline(ax, len(rec), func(i int) (int, float64) { return rec[i].N + 1, rec[i].LogZ }) {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 2.25 * u * t.Stroke, Color: t.Method(v.p.Order(v.w.Method)),
			Halo: true})
	}
	v.evidenceHere(s, l, ax)
}

// level is how high log Z_n stands at the stage on show: the mean over islands, and its error from their spread.
func (v *forming) level() record.Level {
	l := record.Level{Z: math.NaN(), Se: math.NaN(), Exact: v.Is.Growth.ExactAt(v.M.Stage),
		Ink: v.a.Theme.Method(v.p.Order(v.w.Method)), At: "n = " + format.Grouped(float64(v.M.Stage), 0)}
	r := v.record(v.M.Stage)
	if r == nil {
		return l
	}

	// The mean of the islands that have come to the stage, and its error.
	n, sum, squares := 0.0, 0.0, 0.0
	for _, is := range v.among {
		for _, o := range is.Growth.Record {
			if o.N == r.N && math.Abs(o.LogZ) <= record.Largest {
				d := o.LogZ - r.LogZ
				n, sum, squares = n+1, sum+d, squares+d*d
			}
		}
	}
	if l.Z = r.LogZ; n > 1 {
		l.Z += sum / n
		l.Se = math.Sqrt(max(squares/n-sum*sum/(n*n), 0) / (n - 1))
	}

	// At the last stage the result of the method.
	for _, c := range v.p.Curves { // the result itself
		if k := len(c.Points); v.M.Stage == v.Is.Growth.Stages && c.Method == v.w.Method && k > 0 && c.Points[k-1].Final {
			l.Z, l.Se = c.Points[k-1].LogZ, c.Points[k-1].SE
		}
	}
	if v.p.HasTruth && v.M.Stage == v.Is.Growth.Stages {
		l.Exact = v.p.Truth
	}

	ax := v.evidenceAxis(&strip{}, v.Is.Growth.Exact)
	if l.Span(ax.D0, ax.D1); v.p.State == "running" {
		l.Wave = v.p.Now
	}
	return l
}

// evidenceAxis has room for what is known of log Z at any stage.
func (v *forming) evidenceAxis(s *strip, exact []float64) paint.Axis {
	rec := v.Is.Growth.Record
	lo, hi := math.Inf(1), math.Inf(-1)
	put := func(x float64) {
		if math.Abs(x) <= record.Largest {
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

	// Zero if it is near; where the end is not known, whole steps, so that the axis
	// stands still while the curve grows.
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

// evidenceHere marks the stage on show and writes its log Z beside it.
func (v *forming) evidenceHere(s *strip, l *paint.Layer, ax paint.Axis) {
	a, u, t, rec := v.a, v.a.Unit, v.a.Theme, v.Is.Growth.Record
	r := v.record(v.M.Stage)
	if r == nil || !(math.Abs(r.LogZ) <= record.Largest) {
		return
	}
	spot := paint.Pt(v.X.At(float64(v.M.Stage)), ax.At(r.LogZ))
	l.MethodMark(a, v.p.Order(v.w.Method), spot.X, spot.Y, 4.5*u, false)

	// What is written: the value, and the exact one where there is room.
	value, known := format.Grouped(r.LogZ, 1), ""
	if v.islands() > 1 { // its particles are those on show
		value = a.Say("island") + " 1: " + value
	}
	if z := v.Is.Growth.ExactAt(r.N + 1); num.Finite(z) && !a.Compact() {
		known = a.Say("exact") + " " + format.Grouped(z, 2)
	}
	wd := a.Fonts.Width(value, paint.Figure)
	all := wd
	if known != "" {
		all += 8*u + a.Fonts.Width(known, paint.Plain)
	}

	// Beside the point, on the side of the curve's hollow; at the end to its left.
	x, y := spot.X+10*u, spot.Y+20*u
	if len(rec) > 1 && rec[0].LogZ > r.LogZ {
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

// record is what is known of log Z at a stage, nil if nothing: the entry that ends there.
func (v *forming) record(stage int) *frame.StageRecord {
	for i := range v.Is.Growth.Record {
		if r := &v.Is.Growth.Record[i]; r.N+1 == stage || r.N+1 > stage && i == 0 {
			return r
		}
	}
	if n := len(v.Is.Growth.Record); n > 0 && v.Is.Growth.Record[n-1].N+1 < stage {
		return &v.Is.Growth.Record[n-1]
	}
	return nil
}

// polyline is a curve of n values over the stages, in stretches where they are known; f
// gives a stage and the value there.
func (v *forming) polyline(ax paint.Axis, n int, f func(i int) (int, float64)) (out [][]paint.Point) {
	var pts []paint.Point
	flush := func() {
		if len(pts) > 1 {
			out = append(out, pts)
		}
		pts = nil
	}
	for i := range n {
		stage, val := f(i)
		if !(math.Abs(val) <= record.Largest) {
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

// bins groups the record so that a group is wide enough to be seen: of each the
// entry with the least gamma and the one with the most particles.
func (v *forming) bins(least float64) (out []bin) {
	rec := v.Is.Growth.Record
	per := (v.X.P1 - v.X.P0) / max(v.X.D1, 1)
	group := max(1, int(math.Ceil(least/per)))
	for i := range rec {
		k := rec[i].N / group
		if n := len(out); n == 0 || out[n-1].k != k {
			end := min((k+1)*group, max(v.Is.Growth.Stage, rec[i].N+1))
			out = append(out, bin{k, v.X.At(float64(k * group)), v.X.At(float64(end)), &rec[i], &rec[i]})
			continue
		}
		b := &out[len(out)-1]
		if !(rec[i].Gamma >= b.low.Gamma) {
			b.low = &rec[i]
		}
		if total(&rec[i]) > total(b.most) {
			b.most = &rec[i]
		}
	}
	return out
}

type bin struct {
	k         int
	x0, x1    float64
	low, most *frame.StageRecord
}

func total(r *frame.StageRecord) (n float64) {
	for _, b := range r.Batches {
		n += max(float64(b), 0)
	}
	return n
}

// ess hangs the ESS ratio from one; ratios below the threshold stand out by
// colour, size and the line that they cross.
func (v *forming) ess(s *strip, l *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	limit := float64(v.Is.Growth.Threshold)
	if !(limit > 0 && limit < 1) {
		limit = 0
	}
	bins := v.bins(6 * u)
	lo := max(limit, 0.2) - 0.2
	for _, b := range bins {
		if g := float64(b.low.Gamma); g < lo {
			lo = max(g, 0)
		}
	}

	// A line hangs from 1 down to each ratio; low ones are in another colour.
	ax := paint.NewAxis(math.Floor(lo*10)/10, 1, s.y1, s.y0)
	hang := paint.Mark{Kind: paint.Wires, Width: 1.25 * u * t.Stroke, Color: t.Line2}
	low := paint.Mark{Kind: paint.Wires, Width: 1.5 * u * t.Stroke, Color: t.Methods[1]}
	d := paint.Mark{Kind: paint.Dots}
	for _, b := range bins {
		g := float64(b.low.Gamma)
		if !(g >= 0 && g <= 2) {
			continue
		}
		x, y := (b.x0+b.x1)/2, ax.At(min(g, 1))
		c, r, to := t.Line2, 1.7*u, &hang
		if g < limit {
			c, r, to = t.Methods[1], 2.6*u, &low
		}
		to.Pts = append(to.Pts, paint.Pt(x, s.y0), paint.Pt(x, y))
		d.Pts, d.Radii, d.Colors = append(d.Pts, paint.Pt(x, y)), append(d.Radii, r), append(d.Colors, c)
	}

	// The threshold below which particles are resampled.
	if limit > 0 {
		y := math.Round(ax.At(limit))
		v.scale(l, y, format.AtMost(math.Round(limit*100)/100, 2), true)
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: v.X.P0, Y: y}, {X: v.X.P1, Y: y}}, Width: a.Hairline(),
			Dash: [2]float64{4 * u, 3 * u}, Color: t.Ink})
	}
	v.scale(l, s.y0, "1", false)
	l.HLine(a, v.X.P0, v.X.P1, s.y0, t.Line)
	l.Add(hang, low, d)
}

// particles stacks the batches of each stage: first the particles from the stage before, then the generated ones.
func (v *forming) particles(s *strip, l *paint.Layer) {
	u, t := v.a.Unit, v.a.Theme
	bins := v.bins(6 * u)
	most, first := 1.0, 1.0

	for _, b := range bins {
		most = max(most, total(b.most))
	}
	most = max(most, total(&frame.StageRecord{Batches: v.Is.Growth.Batches}))
	if r := v.Is.Growth.R; r > 0 {
		first = float64(r)
	}
	ax := paint.NewAxis(0, max(most, first), s.y1, s.y0)

	// A bar of the batches of a stage; the newest one may be on its way down.
	bar := func(x0, x1 float64, batches []int32, drop float64) {
		wide := max(min(x1-x0-1.5*u, 22*u), 2.5*u)
		x := math.Round((x0 + x1 - wide) / 2)
		sum := 0.0
		for k, n := range batches {
			y1 := ax.At(sum)
			sum += max(float64(n), 0)
			y0 := ax.At(sum)
			c := t.Line2
			if k > 0 {
				c = t.Methods[1]
			}
			if y1-y0 > 3*u {
				y0 += u // a gap between batches
			}
			if k > 0 && k == len(batches)-1 { // drops onto the others
				d := min(drop*10*u, y0-s.y0+4*u)
				y0, y1 = y0-d, y1-d
			}
			if y1 > y0 {
				l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x, y0, wide, y1-y0)), Color: c})
			}
		}
	}
	for _, b := range bins {
		bar(b.x0, b.x1, b.most.Batches, 0)
	}
	if now := v.Is.Growth.Batches; len(now) > 0 && v.Is.Back == 0 {
		x, drop := v.X.At(float64(v.M.Stage)), 0.0
		if v.M.Phase == record.Generating {
			drop = 1 - v.done
		}
		if n := len(bins); n == 0 || bins[n-1].x1 <= x+u {
			bar(x, x+max(6*u, (v.X.P1-v.X.P0)/max(v.X.D1, 1)), now, drop)
		}
	}

	// The scale.
	count := func(n float64) string {
		if n >= 1e5 {
			return format.Short(n, 3)
		}
		return format.Grouped(n, 0)
	}
	v.scale(l, s.y0+3*u, count(ax.D1), false)
	if first < ax.D1 {
		v.scale(l, ax.At(first), count(first), false)
	}
}

// readStages lets the pointer read all strips at a stage.
func (v *forming) readStages() {
	a := v.a
	first, last := &v.strips[0], &v.strips[len(v.strips)-1]
	b := paint.XYWH(v.X.P0, first.y0, v.X.P1-v.X.P0, last.y1-first.y0)
	rec := v.Is.Growth.Record
	if !a.Pointed(b) || len(rec) == 0 {
		return
	}

	// The stage nearest to the pointer.
	n := v.X.D0 + (a.Pointer.At.X-v.X.P0)/(v.X.P1-v.X.P0)*(v.X.D1-v.X.D0)
	if a.Dragging { // the handle's, which goes from picture to picture
		n = float64(v.M.Stage)
	}
	best := &rec[0]
	for i := range rec {
		if math.Abs(float64(rec[i].N+1)-n) < math.Abs(float64(best.N+1)-n) {
			best = &rec[i]
		}
	}

	// What is known of that stage.
	x := v.X.At(float64(best.N + 1))
	a.Pointer.Offer(0, 1, paint.Pt(x, a.Pointer.At.Y), 0, paint.XYWH(x, b.Y, 0, b.H), func() string {
		text := "n = " + format.Grouped(float64(best.N+1), 0) + " " + v.unit() + "\nlog Z " + format.Value(best.LogZ, 0.02)
		if z := v.Is.Growth.ExactAt(best.N + 1); num.Finite(z) {
			text += "\n" + a.Say("exact") + " " + format.Value(z, 0.02)
		}
		text += "\n" + a.Say("ESS ratio") + " " + format.Fixed(float64(best.Gamma), 2)
		text += "\n" + format.Grouped(total(best), 0) + " " + a.Say("particles")
		if k := len(best.Batches) - 1; k > 0 {
			text += ", " + format.Grouped(total(best)-float64(best.Batches[0]), 0) + " " + a.Say("generated")
		}
		if best.Resampled {
			text += "\n" + a.Say("resampled")
		}
		return text
	})
}
