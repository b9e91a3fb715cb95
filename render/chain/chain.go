// Package chain is the scene of one tempering chain: how it moves in the plane while its temperature moves on the
// ladder, and how often all chains visit each temperature.
//
// chain.go: the state of the scene and its layout; plane.go: the plane with the path of the chain; ladder.go: its path
// on the ladder, visits and estimates of log Z.
package chain

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/plane"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("chain", func(r *record.Run) scene.Scene { return &chain{Base: scene.Base{Run: r}} })

// pathMoves is the number of moves that the path in the plane shows, ladderMoves the number on the ladder.
const pathMoves, ladderMoves = 40, 160

// chain draws the first chain of a run.
type chain struct {
	scene.Base
	background plane.Background
	paths      map[string]*path // by method
	switched   bool             // the viewer has switched between the path of one chain and all chains
	beta       float64          // inverse temperature of the relief, which follows the chain; NaN at first
	betaTime   float64          // when beta was set, in seconds
	moving     bool             // beta has not reached the chain's yet
}

// path has the last moves of the first chain of a method.
type path struct {
	phase string
	moves []frame.Move // oldest first, at most ladderMoves
	trips int
	rungs int
	now   frame.Move // the state of the chain after the last move, and its temperature then
}

// Take implements Scene. Frames overlap: only moves that are newer than the last stored one are added.
func (s *chain) Take(f *frame.Frame) {
	s.background.Take(f)
	if f.Chain == nil || f.First != 0 {
		return
	}
	if s.paths == nil {
		s.paths = map[string]*path{}
	}
	p := s.paths[f.Method]
	if p == nil || p.phase != f.Phase || len(p.moves) > 0 && f.Step < p.moves[len(p.moves)-1].Step {
		p = &path{phase: f.Phase}
		s.paths[f.Method] = p
	}
	p.trips, p.rungs = f.Chain.Trips, f.Rungs
	if len(f.Points) > 1 && len(f.Beta) > 0 && len(f.Rung) > 0 {
		p.now = frame.Move{X: f.Points[0], Y: f.Points[1], Beta: f.Beta[0], Rung: int(f.Rung[0])}
	}
	last := -1
	if n := len(p.moves); n > 0 {
		last = p.moves[n-1].Step
	}
	for _, m := range f.Chain.Moves {
		if m.Step > last && num.Finite(float64(m.X)+float64(m.Y)) {
			p.moves = append(p.moves, m)
		}
	}
	if n := len(p.moves) - ladderMoves; n > 0 {
		p.moves = append(p.moves[:0], p.moves[n:]...)
	}
}

// Clear implements Scene.
func (s *chain) Clear() {
	s.background, s.paths, s.beta = plane.Background{}, nil, math.NaN()
}

// Key implements Scene: a switches between one chain and all chains.
func (s *chain) Key(key string) bool {
	if key != "a" {
		return false
	}
	s.switched = !s.switched
	return true
}

// IsAnimating implements Scene.
func (s *chain) IsAnimating(still bool) bool {
	return !still && (s.moving || s.Run.IsGliding()) ||
		s.background.Density() != nil && s.background.Density().ReliefPending
}

// pick returns the method that is shown and its path, nil if no frame has one.
func (s *chain) pick() (w *record.Particles, among []*record.Particles, p *path) {
	w, among = s.Run.Pick(func(w *record.Particles) bool { return s.paths[w.Method] != nil })
	if w == nil {
		return nil, nil, nil
	}
	return w, among, s.paths[w.Method]
}

// Describe implements Scene.
func (s *chain) Describe(a *paint.Area) string {
	w, _, p := s.pick()
	if w == nil || len(p.moves) == 0 || len(w.Slots) == 0 {
		return ""
	}
	accepted, shown := 0, p.last(pathMoves)
	for _, m := range shown {
		if m.Accepted {
			accepted++
		}
	}
	return strings.Join([]string{record.FormatBeta(float64(p.now.Beta)), tripsText(a, p.trips),
		replace(a.Say("# of the last @ proposals were accepted"), accepted, len(shown))}, ". ")
}

// last returns the last n moves.
func (p *path) last(n int) []frame.Move { return p.moves[max(len(p.moves)-n, 0):] }

// tripsText returns the number of round trips in words.
func tripsText(a *paint.Area, n int) string {
	if n == 1 {
		return a.Say("1 round trip")
	}
	return strings.ReplaceAll(a.Say("# round trips"), "#", strconv.Itoa(n))
}

// replace inserts two numbers into a text for # and @.
func replace(text string, first, second int) string {
	return strings.NewReplacer("#", strconv.Itoa(first), "@", strconv.Itoa(second)).Replace(text)
}

// view is the layout of the scene.
type view struct {
	*chain
	a    *paint.Area
	w    *record.Particles
	path *path
	// allChains shows all chains and their visits instead of the path of one. A link chooses it by view.hide=path.
	allChains bool
	box       paint.Rect // of the plane
	ladder    paint.Rect // of the ladder
	sx, sy    paint.Axis
	beta      float64 // inverse temperature of the relief
}

// Draw implements Scene.
func (s *chain) Draw(a *paint.Area) []paint.Layer {
	w, among, p := s.pick()
	if w == nil || len(w.Slots) == 0 || len(p.moves) == 0 || a.W < 200*a.Unit || a.H < 140*a.Unit {
		return []paint.Layer{paint.Note(a, "No chain yet")}
	}
	u := a.Unit
	v := &view{chain: s, a: a, w: w, path: p, allChains: s.switched == a.Shows("path")}
	var top paint.Layer
	pad := 24 * u
	if a.Compact() {
		pad = 12 * u
	}
	header := record.Header(a, s.Run, &top, pad, w, among)

	// The plane at the left, the ladder at the right, with room for a headline above both.
	head, foot := 48*u, 30*u
	side := min(max(0.22*a.W, 76*u), 300*u)
	labels := 28 * u
	y := header + head
	v.box = paint.Snap(paint.XYWH(pad, y, a.W-2*pad-side-labels, a.H-y-foot))
	v.ladder = paint.Snap(paint.XYWH(a.W-pad-side, y, side, a.H-y-foot))
	if a.H > 1.4*a.W { // in an upright picture the ladder is below the plane
		high := a.H - y - head - foot
		v.box = paint.Snap(paint.XYWH(pad, y, a.W-2*pad, 0.6*high))
		v.ladder = paint.Snap(paint.XYWH(pad, v.box.Y+v.box.H+head, a.W-2*pad, 0.4*high))
	}
	if !v.fitAxes() {
		return []paint.Layer{paint.Note(a, "No chain yet")}
	}
	v.followBeta()

	var back, inside, front paint.Layer
	inside.Clip = v.box
	v.drawRelief(&back)
	if v.allChains {
		v.drawAllChains(&inside)
		v.drawVisits(&front)
	} else {
		v.drawPath(&inside)
		v.drawLadder(&front)
	}
	v.drawHeadline(&front, header)
	return []paint.Layer{back, inside, front, top}
}

// drawHeadline writes the number of round trips above the ladder, the temperature above the plane, and the switch
// between one chain and all below.
func (v *view) drawHeadline(l *paint.Layer, y float64) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	l.Label(record.FormatBeta(v.beta), v.box.X, y+20*u, paint.Strong, t.Ink, paint.Left)
	title := tripsText(a, v.path.trips)
	if v.allChains {
		title = a.Say("visits and log Z")
	}
	l.Label(a.Fonts.Fit(title, paint.Strong, v.ladder.W+24*u), v.ladder.X+v.ladder.W, v.ladder.Y-28*u, paint.Strong, t.Ink, paint.Right)
	other := a.Say("Show all chains")
	if v.allChains {
		other = a.Say("Follow one chain")
	}
	a.Link(l, other, v.box.X, v.box.Y+v.box.H+20*u, paint.Plain, t.Ink2, 6, paint.Action{Do: func(paint.Point) {
		v.switched = !v.switched
	}})
}

// fitAxes sets the scales of the plane: those of the density, or of the particles of a model without a picture of its
// density. It returns false if there is nothing to show.
func (v *view) fitAxes() bool {
	if d := v.background.Density(); d != nil {
		v.sx, v.sy = d.Fit(v.box)
		return true
	}
	lo, hi, any := record.Extent(v.w, true)
	if !any {
		return false
	}
	v.sx = paint.NewAxis(lo.X, hi.X, v.box.X, v.box.X+v.box.W)
	v.sy = paint.NewAxis(lo.Y, hi.Y, v.box.Y+v.box.H, v.box.Y)
	return true
}

// followBeta moves the temperature of the relief towards that of the chain, so that hills melt and rise smoothly; with
// all chains the relief is the target.
func (v *view) followBeta() {
	const seconds = 0.25 // in which two thirds of the distance are covered
	target := float64(v.path.now.Beta)
	if v.allChains {
		target = 1
	}
	elapsed := v.Run.Now - v.betaTime
	if v.betaTime = v.Run.Now; v.a.Still || !num.NotNaN(v.chain.beta) || elapsed > 2 {
		v.chain.beta = target
	} else {
		v.chain.beta += (target - v.chain.beta) * (1 - math.Exp(-max(elapsed, 0)/seconds))
	}
	if v.moving = math.Abs(target-v.chain.beta) > 0.002; !v.moving {
		v.chain.beta = target
	}
	v.beta = v.chain.beta
}
