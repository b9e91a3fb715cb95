package render

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

// farthest is how far below an even share log c is drawn, in nats.
const farthest = 12

// shares draws log c_k of each iteration and the even share that it should come to. Where visits were counted too,
// the counts of the iteration that stands out are rings: how noisy they are is why conditionals are averaged.
func (v *guessView) shares(back, lines *layer) {
	a, t, u, b := v.a, v.a.theme, v.a.u, v.right
	even := -math.Log(float64(max(len(v.l.Beta), 1)))
	lo, hi := even-1, even+1
	for _, g := range v.list {
		lo, hi = spanOf(lo, hi, g.LogC...)
		lo, hi = spanOf(lo, hi, g.Counts...)
	}
	lo, hi = max(lo, even-farthest), min(hi+0.04*(hi-lo), 0)
	y := axis{lo, hi, b.y + b.h, b.y}
	back.label(a.say("Share of samples, log c"), b.x-34*u, b.y-18*u, strong, t.Ink, left)
	at, step := format.Ticks(lo, hi, max(3, min(7, int(b.h/(36*u)))))
	for _, q := range at {
		back.hline(a, b.x, b.x+b.w, y.at(q), t.Line)
		back.label(format.Tick(q, step), b.x-8*u, y.at(q)+4*u, tick, t.Ink3, right)
	}
	v.foot(back, b)
	back.add(mark{kind: stroke, pts: []point{{b.x, y.at(even)}, {b.x + b.w, y.at(even)}}, width: 1.5 * u * t.Stroke,
		color: t.Ink})
	back.label(a.say("even"), b.x+b.w+7*u, y.at(even)+4*u, mark11, t.Ink, left)
	clip := func(x []float64, i int) float64 {
		if len(x) != v.entries() {
			return math.NaN()
		}
		return max(x[i], lo)
	}
	draw := func(k int) {
		m := v.pen(k)
		v.polyline(b, y, func(i int) float64 { return clip(v.list[k].LogC, i) }, func(pts []point) {
			m.pts = pts
			lines.add(m)
		})
	}
	for k := range v.list {
		if k != v.bright {
			draw(k)
		}
	}
	draw(v.bright)
	if v.entries() > int(b.w/(7*u)) {
		return
	}
	for i := range v.entries() {
		if q := clip(v.list[v.bright].Counts, i); num.Finite(q) {
			lines.add(mark{kind: disc, at: point{v.along(b, i), y.at(q)}, r: 2.6 * u, color: t.Ink2, hollow: u, halo: true})
		}
	}
}

// distances draws, of every method with guesses, how far they were from the exact curve against cost; from the
// method's newest guess where there is no exact curve.
func (v *guessView) distances(p *Picture, back, lines, front *layer) {
	a, t, u, b := v.a, v.a.theme, v.a.u, v.right
	var cs []curve
	for _, m := range p.methods {
		if l := p.lastLadder(m, guessed); l != nil {
			if pts := farness(l); len(pts) > 0 {
				cs = append(cs, curve{name: a.methodLabel(m), order: p.order(m), pts: pts})
			}
		}
	}
	title := a.say("Distance from the exact curve, nats")
	if len(v.l.Exact) == 0 {
		title = a.say("Distance from the last guess, nats")
	}
	if a.fonts.width(title, strong) > a.w-v.pad-b.x+34*u {
		title = a.say("Distance, nats")
	}
	back.label(title, b.x-34*u, b.y-18*u, strong, t.Ink, left)
	lo, hi, ok := errorRange(cs)
	if !ok {
		back.label(a.say("one guess so far"), b.x+b.w/2, b.y+b.h/2, plain, t.Ink3, centre)
		return
	}
	d := &chart{cost: axis{p0: b.x, p1: b.x + b.w}, err: axis{lo, hi, b.y + b.h, b.y}, low: b.h}
	d.cost.d0, d.cost.d1 = costRange(cs)
	for _, q := range format.LogTicks(math.Pow(10, lo), math.Pow(10, hi), max(2, min(5, int(b.h/(24*u))))) {
		d.errTicks = append(d.errTicks, math.Log10(q))
	}
	for _, q := range format.LogTicks(math.Pow(10, d.cost.d0), math.Pow(10, d.cost.d1), max(2, int(b.w/(72*u)))) {
		d.costTicks = append(d.costTicks, math.Log10(q))
	}
	a.rules(back, d.cost, d.err, d.errTicks, func(q float64) string { return format.Short(math.Pow(10, q), 3) })
	d.costAxis(a, back, "sweeps of each chain")
	var xs, ys []float64
	for i := range cs {
		d.line(a, lines, &cs[i], d.err, func(q frame.Point) float64 { return math.Log10(q.SE) })
		xs = append(xs, d.cost.at(math.Log10(cs[i].last().Sweeps)))
		ys = append(ys, d.err.at(math.Log10(cs[i].last().SE)))
	}
	v.nameEnds(front, cs, xs, ys)
}

// nameEnds names lines at their right ends, kept apart.
func (v *guessView) nameEnds(l *layer, cs []curve, xs, ys []float64) {
	t, u, b := v.a.theme, v.a.u, v.right
	order := byValue(ys)
	at := make([]float64, len(ys))
	for i, k := range order {
		at[i] = ys[k]
	}
	for i, y := range spread(at, 16*u, b.y, b.y+b.h) {
		c, x := &cs[order[i]], xs[order[i]]
		if x+9*u+v.a.fonts.width(c.name, mark11) > b.x+b.w {
			x = b.x + b.w - 2*u
		}
		l.label(c.name, x+9*u, y+4*u, mark11, t.Ink, left)
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
		if d := math.Sqrt(sum / used); d > 0 && g.Sweeps > 0 && num.Finite(g.Sweeps) && d < largest {
			pts = append(pts, frame.Point{Sweeps: g.Sweeps, SE: d})
		}
	}
	return usable(pts)
}
