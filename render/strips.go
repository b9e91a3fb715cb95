package render

import (
	"image/color"
	"math"

	"logzlab/core/format"
)

// forming is one layout of a scene of a run that forms its particles.
type forming struct {
	a     *area
	p     *Picture
	w     *wall
	is    *island
	among []*island
	i     int     // place of the moment on show
	m     *moment // on show
	done  float64 // how far the change of the moment has come
	pad   float64
	eye   color.RGBA // what the eye follows
	tiled int        // pictures on the wall

	x      axis      // stages, in the strips
	lines  []float64 // baselines of the labels at the right
	strips []strip
}

// strip is one of the charts over the stages.
type strip struct {
	name, sub string
	share     float64 // of the height
	least     float64 // CSS pixels of height
	rank      int     // the highest goes first when there is no room
	draw      func(s *strip, l *layer)
	y0, y1    float64 // top and bottom
}

// newForming picks the island on show; nil if there is none.
func newForming(a *area, p *Picture, w *wall) *forming {
	v := &forming{a: a, p: p, w: w, is: w.island(), among: w.all(), pad: 24 * a.u, eye: a.theme.Methods[0], tiled: 24}
	if a.compact() {
		v.pad = 16 * a.u
	}
	if v.is == nil || len(v.is.moments) == 0 {
		return nil
	}
	v.i = v.is.shown()
	v.m = &v.is.moments[v.i]
	v.done = v.is.progress(p.now, a.still)
	return v
}

// unit is what the run takes in one by one.
func (v *forming) unit() string {
	switch {
	case v.is.w > 0:
		return v.a.say("pixels")
	case v.is.latent != nil:
		return v.a.say("data")
	}
	return v.a.say("stages")
}

// charts lays the strips out from top to the bottom of the canvas.
func (v *forming) charts(top float64) []layer {
	a, u, t, g := v.a, v.a.u, v.a.theme, v.is.growth
	compact := a.compact()
	v.strips = v.kinds()
	gap, foot := 12*u, 34*u
	if compact {
		gap = 10 * u
	}
	if n := len(v.is.moments); v.m.lines < 2 || n < 2 {
		v.strips[0].draw = nil
	}
	if len(g.Record) == 0 {
		v.strips[3].draw, v.strips[4].draw = nil, nil
	}
	free := a.h - foot - top
	for {
		kept, sum, worst := v.strips[:0], 0.0, -1
		for _, s := range v.strips {
			if s.draw != nil {
				kept = append(kept, s)
				sum += s.share
			}
		}
		v.strips = kept
		if len(kept) == 0 || free < 20*u {
			return nil
		}
		y := top
		height := free - gap*float64(len(kept)-1)
		tight := false
		for i := range kept {
			s := &kept[i]
			s.y0, s.y1 = math.Round(y), math.Round(y+height*s.share/sum)
			y = s.y1 + gap
			tight = tight || s.y1-s.y0 < s.least*u
			if worst < 0 || s.rank > kept[worst].rank {
				worst = i
			}
		}
		if !tight || len(kept) == 1 {
			break
		}
		kept[worst].draw = nil
	}

	v.gutters()
	if v.x.p1-v.x.p0 < 40*u {
		return nil
	}
	var back, ends layer
	front := layer{}
	for i := range v.strips {
		s := &v.strips[i]
		back.label(a.say(s.name), v.pad, s.y0+10*u, strong, t.Ink, left)
		if sub := a.say(s.sub); !compact && s.y1-s.y0 >= 26*u {
			back.label(sub, v.pad, s.y0+25*u, tick, t.Ink3, left)
		}
		s.draw(s, &front)
	}
	v.stageAxis(&back, &ends)
	v.readStages()
	return []layer{back, front, ends}
}

// kinds are all strips, from the top.
func (v *forming) kinds() []strip {
	ratio := "ESS ratio \u03b3"
	if v.a.compact() {
		ratio = "ESS ratio"
	}
	return []strip{
		{name: "Lineage", sub: "who begot whom", share: 0.27, least: 36, rank: 1, draw: v.lineage},
		{name: "Evidence", sub: "log Z so far", share: 0.25, least: 36, draw: v.evidence},
		v.errors(),
		{name: ratio, sub: v.consequence(), share: 0.155, least: 20, rank: 2, draw: v.ess},
		{name: "Particles", sub: "batches stacked", share: 0.155, least: 20, rank: 3, draw: v.particles},
	}
}

// gutters makes room for names at the left and scales at the right.
func (v *forming) gutters() {
	a, u := v.a, v.a.u
	wide := 0.0
	for _, s := range v.kinds() {
		wide = max(wide, a.fonts.width(a.say(s.name), strong))
		if !a.compact() {
			wide = max(wide, a.fonts.width(a.say(s.sub), tick))
		}
	}
	right := 58 * u
	if a.compact() {
		right = 46 * u
	}
	v.x = axis{0, float64(max(v.is.growth.Stages, 1)), math.Round(v.pad + min(wide, 0.3*a.w) + 16*u),
		math.Round(a.w - right)}
}

// scale writes a label of a scale unless there is no room for it.
func (v *forming) scale(l *layer, y float64, s string, heavy bool) {
	u := v.a.u
	for _, other := range v.lines {
		if math.Abs(other-y) < 12*u {
			return
		}
	}
	st, c := tick, v.a.theme.Ink3
	if heavy {
		st, c = mark11, v.a.theme.Ink
	}
	if v.x.p1+7*u+v.a.fonts.width(s, st) > v.a.w {
		return
	}
	v.lines = append(v.lines, y)
	l.label(s, v.x.p1+7*u, y+4*u, st, c, left)
}

// stageAxis draws the axis with its handle, and the line of the stage on show
// through all strips.
func (v *forming) stageAxis(back, ends *layer) {
	a, u, t := v.a, v.a.u, v.a.theme
	y := v.strips[len(v.strips)-1].y1
	top := v.strips[0].y0 - 3*u
	now, live := v.x.at(float64(v.m.stage)), v.x.at(float64(v.is.newest().stage))
	back.hline(a, v.x.p0, v.x.p1, y, t.Line2)
	name := "n = " + format.Grouped(float64(v.m.stage), 0)
	if !a.compact() {
		name += " " + v.unit()
	}
	half := a.fonts.width(name, strong) / 2
	nx := min(max(now, half+2*u), a.w-half-2*u)
	ends.label(name, nx, y+22*u, strong, t.Ink, centre)
	// Round stages, and the last one always.
	at, _ := format.Ticks(0, v.x.d1, 6)
	lastHalf := a.fonts.width(format.Grouped(v.x.d1, 0), tick) / 2
	for i, n := range append([]float64{v.x.d1}, at...) {
		x, wd := v.x.at(n), a.fonts.width(format.Grouped(n, 0), tick)/2
		if n != math.Trunc(n) || i > 0 && x+wd+9*u > v.x.p1-lastHalf {
			continue
		}
		back.vline(a, x, y, y+4*u, t.Line2)
		if math.Abs(x-nx) >= wd+half+6*u {
			back.label(format.Grouped(n, 0), x, y+22*u, tick, t.Ink3, centre)
		}
	}
	// What has been done, what is on show, and where the run is.
	ends.add(mark{kind: fill, box: snap(rect{v.x.p0, y - u, live - v.x.p0, 2 * u}), color: t.Ink})
	if v.is.back != 0 {
		back.add(mark{kind: stroke, pts: []point{{live, top}, {live, y}}, width: a.hair(),
			dash: [2]float64{2 * u, 3 * u}, color: t.Ink3})
		ends.add(mark{kind: disc, at: point{live, y}, r: 3.5 * u, color: v.eye, halo: true})
	}
	ends.vline(a, now, top, y, t.Ink)
	ends.add(mark{kind: disc, at: point{now, y}, r: 6 * u, color: t.Ink, hollow: 2 * u, halo: true})
	is := v.is
	box := rect{v.x.p0 - 8*u, top, v.x.p1 - v.x.p0 + 16*u, a.h - top}
	a.on(box, action{drag: true, do: func(at point) {
		is.scrub(v.x.d0 + (at.x-v.x.p0)/(v.x.p1-v.x.p0)*(v.x.d1-v.x.d0) + 0.5)
	}})
}

// consequence says what a low ESS ratio leads to.
func (v *forming) consequence() string {
	for _, r := range v.is.growth.Record {
		if len(r.Batches) > 1 {
			return "low: generate"
		}
	}
	return "low: resample"
}
