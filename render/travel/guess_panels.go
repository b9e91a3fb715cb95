package travel

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/ladder"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/trace"
)

// farthest is how far below an even share log c is drawn, in nats.
const farthest = 12

// shares draws log c_k of each iteration and the even share that it should come to. Where visits were counted too,
// the counts of the iteration that stands out are rings: how noisy they are is why conditionals are averaged.
func (v *guessView) shares(back, lines *paint.Layer) {
	a, t, u, b := v.a, v.a.Theme, v.a.Unit, v.right
	even := -math.Log(float64(max(len(v.l.Beta), 1)))
	lo, hi := even-1, even+1
	for _, g := range v.list {
		lo, hi = ladder.SpanOf(lo, hi, g.LogC...)
		lo, hi = ladder.SpanOf(lo, hi, g.Counts...)
	}
	lo, hi = max(lo, even-farthest), min(hi+0.04*(hi-lo), 0)
	y := paint.NewAxis(lo, hi, b.Y+b.H, b.Y)

	// Title and scale.
	back.Label(a.Say("Share of samples, log c"), b.X-34*u, b.Y-18*u, paint.Strong, t.Ink, paint.Left)
	at, step := format.Ticks(lo, hi, max(3, min(7, int(b.H/(36*u)))))
	for _, q := range at {
		back.HLine(a, b.X, b.X+b.W, y.At(q), t.Line)
		back.Label(format.Tick(q, step), b.X-8*u, y.At(q)+4*u, paint.Tick, t.Ink3, paint.Right)
	}
	v.foot(back, b)
	back.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: b.X, Y: y.At(even)}, {X: b.X + b.W, Y: y.At(even)}},
		Width: 1.5 * u * t.Stroke, Color: t.Ink})
	back.Label(a.Say("even"), b.X+b.W+7*u, y.At(even)+4*u, paint.StrongTick, t.Ink, paint.Left)

	// The curves of the guesses, the bright one last.
	clip := func(x []float64, i int) float64 {
		if len(x) != v.entries() {
			return math.NaN()
		}
		return max(x[i], lo)
	}
	draw := func(k int) {
		m := v.pen(k)
		v.polyline(b, y, func(i int) float64 { return clip(v.list[k].LogC, i) }, func(pts []paint.Point) {
			m.Pts = pts
			lines.Add(m)
		})
	}
	for k := range v.list {
		if k != v.bright {
			draw(k)
		}
	}
	draw(v.bright)

	// The counted shares of the bright one, where they can be told apart.
	if v.entries() > int(b.W/(7*u)) {
		return
	}
	for i := range v.entries() {
		if q := clip(v.list[v.bright].Counts, i); num.Finite(q) {
			lines.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(v.along(b, i), y.At(q)), R: 2.6 * u, Color: t.Ink2, Hollow: u,
				Halo: true})
		}
	}
}

// distances draws, of every method with guesses, how far they were from the exact curve against cost; from the
// method's newest guess where there is no exact curve.
func (v *guessView) distances(p *record.Run, back, lines, front *paint.Layer) {
	a, t, u, b := v.a, v.a.Theme, v.a.Unit, v.right
	var cs []trace.Curve
	for _, m := range p.Methods {
		if l := p.LastLadder(m, guessed); l != nil {
			if pts := farness(l); len(pts) > 0 {
				cs = append(cs, trace.Curve{Name: a.MethodLabel(m), Order: p.Order(m), Pts: pts})
			}
		}
	}

	title := a.Say("Distance from the exact curve, nats")
	if len(v.l.Exact) == 0 {
		title = a.Say("Distance from the last guess, nats")
	}
	if a.Fonts.Width(title, paint.Strong) > a.W-v.pad-b.X+34*u {
		title = a.Say("Distance, nats")
	}
	back.Label(title, b.X-34*u, b.Y-18*u, paint.Strong, t.Ink, paint.Left)
	lo, hi, ok := trace.ErrorRange(cs)
	if !ok {
		back.Label(a.Say("one guess so far"), b.X+b.W/2, b.Y+b.H/2, paint.Plain, t.Ink3, paint.Centre)
		return
	}

	// Axes.
	d := &trace.Chart{Cost: paint.Axis{P0: b.X, P1: b.X + b.W}, Err: paint.NewAxis(lo, hi, b.Y+b.H, b.Y), Low: b.H}
	d.Cost.D0, d.Cost.D1 = trace.CostRange(cs)
	for _, q := range format.LogTicks(math.Pow(10, lo), math.Pow(10, hi), max(2, min(5, int(b.H/(24*u))))) {
		d.ErrTicks = append(d.ErrTicks, math.Log10(q))
	}
	for _, q := range format.LogTicks(math.Pow(10, d.Cost.D0), math.Pow(10, d.Cost.D1), max(2, int(b.W/(72*u)))) {
		d.CostTicks = append(d.CostTicks, math.Log10(q))
	}
	a.GridLines(back, d.Cost, d.Err, d.ErrTicks, func(q float64) string { return format.Short(math.Pow(10, q), 3) })
	d.CostAxis(a, back, "sweeps of each chain")

	// A line for each method, named at its end.
	var xs, ys []float64
	for i := range cs {
		d.Line(a, lines, &cs[i], d.Err, func(q frame.Point) float64 { return math.Log10(q.SE) })
		xs = append(xs, d.Cost.At(math.Log10(cs[i].Last().Sweeps)))
		ys = append(ys, d.Err.At(math.Log10(cs[i].Last().SE)))
	}
	v.nameEnds(front, cs, xs, ys)
}

// nameEnds names lines at their right ends, kept apart.
func (v *guessView) nameEnds(l *paint.Layer, cs []trace.Curve, xs, ys []float64) {
	t, u, b := v.a.Theme, v.a.Unit, v.right
	order := byValue(ys)
	at := make([]float64, len(ys))
	for i, k := range order {
		at[i] = ys[k]
	}
	for i, y := range paint.Spread(at, 16*u, b.Y, b.Y+b.H) {
		c, x := &cs[order[i]], xs[order[i]]
		if x+9*u+v.a.Fonts.Width(c.Name, paint.StrongTick) > b.X+b.W {
			x = b.X + b.W - 2*u
		}
		l.Label(c.Name, x+9*u, y+4*u, paint.StrongTick, t.Ink, paint.Left)
	}
}

// byValue lists the places of x by value.
func byValue(x []float64) []int {
	out := make([]int, len(x))
	for i := range out {
		out[i] = i
		for j := i; j > 0 && x[out[j]] < x[out[j-1]]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// farness is how far the guesses of a ladder were from its exact curve, or from its newest guess: the root mean
// square over rungs of the difference in log Z_k - log Z_0, as the error of points.
func farness(l *frame.Ladder) (pts []frame.Point) {
	last := l.Guesses[len(l.Guesses)-1].LogZ
	for _, g := range l.Guesses {
		n, sum, used := len(g.LogZ), 0.0, 0.0
		for i := 1; i < n; i++ {
			var ref float64
			if k := i * (len(l.Beta) - 1) / (n - 1); len(l.Exact) > 0 {
				ref = l.Exact[k] - l.Exact[0]
			} else if len(last) == n {
				ref = last[i] - last[0]
			} else {
				continue
			}
			if e := g.LogZ[i] - g.LogZ[0] - ref; num.Finite(e) {
				sum, used = sum+e*e, used+1
			}
		}
		if d := math.Sqrt(sum / used); d > 0 && g.Sweeps > 0 && num.Finite(g.Sweeps) && d < record.Largest {
			pts = append(pts, frame.Point{Sweeps: g.Sweeps, SE: d})
		}
	}
	return trace.Usable(pts)
}
