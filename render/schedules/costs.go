package schedules

import (
	"image/color"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// names writes the name of each schedule on its curve, at the point farthest from the other curves. A curve that
// coincides with others has no name, except for the optimum; the table of costs lists it.
func (v *view) names(l *paint.Layer) {
	a, t, now := v.a, v.a.Theme, v.current()
	curves := v.shapes
	if v.edited || now < 0 {
		curves = append(curves[:len(curves):len(curves)], v.own)
		v.name(l, curves, len(curves)-1, a.Say("your curve"), paint.Strong, v.ink)
	}
	order := []int{now, v.path.Index("varopt")}
	for i := range v.path.Lines {
		order = append(order, i)
	}
	done := map[int]bool{-1: true}
	for _, i := range order {
		if done[i] {
			continue
		}
		done[i] = true
		st, ink := paint.Tick, t.Ink3
		switch {
		case i == now && !v.edited:
			st, ink = paint.Strong, v.ink
		case i == now:
			ink = v.ink
		case v.path.Lines[i].Schedule == "varopt":
			st, ink = paint.StrongTick, t.Ink
		}
		v.name(l, curves, i, scheduleName(a, v.path.Lines[i].Schedule), st, ink)
	}
}

// name writes the name of a curve on it.
func (v *view) name(l *paint.Layer, curves [][]paint.Point, i int, s string, st paint.Style, ink color.RGBA) {
	u, wd := v.a.Unit, v.a.Fonts.Width(s, st)
	best, box := 3*u, paint.Rect{}
	if i == v.path.Index("varopt") {
		best = 0
	}

	// The point at which the name is farthest from other curves and names.
	for k := 4; k <= 36; k++ {
		at := partWay(curves[i], float64(k)/40)
		b := paint.XYWH(at.X-wd/2-3*u, at.Y-8*u, wd+6*u, 16*u)
		if st == paint.Strong { // the line is too thick for a name on it
			b.X, b.Y = at.X+7*u, at.Y
			at = paint.Pt(b.X+b.W/2, b.Y+8*u)
		}
		if b.X < v.plot.X+2*u || b.X+b.W > v.plot.X+v.plot.W-2*u || b.Y < v.plot.Y || b.Y+b.H > v.plot.Y+v.plot.H {
			continue
		}
		free := 60 * u
		for j, other := range curves {
			if j != i {
				free = min(free, distanceTo(other, at))
				if paint.Crosses(other, b) {
					free = min(free, 5*u)
				}
			}
		}
		for _, o := range v.taken {
			if b.X < o.X+o.W && o.X < b.X+b.W && b.Y < o.Y+o.H && o.Y < b.Y+b.H {
				free = 0
			}
		}
		if free > best {
			best, box = free, b
		}
	}

	if box.W > 0 {
		v.taken = append(v.taken, box)
		l.Label(s, box.X+box.W/2, box.Y+12*u, st, ink, paint.Centre)
	}
}

// partWay returns the point of a curve at fraction s of the run.
func partWay(pts []paint.Point, s float64) paint.Point {
	k := min(int(s*float64(len(pts)-1)), len(pts)-2)
	f := s*float64(len(pts)-1) - float64(k)
	return paint.Pt(pts[k].X+(pts[k+1].X-pts[k].X)*f, pts[k].Y+(pts[k+1].Y-pts[k].Y)*f)
}

// distanceTo returns the distance of a point from a curve.
func distanceTo(pts []paint.Point, at paint.Point) float64 {
	d := math.Inf(1)
	for i := 1; i < len(pts); i++ {
		p, q := pts[i-1], pts[i]
		dx, dy := q.X-p.X, q.Y-p.Y
		f := 0.0
		if n := dx*dx + dy*dy; n > 0 {
			f = min(max(((at.X-p.X)*dx+(at.Y-p.Y)*dy)/n, 0), 1)
		}
		d = min(d, math.Hypot(at.X-p.X-f*dx, at.Y-p.Y-f*dy))
	}
	return d
}

// costRow is a schedule with its predicted variance of log w.
type costRow struct {
	name, value string
	st          paint.Style
	ink         color.RGBA
}

// rows returns the schedules of the table: the optimum, the linear one, the experiment's and the edited curve.
func (v *view) rows() (rows []costRow) {
	a, t, now := v.a, v.a.Theme, v.current()
	put := func(name string, x float64, st paint.Style, ink color.RGBA) {
		value := "\u2013"
		if num.Finite(x) {
			value = format.Ratio(x)
		}
		rows = append(rows, costRow{name, value, st, ink})
	}
	for _, text := range [...]string{"varopt", "linear"} {
		if i := v.path.Index(text); i >= 0 && i != now {
			put(scheduleName(a, text), v.path.Lines[i].Var, paint.Plain, t.Ink)
		}
	}
	st := paint.Strong
	if v.edited {
		st = paint.Plain
	}
	if now >= 0 {
		put(scheduleName(a, v.path.Schedule), v.path.Lines[now].Var, st, v.ink)
	}
	if v.edited || now < 0 {
		put(a.Say("your curve"), v.cost(-1), paint.Strong, v.ink)
	}
	if num.Finite(v.path.MeasuredVar) {
		put(a.Say("measured by this run"), v.path.MeasuredVar, paint.Plain, t.Ink2)
	}
	return rows
}

// verdict compares the number of chains that the edited curve, or the experiment's, needs with the optimum.
func (v *view) verdict() string {
	a, i := v.a, v.current()
	name := a.Say("your curve")
	if v.edited {
		i = -1
	} else if i >= 0 {
		name = scheduleName(a, v.path.Schedule)
	}
	cost := v.cost(i)
	switch {
	case !num.Finite(cost) && v.path.MeasuresG:
		return a.Say("A run shows what curves cost.")
	case !num.Finite(cost):
		return a.Say("Annealing, or a learned schedule, shows what curves cost.")
	case i >= 0 && v.path.Lines[i].Schedule == "varopt":
		return a.Say("No schedule needs fewer chains.")
	}
	n := schedule.ChainRatio(cost, v.best)
	times := format.Ratio(n)
	if first, n := utf8.DecodeRuneInString(name); n > 0 {
		name = string(unicode.ToUpper(first)) + name[n:]
	}
	switch {
	case !(n < 1e4):
		times = "> " + format.Grouped(1e4, 0)
	case n < 1.05:
		return strings.Replace(a.Say("# costs no more chains than the optimum."), "#", name, 1)
	}
	return strings.NewReplacer("#", name, "@", times).Replace(a.Say("# costs @ times the optimum's chains."))
}

// costs draws the table of costs at the right of the chart, or below it.
func (v *view) costs(l *paint.Layer) {
	a, u, t, b := v.a, v.a.Unit, v.a.Theme, v.pane
	if b.H < 40*u {
		return
	}
	rows, x, y, floor := v.rows(), b.X, b.Y, a.H
	if v.list.H > 0 {
		floor = v.list.Y
	}
	columns := 1
	if b.W > 260*u {
		columns = 2
	}
	known := len(v.path.G) > 0
	if columns == 1 {
		l.Label(a.Say("Variance of log w"), x, y-14*u, paint.Strong, t.Ink, paint.Left)
		if known {
			l.Label(a.Say("predicted, with perfect moves"), x, y+4*u, paint.Tick, t.Ink3, paint.Left)
			y += 18 * u
		}
	}

	if known {
		wide := (b.W - 20*u*float64(columns-1)) / float64(columns)
		column := 0
		for _, r := range rows {
			end := x + float64(column)*(wide+20*u) + wide
			if a.Fonts.Width(r.name+r.value, r.st)+12*u > wide && columns > 1 { // needs a line of its own
				y += float64(min(column, 1)) * 22 * u
				column, end = columns-1, x+b.W
				l.Label(r.name, x, y+8*u, r.st, r.ink, paint.Left)
				l.HLine(a, x, end, y+14*u, t.Line)
			} else {
				l.Label(r.name, end-wide, y+8*u, r.st, r.ink, paint.Left)
				l.HLine(a, end-wide, end, y+14*u, t.Line)
			}
			l.Label(r.value, end, y+8*u, r.st, r.ink, paint.Right)
			if column++; column == columns {
				column = 0
				y += 22 * u
			}
		}
		y += float64(min(column, 1))*22*u + 4*u
	}

	// The verdict, and the link to the optimum.
	for _, part := range a.Wrap(v.verdict(), paint.Strong, b.W) {
		if y+12*u > floor {
			break
		}
		l.Label(part, x, y+12*u, paint.Strong, t.Ink, paint.Left)
		y += 17 * u
	}
	best := !v.edited && v.path.Schedule == "varopt"
	if s := a.Say("Begin from the optimum"); num.Finite(v.best) && !best && y+20*u < floor &&
		len(v.editor.Knots) > 0 {
		a.Link(l, s, x, y+18*u, paint.Plain, t.Ink, 8, paint.Action{Do: func(paint.Point) { v.editor.Restart() }})
	}
	if columns == 1 {
		v.starts(l, paint.XYWH(b.X, y+44*u, b.W, a.H-y-44*u))
	} else if v.list.H > 0 {
		v.starts(l, paint.XYWH(v.list.X, v.list.Y+12*u, v.list.W, v.list.H-12*u))
	}
}
