package formation

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// stageView is one layout of a scene of a run by stages.
type stageView struct {
	a          *paint.Area
	p          *record.Run
	s          *formation
	w          *record.Particles
	Island     *record.Island
	allIslands []*record.Island
	index      int            // index of the moment that is shown
	Moment     *record.Moment // the moment that is shown
	done       float64        // fraction of its animation that is complete
	Pad        float64
	highlight  color.RGBA // the highlight colour
	tileCount  int        // number of pictures in the gallery

	X         paint.Axis // of the stages, in the strips
	hasColumn bool       // the column at the right shows log Z
	labelYs   []float64  // baselines of the labels at the right
	strips    []strip
}

// strip is one of the charts over the stages.
type strip struct {
	name, sub string
	draw      func(s *strip, l *paint.Layer)
	y0, y1    float64 // top and bottom
}

// NewStageView returns a layout of the shown island, nil if there is none.
func NewStageView(a *paint.Area, p *record.Run, w *record.Particles) *stageView {
	v := &stageView{a: a, p: p, s: &formation{}, w: w, Island: w.Island(), allIslands: w.AllIslands(), Pad: 24 * a.Unit,
		highlight: a.Theme.Methods[0], tileCount: 24}
	if a.Compact() {
		v.Pad = 16 * a.Unit
	}
	if v.Island == nil || len(v.Island.Moments) == 0 {
		return nil
	}
	v.index = v.Island.ShownIndex()
	v.Moment = &v.Island.Moments[v.index]
	v.done = v.Island.Progress(p.Now, a.Still)
	return v
}

// unit returns the plural noun for the coordinates or data that stages add.
func (v *stageView) unit() string {
	switch {
	case v.p.Graph:
		return v.a.Say("variables")
	case v.Island.W > 0:
		return v.a.Say("pixels")
	case v.Island.Latent != nil:
		return v.a.Say("data")
	}
	return v.a.Say("stages")
}

// Charts lays the strips out from top to the bottom of the canvas: both of them, or only log Z_n if there is no space
// for two or no genealogy yet.
func (v *stageView) Charts(top float64) []paint.Layer {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	gap, foot, least := 14*u, 34*u, 36*u
	v.strips = v.bothStrips()
	free := a.H - foot - top
	if v.Moment.AllRows < 2 || len(v.Island.Moments) < 2 || free < 2*least+gap {
		v.strips = v.strips[1:]
	}
	v.Gutters()
	if free < 20*u || v.X.P1-v.X.P0 < 40*u {
		return nil
	}

	var back, front, ends paint.Layer
	n := float64(len(v.strips))
	high := (free - gap*(n-1)) / n
	for i := range v.strips {
		s, y := &v.strips[i], top+float64(i)*(high+gap)
		s.y0, s.y1 = math.Round(y), math.Round(y+high)
		back.Label(a.Say(s.name), v.Pad, s.y0+10*u, paint.Strong, t.Ink, paint.Left)
		if s.sub != "" && !a.Compact() && high >= 26*u {
			back.Label(a.Say(s.sub), v.Pad, s.y0+25*u, paint.Tick, t.Ink3, paint.Left)
		}
		s.draw(s, &front)
	}
	v.stageAxis(&back, &ends)
	v.offerStages()
	return []paint.Layer{back, front, ends}
}

// bothStrips returns both strips, from the top.
func (v *stageView) bothStrips() []strip {
	return []strip{{name: "Ancestry", sub: "parents and copies", draw: v.lineage},
		{name: "log Z so far", draw: v.evidence}}
}

// Gutters makes space for names at the left and scales at the right.
func (v *stageView) Gutters() {
	a, u := v.a, v.a.Unit
	wide := 0.0
	for _, s := range v.bothStrips() {
		wide = max(wide, a.Fonts.Width(a.Say(s.name), paint.Strong))
		if s.sub != "" && !a.Compact() {
			wide = max(wide, a.Fonts.Width(a.Say(s.sub), paint.Tick))
		}
	}
	right := 58 * u
	if a.Compact() {
		right = 46 * u
	}
	v.X = paint.NewAxis(0, float64(max(v.Island.Growth.Stages, 1)), math.Round(v.Pad+min(wide, 0.3*a.W)+16*u),
		math.Round(a.W-right))
}

// scaleLabel draws a label at the right unless it would overlap another one.
func (v *stageView) scaleLabel(l *paint.Layer, y float64, s string, heavy bool) {
	u := v.a.Unit
	for _, other := range v.labelYs {
		if math.Abs(other-y) < 12*u {
			return
		}
	}
	st, c := paint.Tick, v.a.Theme.Ink3
	if heavy {
		st, c = paint.StrongTick, v.a.Theme.Ink
	}
	if v.X.P1+7*u+v.a.Fonts.Width(s, st) > v.a.W {
		return
	}
	v.labelYs = append(v.labelYs, y)
	l.Label(s, v.X.P1+7*u, y+4*u, st, c, paint.Left)
}

// stageAxis draws the axis with its handle, and a line at the shown stage through all strips.
func (v *stageView) stageAxis(back, ends *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	y := v.strips[len(v.strips)-1].y1
	top := v.strips[0].y0 - 3*u
	now, live := v.X.At(float64(v.Moment.Stage)), v.X.At(float64(v.Island.Newest().Stage))
	back.HLine(a, v.X.P0, v.X.P1, y, t.Line2)

	name := "n = " + format.Grouped(float64(v.Moment.Stage), 0)
	if !a.Compact() {
		name += " " + v.unit()
	}
	half := a.Fonts.Width(name, paint.Strong) / 2
	nx := min(max(now, half+2*u), a.W-half-2*u)
	ends.Label(name, nx, y+22*u, paint.Strong, t.Ink, paint.Centre)

	// Round stages, and always the last one.
	at, _ := format.Ticks(0, v.X.D1, 6)
	lastHalf := a.Fonts.Width(format.Grouped(v.X.D1, 0), paint.Tick) / 2
	for i, n := range append([]float64{v.X.D1}, at...) {
		x, wd := v.X.At(n), a.Fonts.Width(format.Grouped(n, 0), paint.Tick)/2
		if n != math.Trunc(n) || i > 0 && x+wd+9*u > v.X.P1-lastHalf {
			continue
		}
		back.VLine(a, x, y, y+4*u, t.Line2)
		if math.Abs(x-nx) >= wd+half+6*u {
			back.Label(format.Grouped(n, 0), x, y+22*u, paint.Tick, t.Ink3, paint.Centre)
		}
	}

	// The completed stages, the shown one, and the newest one.
	ends.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(v.X.P0, y-u, live-v.X.P0, 2*u)), Color: t.Ink})
	if v.Island.ShownID != 0 {
		back.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: live, Y: top}, {X: live, Y: y}}, Width: a.Hairline(),
			Dash: [2]float64{2 * u, 3 * u}, Color: t.Ink3})
		ends.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(live, y), R: 3.5 * u, Color: v.highlight, Halo: true})
	}
	ends.VLine(a, now, top, y, t.Ink)
	ends.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(now, y), R: 6 * u, Color: t.Ink, Hollow: 2 * u, Halo: true})

	// Dragging anywhere in the strips goes through the stages.
	is := v.Island
	box := paint.XYWH(v.X.P0-8*u, top, v.X.P1-v.X.P0+16*u, a.H-top)
	a.OnTap(box, paint.Action{Drag: true, Do: func(at paint.Point) {
		is.ShowStage(v.X.D0 + (at.X-v.X.P0)/(v.X.P1-v.X.P0)*(v.X.D1-v.X.D0) + 0.5)
	}})
}
