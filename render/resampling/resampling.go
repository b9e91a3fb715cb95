// Package resampling has two scenes of particles that are weighed and resampled, phase by phase: those of a run, and those
// of a particle filter.
package resampling

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/plane"
	"logzlab/render/record"
	"logzlab/render/scene"
)

// culling is a scene of particles that are weighed and resampled: which methods have them, and their record. It is a
// record of the run, or of a particle filter (resampling_filter.go).
type culling struct {
	scene.Base
	has         func(*record.Particles) bool
	record      func(*record.Particles, *record.Run) *record.Island
	ground      plane.Ground
	unresampled *frame.Unresampled // what the same run has without resampling, nil: not known
}

var (
	_ = scene.Register("resampling", func(r *record.Run) scene.Scene {
		return &culling{Base: scene.Base{Run: r}, has: record.HasWeights, record: func(w *record.Particles, _ *record.Run) *record.Island { return w.Record() }}
	})
	_ = scene.Register("filter", func(r *record.Run) scene.Scene {
		return &culling{Base: scene.Base{Run: r}, has: record.HasFlow, record: (*record.Particles).FilterRecord}
	})
)

// Take keeps the density behind the particles, and what a run without resampling has.
func (c *culling) Take(f *frame.Frame) {
	c.ground.Take(f)
	if f.Unresampled != nil {
		c.unresampled = f.Unresampled
	}
}

// Clear forgets both.
func (c *culling) Clear() { c.ground, c.unresampled = plane.Ground{}, nil }

// Draw shows what happens to particles that are weighed, one phase at a time: their areas are their weights, light
// ones drop, heavy ones split into copies, copies move apart. Below are the weights side by side, the same of a run
// without resampling, and the family tree; at the right is the effective sample size.
func (c *culling) Draw(a *paint.Area) []paint.Layer {
	p := c.Run
	w, among := p.Pick(c.has)
	if w == nil || a.W < 200*a.Unit || a.H < 140*a.Unit {
		return []paint.Layer{paint.Note(a, "No particles yet")}
	}
	u := a.Unit
	v := newSelection(a, p, w, c.record(w, p))
	v.scene = c
	var top paint.Layer
	y := record.Header(a, p, &top, v.pad, w, among)
	y = v.words(&top, y+16*u, a.H >= 330*u) + 10*u

	// The particles, the weights and the tree, from the top, and the column beside the particles. On a low canvas the
	// particles come first.
	high := a.H - y
	bars, tree := 26*u, 0.0
	if v.unresampled() != nil && high >= 180*u {
		bars += 26 * u
	}
	if high >= 240*u {
		tree = 0.26 * high
	}
	if !a.Shows("details") {
		return append(v.particles(paint.XYWH(v.pad, y, a.W-2*v.pad, high-20*u)), top)
	}
	arena := paint.XYWH(v.pad, y, a.W-2*v.pad-v.wide(), high-bars-tree-20*u)
	layers := v.particles(arena)
	v.column(&top, paint.XYWH(a.W-v.pad-v.wide()+18*u, y, v.wide()-18*u, arena.H))
	v.bars(&top, paint.XYWH(v.pad, arena.Y+arena.H+8*u, a.W-2*v.pad, bars))
	if tree > 0 {
		layers = append(layers, v.family(paint.XYWH(v.pad, a.H-tree-8*u, a.W-2*v.pad, tree)))
	}
	return append(layers, top)
}

// selection is a layout of the scene: the change of an island from one moment of its record to the next.
type selection struct {
	scene  *culling
	a      *paint.Area
	p      *record.Run
	w      *record.Particles
	is     *record.Island
	i      int            // place of the moment on show
	m, q   *record.Moment // on show, and the one before, nil: none
	done   float64        // how far the change has come
	pad    float64
	kids   []int32   // of each row before: its rows in the moment on show
	size   []float64 // weights over their mean, of the moment on show
	before []float64 // of the one before
	all    []body
}

func newSelection(a *paint.Area, p *record.Run, w *record.Particles, is *record.Island) *selection {
	v := &selection{a: a, p: p, w: w, is: is, pad: 24 * a.Unit}
	if a.Compact() {
		v.pad = 14 * a.Unit
	}
	v.i, v.done = v.is.PlaybackAt(p.Now, a.Still)
	v.m = &v.is.Moments[v.i]
	v.size = v.m.OverMean()
	if v.i > 0 {
		v.q = &v.is.Moments[v.i-1]
		v.before = v.q.OverMean()
		v.kids = v.m.Offspring(v.q)
	}
	v.all = v.bodies()
	return v
}

// part is how far a change is between two moments of another one; it begins and ends slowly.
func part(done, from, to float64) float64 {
	x := min(max((done-from)/(to-from), 0), 1)
	return x * x * (3 - 2*x)
}

// Parts of the change of a resampling: first the light ones grey and the copies are counted, then they part.
const counted = 0.35

// body is a particle on its way.
type body struct {
	row, from int     // rows of this moment and of the moment before: -1 where a particle leaves or comes
	size      float64 // its weight over the mean
	way       float64 // from its place before to its own
	gone      float64 // 1: not to be seen
}

// bodies are the particles as the change has come: those that leave first, because they lie below the others.
func (v *selection) bodies() (out []body) {
	f, m := v.done, v.m
	if v.q != nil && f < 1 {
		for p := range v.q.Rows {
			if v.kids[p] == 0 {
				out = append(out, body{row: record.NoRow, from: p, size: v.before[p], gone: part(f, counted, 1)})
			}
		}
	}

	// Rows of the moment, on the way from their parents.
	for row := range m.Rows {
		b := body{row: row, from: record.NoRow, size: v.size[row], way: 1}
		p := m.Parent(row)
		switch {
		case f >= 1 || v.q == nil:
		case p < 0 || p >= v.q.Rows:
			b.gone = 1 - part(f, 0, 1)
		case m.Phase == record.Resampling:
			each := v.before[p] / float64(v.kids[p])
			b.from, b.way = p, part(f, counted, 1)
			b.size = each + (b.size-each)*b.way
		case m.Phase == record.Reweighting:
			// In a record that leaves rungs out they have moved meanwhile, and others are gone.
			b.from, b.way = p, part(f, 0, 0.4)
			b.size = v.before[p] + (b.size-v.before[p])*part(f, 0.3, 1)
		default:
			b.from, b.way = p, part(f, 0, 1)
			b.size = v.before[p] + (b.size-v.before[p])*b.way
		}
		out = append(out, b)
	}
	return out
}

// words writes the phases, the present phase in bold, and perhaps a sentence on that phase. It returns the height used.
func (v *selection) words(l *paint.Layer, y float64, explain bool) float64 {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	end := v.controls(l, y)

	// The names of the phases, as many as fit.
	x := v.pad
	for _, k := range [...]int{record.Reweighting, record.Generating, record.Resampling, record.Moving, record.Augmenting} {
		if v.is.PhasesSeen>>k&1 == 0 {
			continue
		}
		s, st, c := a.Say(phaseNames[k]), paint.Plain, t.Ink3
		wd := a.Fonts.Width(s, paint.Strong)
		if x+wd > end {
			break
		}
		if k == v.m.Phase {
			st, c = paint.Strong, t.Ink
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x, y+4*u, wd, 2.5*u)), Color: t.Methods[0]})
		}
		l.Label(s, x, y, st, c, paint.Left)
		x += wd + 16*u
	}
	if !explain {
		return y
	}

	// A sentence on the phase, cut on a phone.
	y += 24 * u
	if s := v.sentence(); a.Fonts.Width(s, paint.Plain) < a.W-2*v.pad {
		l.Label(s, v.pad, y, paint.Plain, t.Ink2, paint.Left)
	} else if i := strings.LastIndex(s, ": "); i > 0 { // the first half of it, on a phone
		l.Label(s[i+2:], v.pad, y, paint.Plain, t.Ink2, paint.Left)
	}
	return y
}

// phaseNames are what the phases are called.
var phaseNames = [...]string{record.Starting: "init", record.Moving: "move", record.Reweighting: "reweight", record.Generating: "generate",
	record.Resampling: "resample", record.Augmenting: "augment"}

// rules are what the schemes of resampling are called.
var rules = map[string]string{"residual": "residual rule", "multinomial": "multinomial rule",
	"stratified": "stratified rule", "systematic": "systematic rule"}

// sentence says what the phase does.
func (v *selection) sentence() string {
	a := v.a
	switch v.m.Phase {
	case record.Reweighting:
		if v.is.Filter != nil {
			return a.Say("Weigh: the better a particle explains the datum, the larger it is.")
		}
		return a.Say("Weigh: the better a particle fits what comes next, the larger it is.")
	case record.Generating:
		return a.Say("Generate: too few carry the weight, so moved copies join.")
	case record.Resampling:
		return v.counted()
	case record.Moving:
		if v.is.Filter != nil {
			return a.Say("Move: each draws its next state.")
		}
		return a.Say("Move: copies part, while their distribution stays.")
	case record.Augmenting:
		return a.Say("Grow: each draws what comes next.")
	}
	return a.Say("At first all weigh the same.")
}

// counted says how many particles the resampling takes away and how many it copies.
func (v *selection) counted() string {
	gone, copied := 0, 0
	for _, k := range v.kids {
		if k == 0 {
			gone++
		} else if k > 1 {
			copied++
		}
	}
	words := v.a.Say("Resample (@): # light ones leave, % heavy ones split.")
	return strings.NewReplacer("@", v.a.Say(rules[v.m.Weighing.Rule]), "#", strconv.Itoa(gone), "%",
		strconv.Itoa(copied)).Replace(words)
}

// controls writes at the right where the run is, and what stops it or lets it go on. It returns where they begin.
func (v *selection) controls(l *paint.Layer, y float64) float64 {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	s := a.Say("Pause")
	if r := &v.is.Playback; r.Paused || v.done >= 1 && v.i == len(v.is.Moments)-1 {
		s = a.Say("Play")
	}
	end := a.W - v.pad - max(a.Fonts.Width(a.Say("Pause"), paint.Strong), a.Fonts.Width(a.Say("Play"), paint.Strong))
	if !a.Still {
		is, p := v.is, v.p
		a.Link(l, s, end, y, paint.Strong, t.Ink, 12, paint.Action{Do: func(paint.Point) { is.Toggle(p.Now) }})
	}
	at := v.place()
	if z := v.m.Weighing.LogZ; num.Finite(z) && !a.Compact() {
		at += "    " + a.Say("log Z so far")
		if v.is.Filter == nil && v.w.HasOthers(v.is) { // the estimate of the run is that of all islands
			at += ", " + a.Say("island") + " 1:"
		}
		at += " " + format.Fixed(z, 2)
	}
	end -= 18*u + a.Fonts.Width(at, paint.Plain)
	l.Label(at, end, y, paint.Plain, t.Ink, paint.Left)
	return end - 18*u
}

// place is the temperature or the stage on show.
func (v *selection) place() string {
	if q := v.is.Filter; q != nil {
		return "t = " + format.Grouped(float64(q.First+v.m.Stage+1), 0)
	}
	if !num.Known(v.m.Beta) {
		return "n = " + format.Grouped(float64(v.m.Stage), 0)
	}
	beta := v.m.Beta
	if v.q != nil && num.Known(v.q.Beta) {
		beta = v.q.Beta + (beta-v.q.Beta)*part(v.done, 0, 1)
	}
	return "\u03b2 = " + format.Trimmed(beta, 2)
}

// unresampled is what a run without resampling has, nil where there is none.
func (v *selection) unresampled() *frame.Unresampled {
	if x := v.scene.unresampled; v.is == v.w.WeightedIsland && x != nil && len(x.Beta) > 0 {
		return x
	}
	return nil
}

// wide is the width of the column, with the space before it and the number of the particles beside it.
func (v *selection) wide() float64 {
	u := v.a.Unit
	if v.a.Compact() {
		return max(66*u, 42*u+v.a.Fonts.Width(v.ofAll(), paint.Tick))
	}
	return 104 * u
}

// ofAll says how many particles there are.
func (v *selection) ofAll() string {
	return v.a.Say("of") + " " + format.Grouped(float64(v.m.AllRows), 0)
}

// column is the effective sample size, with the line below which particles are resampled.
func (v *selection) column(l *paint.Layer, b paint.Rect) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	x := v.m.Weighing
	ess := float64(x.ESS)
	if v.q != nil && v.q.Weighing != nil {
		ess = float64(v.q.Weighing.ESS) + (ess-float64(v.q.Weighing.ESS))*part(v.done, 0.3, 1)
	}
	l.Label(a.Say("ESS"), b.X, b.Y+12*u, paint.Strong, t.Ink, paint.Left)
	bar := paint.Snap(paint.XYWH(b.X, b.Y+24*u, min(26*u, max(b.W/3, 16*u)), b.H-24*u))
	if bar.H < 30*u || !num.Finite(ess) {
		return
	}
	ess = min(max(ess, 0), 1)
	ink := t.Methods[0]
	if ess < float64(x.Threshold) {
		ink = t.Caution
	}
	y := bar.Y + bar.H*(1-ess)
	l.Add(paint.Mark{Kind: paint.Fill, Box: bar, Color: t.Track},
		paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(bar.X, y, bar.W, bar.Y+bar.H-y)), Color: ink})

	// The number beside its height, and the line, whose words give way to it.
	n := float64(v.m.AllRows)
	at := min(max(y+5*u, bar.Y+10*u), bar.Y+bar.H-16*u)
	right := bar.X + bar.W + 6*u
	l.Label(format.Grouped(ess*n, 0), right, at, paint.Strong, t.Ink, paint.Left)
	l.Label(v.ofAll(), right, at+15*u, paint.Tick, t.Ink2, paint.Left)
	if line := bar.Y + bar.H*(1-float64(x.Threshold)); x.Threshold > 0 && x.Threshold <= 1 {
		ends := []paint.Point{{X: bar.X - 5*u, Y: line}, {X: bar.X + bar.W + 5*u, Y: line}}
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: ends,
			Width: 1.5 * u * t.Stroke, Dash: [2]float64{4 * u, 3 * u}, Color: t.Ink})
		if math.Abs(line-at) > 30*u && !a.Compact() {
			l.Label(a.Say("resample"), right+2*u, line-2*u, paint.Tick, t.Ink2, paint.Left)
			l.Label(a.Say("below"), right+2*u, line+12*u, paint.Tick, t.Ink2, paint.Left)
		}
	}
}
