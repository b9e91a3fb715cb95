// Package resampling contains two scenes of particles that are weighted and resampled, phase by phase: the scene
// resampling for the particles of a run, and the scene filter for a particle filter.
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

// resampling is a scene of particles that are weighted and resampled. It shows a record of the run, or of a particle
// filter (filter.go).
type resampling struct {
	scene.Base
	accepts     func(*record.Particles) bool
	record      func(*record.Particles, *record.Run) *record.Island
	background  plane.Background
	unresampled *frame.Unresampled // weights of the same run without resampling, or nil
}

var (
	_ = scene.Register("resampling", func(r *record.Run) scene.Scene {
		return &resampling{Base: scene.Base{Run: r}, accepts: record.HasWeights,
			record: func(w *record.Particles, _ *record.Run) *record.Island { return w.Record() }}
	})
	_ = scene.Register("filter", func(r *record.Run) scene.Scene {
		return &resampling{Base: scene.Base{Run: r}, accepts: record.HasFlow, record: (*record.Particles).FilterRecord}
	})
)

// Take stores the density, and the weights of a run without resampling.
func (c *resampling) Take(f *frame.Frame) {
	c.background.Take(f)
	if f.Unresampled != nil {
		c.unresampled = f.Unresampled
	}
}

// Clear implements Scene.
func (c *resampling) Clear() { c.background, c.unresampled = plane.Background{}, nil }

// Draw shows the changes of the particles, one phase at a time: their areas are their weights, light particles
// disappear, heavy ones split into copies, copies move apart. Below are the weights side by side, the weights of a run
// without resampling, and the family tree; at the right is the effective sample size.
func (c *resampling) Draw(a *paint.Area) []paint.Layer {
	p := c.Run
	w, among := p.Pick(c.accepts)
	if w == nil || a.W < 200*a.Unit || a.H < 140*a.Unit {
		return []paint.Layer{paint.Note(a, "No particles yet")}
	}
	u := a.Unit
	v := newChangeView(a, p, w, c.record(w, p))
	v.scene = c
	var top paint.Layer
	y := record.Header(a, p, &top, v.pad, w, among)
	y = v.phaseLine(&top, y+16*u, a.H >= 330*u) + 10*u

	// The particles, the weights and the tree from the top, and the column at the right of the particles. On a low
	// canvas only the particles are drawn in full.
	height := a.H - y
	bars, tree := 26*u, 0.0
	if v.unresampled() != nil && height >= 180*u {
		bars += 26 * u
	}
	if height >= 240*u {
		tree = 0.26 * height
	}
	if !a.Shows("details") {
		return append(v.particles(paint.XYWH(v.pad, y, a.W-2*v.pad, height-20*u)), top)
	}
	arena := paint.XYWH(v.pad, y, a.W-2*v.pad-v.columnWidth(), height-bars-tree-20*u)
	layers := v.particles(arena)
	v.column(&top, paint.XYWH(a.W-v.pad-v.columnWidth()+18*u, y, v.columnWidth()-18*u, arena.H))
	v.bars(&top, paint.XYWH(v.pad, arena.Y+arena.H+8*u, a.W-2*v.pad, bars))
	if tree > 0 {
		layers = append(layers, v.family(paint.XYWH(v.pad, a.H-tree-8*u, a.W-2*v.pad, tree)))
	}
	return append(layers, top)
}

// changeView is a layout of the scene: the change of an island from one moment of its record to the next.
type changeView struct {
	scene      *resampling
	a          *paint.Area
	p          *record.Run
	w          *record.Particles
	is         *record.Island
	i          int            // index of the moment that is shown
	m, q       *record.Moment // the moment that is shown, and the previous one or nil
	progress   float64        // fraction of the change that is complete
	pad        float64
	children   []int32   // number of children of each row of the previous moment
	size       []float64 // weights over their mean in the shown moment
	sizeBefore []float64 // and in the previous one
	animated   []movingParticle
}

func newChangeView(a *paint.Area, p *record.Run, w *record.Particles, is *record.Island) *changeView {
	v := &changeView{a: a, p: p, w: w, is: is, pad: 24 * a.Unit}
	if a.Compact() {
		v.pad = 14 * a.Unit
	}
	v.i, v.progress = v.is.PlaybackAt(p.Now, a.Still)
	v.m = &v.is.Moments[v.i]
	v.size = v.m.OverMean()
	if v.i > 0 {
		v.q = &v.is.Moments[v.i-1]
		v.sizeBefore = v.q.OverMean()
		v.children = v.m.Offspring(v.q)
	}
	v.animated = v.movingParticles()
	return v
}

// ease returns the fraction of a part [from, to] of a change, with a slow start and end.
func ease(progress, from, to float64) float64 {
	x := min(max((progress-from)/(to-from), 0), 1)
	return x * x * (3 - 2*x)
}

// countTime is the first part of a resampling, in which light particles fade and copies are counted. Then copies move
// apart.
const countTime = 0.35

// movingParticle is a particle during the animation.
type movingParticle struct {
	row, from int     // rows of this and the previous moment; NoRow for a particle that disappears or appears
	size      float64 // weight over the mean
	moved     float64 // fraction of the way from the parent's position to its own
	faded     float64 // 1: invisible
}

// movingParticles returns the particles during the animation. Those that disappear come first, because they are drawn
// below the others.
func (v *changeView) movingParticles() (out []movingParticle) {
	f, m := v.progress, v.m
	if v.q != nil && f < 1 {
		for p := range v.q.Rows {
			if v.children[p] == 0 {
				out = append(out, movingParticle{row: record.NoRow, from: p, size: v.sizeBefore[p], faded: ease(f, countTime, 1)})
			}
		}
	}

	// Rows of the moment, on their way from their parents.
	for row := range m.Rows {
		b := movingParticle{row: row, from: record.NoRow, size: v.size[row], moved: 1}
		p := m.Parent(row)
		switch {
		case f >= 1 || v.q == nil:
		case p < 0 || p >= v.q.Rows:
			b.faded = 1 - ease(f, 0, 1)
		case m.Phase == record.Resampling:
			weightPerCopy := v.sizeBefore[p] / float64(v.children[p])
			b.from, b.moved = p, ease(f, countTime, 1)
			b.size = weightPerCopy + (b.size-weightPerCopy)*b.moved
		case m.Phase == record.Reweighting:
			// In a thinned record they have also moved, and others have disappeared.
			b.from, b.moved = p, ease(f, 0, 0.4)
			b.size = v.sizeBefore[p] + (b.size-v.sizeBefore[p])*ease(f, 0.3, 1)
		default:
			b.from, b.moved = p, ease(f, 0, 1)
			b.size = v.sizeBefore[p] + (b.size-v.sizeBefore[p])*b.moved
		}
		out = append(out, b)
	}
	return out
}

// phaseLine draws the phases, the current one in bold, and optionally a sentence about it. It returns the height used.
func (v *changeView) phaseLine(l *paint.Layer, y float64, explain bool) float64 {
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

	// A sentence about the phase; on a phone its second part.
	y += 24 * u
	if s := v.sentence(); a.Fonts.Width(s, paint.Plain) < a.W-2*v.pad {
		l.Label(s, v.pad, y, paint.Plain, t.Ink2, paint.Left)
	} else if i := strings.LastIndex(s, ": "); i > 0 {
		l.Label(s[i+2:], v.pad, y, paint.Plain, t.Ink2, paint.Left)
	}
	return y
}

// phaseNames are the names of the phases.
var phaseNames = [...]string{record.Starting: "init", record.Moving: "move", record.Reweighting: "reweight",
	record.Generating: "generate", record.Resampling: "resample", record.Augmenting: "augment"}

// schemeNames are the names of the resampling schemes.
var schemeNames = map[string]string{"residual": "residual rule", "multinomial": "multinomial rule",
	"stratified": "stratified rule", "systematic": "systematic rule"}

// sentence explains the phase.
func (v *changeView) sentence() string {
	a := v.a
	switch v.m.Phase {
	case record.Reweighting:
		if v.is.Filter != nil {
			return a.Say("Reweight: particles that explain the datum grow.")
		}
		return a.Say("Reweight: particles that fit the next step grow.")
	case record.Generating:
		return a.Say("Generate: too few particles carry the weight, so moved copies are added.")
	case record.Resampling:
		return v.resamplingSentence()
	case record.Moving:
		if v.is.Filter != nil {
			return a.Say("Move: each draws its next state.")
		}
		return a.Say("Move: copies move apart; their distribution stays the same.")
	case record.Augmenting:
		return a.Say("Grow: each particle draws its next coordinate.")
	}
	return a.Say("At first all weights are equal.")
}

// resamplingSentence returns the numbers of particles that disappear and of particles that are copied.
func (v *changeView) resamplingSentence() string {
	dropped, copied := 0, 0
	for _, k := range v.children {
		if k == 0 {
			dropped++
		} else if k > 1 {
			copied++
		}
	}
	words := v.a.Say("Resample (@): # light particles are dropped, % heavy ones copied.")
	return strings.NewReplacer("@", v.a.Say(schemeNames[v.m.Weighing.Rule]), "#", strconv.Itoa(dropped), "%",
		strconv.Itoa(copied)).Replace(words)
}

// controls draws the temperature or stage, log Z, and the button that pauses or resumes. It returns the right end of
// the free space.
func (v *changeView) controls(l *paint.Layer, y float64) float64 {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	s := a.Say("Pause")
	if r := &v.is.Playback; r.Paused || v.progress >= 1 && v.i == len(v.is.Moments)-1 {
		s = a.Say("Play")
	}
	end := a.W - v.pad - max(a.Fonts.Width(a.Say("Pause"), paint.Strong), a.Fonts.Width(a.Say("Play"), paint.Strong))
	if !a.Still {
		is, p := v.is, v.p
		a.Link(l, s, end, y, paint.Strong, t.Ink, 12, paint.Action{Do: func(paint.Point) { is.Toggle(p.Now) }})
	}
	position := v.place()
	if z := v.m.Weighing.LogZ; num.Finite(z) && !a.Compact() {
		position += "    " + a.Say("log Z so far")
		if v.is.Filter == nil && v.w.HasOtherIslands(v.is) { // all islands contribute to the estimate of the run
			position += ", " + a.Say("group") + " 1:"
		}
		position += " " + format.Fixed(z, 2)
	}
	end -= 18*u + a.Fonts.Width(position, paint.Plain)
	l.Label(position, end, y, paint.Plain, t.Ink, paint.Left)
	return end - 18*u
}

// place returns the temperature or the stage that is shown.
func (v *changeView) place() string {
	if q := v.is.Filter; q != nil {
		return "t = " + format.Grouped(float64(q.First+v.m.Stage+1), 0)
	}
	if !num.NotNaN(v.m.Beta) {
		return "n = " + format.Grouped(float64(v.m.Stage), 0)
	}
	beta := v.m.Beta
	if v.q != nil && num.NotNaN(v.q.Beta) {
		beta = v.q.Beta + (beta-v.q.Beta)*ease(v.progress, 0, 1)
	}
	return "\u03b2 = " + format.Trimmed(beta, 2)
}

// unresampled returns the weights of a run without resampling, or nil.
func (v *changeView) unresampled() *frame.Unresampled {
	if x := v.scene.unresampled; v.is == v.w.WeightedIsland && x != nil && len(x.Beta) > 0 {
		return x
	}
	return nil
}

// columnWidth returns the width of the column including the space left of it and the labels right of it.
func (v *changeView) columnWidth() float64 {
	u := v.a.Unit
	if v.a.Compact() {
		return max(66*u, 42*u+v.a.Fonts.Width(v.countLabel(), paint.Tick))
	}
	return 104 * u
}

// countLabel returns the number of particles as text.
func (v *changeView) countLabel() string {
	return v.a.Say("of") + " " + format.Grouped(float64(v.m.AllRows), 0)
}

// column draws the effective sample size, with the threshold below which particles are resampled.
func (v *changeView) column(l *paint.Layer, b paint.Rect) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	x := v.m.Weighing
	ess := float64(x.ESS)
	if v.q != nil && v.q.Weighing != nil {
		ess = float64(v.q.Weighing.ESS) + (ess-float64(v.q.Weighing.ESS))*ease(v.progress, 0.3, 1)
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

	// The number at its height, and the threshold, whose label is omitted if they overlap.
	n := float64(v.m.AllRows)
	at := min(max(y+5*u, bar.Y+10*u), bar.Y+bar.H-16*u)
	right := bar.X + bar.W + 6*u
	l.Label(format.Grouped(ess*n, 0), right, at, paint.Strong, t.Ink, paint.Left)
	l.Label(v.countLabel(), right, at+15*u, paint.Tick, t.Ink2, paint.Left)
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
