package render

import (
	"bytes"
	"math"
	"slices"
	"sort"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/render/paint"
)

// This file records runs that form their particles stage by stage: for each lane the
// pictures at earlier stages, packed to bits, and which row each row descends from.

const (
	maxIslands  = 64
	maxMoments  = 1024
	maxRecorded = 16 << 20 // bytes of one island's moments
	nobody      = -1       // the parent of a new row
)

// moment.phase is an index into frame.FormingPhases; these are the ones that layouts ask for.
const (
	starting    = 0
	moving      = 1
	reweighting = 2 // of a run that forms its particles: smooth
	generating  = 3
	resampling  = 4
	augmenting  = 5
)

// island is one lane of a run that forms its particles.
type island struct {
	first   int
	w, h    int           // cells of a picture, 0: none
	stages  int           // of the run; rungs of one along temperatures
	growth  *frame.Growth // of the newest frame, nil along temperatures
	latent  *frame.Latent
	moments []moment
	tree    tree
	next    int // id of the next moment; ids begin at 1
	bytes   int
	phases  uint // those that were seen, by bit

	seen, began, glide float64 // seconds: the newest frame, and how long its change takes
	slow               bool    // frames come slowly enough to be watched one by one

	filter *flow   // whose particles these are, nil: those of the run
	review review  // of the scene resampling
	back   int     // id of the moment on show, 0: the newest
	marked [2]int  // id of a moment and row in it whose line is followed; id 0: nobody
	reach  float64 // of latent values
}

// longest is how long the change of a phase takes at most, in seconds; stepwise the
// time between frames from which on each is followed: slow motion takes 0.1 and more.
const longest, stepwise = 0.4, 0.08

// grow records a frame of a run that forms its particles.
func (w *wall) grow(f *frame.Frame, now float64) {
	if w.islands == nil {
		w.islands = map[int]*island{}
	}
	is := w.islands[f.First]
	if is == nil {
		if len(w.islands) >= maxIslands {
			return
		}
		is = &island{first: f.First, next: 1}
		w.islands[f.First] = is
	}
	// Pictures are kept of the island on show only; of the others, what they know of Z.
	for _, other := range w.islands {
		if other.first > is.first {
			other.moments, other.bytes = nil, 0
		}
	}
	if is == w.island() {
		is.take(f, now)
	} else {
		is.growth = f.Growth
	}
}

// island returns the lane on show: the one with the first rows.
func (w *wall) island() (best *island) {
	for _, is := range w.islands {
		if best == nil || is.first < best.first {
			best = is
		}
	}
	return best
}

// all are the islands in the order of their rows.
func (w *wall) all() (out []*island) {
	for _, is := range w.islands {
		out = append(out, is)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].first < out[j].first })
	return out
}

func (is *island) take(f *frame.Frame, now float64) {
	pw, ph := f.W, f.H
	if len(f.Pixels) == 0 {
		pw, ph = 0, 0
	}
	s, stages, parents := momentOf(f, is.newest())
	if is.next > 1 && (stages != is.stages || pw != is.w || ph != is.h) {
		*is = island{first: is.first, next: is.next}
	}
	is.w, is.h, is.stages, is.growth = pw, ph, stages, f.Growth

	// A lane that lost its worker goes back: later moments are forgotten.
	for n := len(is.moments); n > 0 && is.moments[n-1].stage > s.stage; n-- {
		is.bytes -= is.moments[n-1].size()
		is.moments = is.moments[:n-1]
	}
	s.id = is.next
	is.next++
	if s.phase >= 0 {
		is.phases |= 1 << s.phase
	}
	if pw > 0 {
		s.pack(f)
	}
	if len(f.LogW) >= s.rows {
		s.logW = slices.Clone(f.LogW[:s.rows])
	}
	if l := f.Latent; l != nil {
		is.latent = l
		s.mean, s.at = l.Mean, l.At
		if n := l.GW * l.GH; len(l.Values) >= s.rows*n {
			s.values = l.Values[:s.rows*n]
		}
		is.stretch(s.values)
	}
	if pw == 0 && len(f.Points) >= 2*s.rows {
		s.points = f.Points[:2*s.rows]
	}
	s.descend(parents, is.newest())
	if q := is.newest(); q != nil && q.stage == s.stage && q.phase == s.phase && q.rows == s.rows &&
		bytes.Equal(q.bits, s.bits) && slices.Equal(q.values, s.values) && slices.Equal(q.points, s.points) {
		return // a frame that was shown before, as after a reload of the window
	}
	gap := now - is.seen

	// Slow motion shows every step; a slow machine leaves some out, and is not animated.
	q := is.newest()
	is.slow = q != nil && gap > stepwise && s.stage-q.stage <= 1
	is.seen, is.began, is.glide = now, now, 0
	if is.slow {
		is.glide = min(gap, longest)
	}
	if n := len(is.moments); n > 0 && is.back == 0 && is.marked[0] == is.moments[n-1].id {
		// Whoever is followed lives on in its first child, or has died out.
		if k := s.child(is.marked[1]); k >= 0 {
			is.marked = [2]int{s.id, k}
		}
	}
	is.moments = append(is.moments, s)
	is.bytes += s.size()

	// The sweeps of a move end as one moment; the newest two stand as they came, for whoever watches.
	if n := len(is.moments); n > 2 && is.moments[n-2].goesOn(&is.moments[n-3]) {
		is.bytes -= is.moments[n-3].size()
		is.inherit(&is.moments[n-3], &is.moments[n-2])
		is.moments = slices.Delete(is.moments, n-3, n-2)
	}
	for len(is.moments) > maxMoments || is.bytes > maxRecorded && len(is.moments) > 8 {
		is.thin()
	}
}

// momentOf reads a frame: the moment without its rows, the number of stages, and the parents of the rows among those of
// the moment before.
func momentOf(f *frame.Frame, before *moment) (s moment, stages int, parents []int32) {
	s = moment{rows: min(f.N, maxSlots), weighing: f.Weighing, beta: math.NaN()}
	if g := f.Growth; g != nil {
		s.stage, s.phase = g.Stage, indexOf(frame.FormingPhases[:], f.Phase)
		return s, g.Stages, g.Parents
	}
	if x := f.Weighing; x.Phase == frame.PhaseReweight {
		s.phase = reweighting
	} else {
		s.phase = indexOf(frame.FormingPhases[:], x.Phase)
	}
	if f.W == 0 || len(f.Pixels) == 0 {
		s.rows = min(f.N, maxPoints)
	}
	if len(f.Rung) > 0 {
		s.stage = int(f.Rung[0])
	}
	if len(f.Beta) > 0 {
		s.beta = float64(f.Beta[0])
	}
	if parents = f.Parents; before != nil && (before.weighing == nil || before.weighing.At != f.Weighing.Before) {
		parents = slices.Repeat([]int32{nobody}, f.N) // of a frame that did not come
	}
	return s, max(f.Rungs-1, 1), parents
}

// thin drops every other moment but the last; the next ones inherit.
func (is *island) thin() {
	n := len(is.moments)
	out := is.moments[:0]
	is.bytes = 0
	for i := range n {
		s := is.moments[i]
		if i%2 == 1 && i+1 < n {
			is.inherit(&s, &is.moments[i+1])
			continue
		}
		out = append(out, s)
		is.bytes += s.size()
	}
	clear(is.moments[len(out):n])
	is.moments = out
}

func (is *island) newest() *moment {
	if len(is.moments) == 0 {
		return nil
	}
	return &is.moments[len(is.moments)-1]
}

// index is the place of the moment with an id, or of the last one before it.
func (is *island) index(id int) int {
	i := sort.Search(len(is.moments), func(i int) bool { return is.moments[i].id > id })
	return max(i-1, 0)
}

// shown is the place of the moment on show; there is at least one moment.
func (is *island) shown() int {
	if is.back == 0 {
		return len(is.moments) - 1
	}
	return is.index(is.back)
}

// trace follows a row of moment from to moment to: up to its ancestor or down to its
// first descendant; -1 if there is none.
func (is *island) trace(from, row, to int) int {
	for ; from > to; from-- {
		row = is.moments[from].parent(row)
	}
	for ; from < to && row >= 0; from++ {
		row = is.moments[from+1].child(row)
	}
	return row
}

// line lists the row of each moment up to from on the line of a row of that one,
// -1 before it was shown.
func (is *island) line(from, row int) []int {
	out := make([]int, from+1)
	for j := from; j >= 0; j-- {
		out[j] = row
		row = is.moments[j].parent(row)
	}
	return out
}

// show goes back to the moment at a place; the last one is live again.
func (is *island) show(i int) {
	is.back = 0
	if i = max(i, 0); i < len(is.moments)-1 {
		is.back = is.moments[i].id
	}
}

// scrub shows the last moment at or before a stage.
func (is *island) scrub(stage float64) {
	i := sort.Search(len(is.moments), func(i int) bool { return float64(is.moments[i].stage) > stage })
	is.show(i - 1)
}

// progress is how far the change of the newest moment has come, 1: done.
func (is *island) progress(now float64, still bool) float64 {
	if still || is.glide <= 0 || is.back != 0 {
		return 1
	}
	return min(max((now-is.began)/is.glide, 0), 1)
}

// cell is the picture cell of coordinate n (from 0), -1 if there is none.
func (is *island) cell(n int) int {
	c := n
	if len(is.growth.Cell) > 0 {
		if n < 0 || n >= len(is.growth.Cell) {
			return -1
		}
		c = int(is.growth.Cell[n])
	}
	if n < 0 || c < 0 || c >= is.w*is.h {
		return -1
	}
	return c
}

// stretch widens the range of latent values that are drawn to hold all new values but a few; the range never
// narrows.
func (is *island) stretch(values []float32) {
	if len(values) == 0 {
		return
	}
	far := make([]float64, 0, len(values)/7+1)
	for i := 0; i < len(values); i += 7 {
		if v := math.Abs(float64(values[i])); v < 1e6 {
			far = append(far, v)
		}
	}
	if sort.Float64s(far); len(far) > 0 {
		is.reach = max(is.reach, math.Ceil(2*far[len(far)*19/20])/2)
	}
}

// forms tells whether a wall's run forms its particles step by step.
func forms(w *wall) bool { return len(w.islands) > 0 }

// leaf takes a key of a scene that goes through the record of an island: the arrows go
// back and forth in it, Escape leaves the past or the line that is followed.
func (p *Run) leaf(key string) bool {
	w, _ := p.pick(forms)
	return w != nil && w.island().key(key)
}

// tellStage says which stage is on show, and log Z there.
func tellStage(a *paint.Area, p *Run) string {
	w, _ := p.pick(forms)
	if w == nil || len(w.island().moments) == 0 {
		return ""
	}
	is := w.island()
	n := is.moments[is.shown()].stage
	text := "n = " + format.Grouped(float64(n), 0) + " / " + format.Grouped(float64(is.growth.Stages), 0)
	for _, r := range is.growth.Record {
		if r.N+1 == n {
			text += ", " + a.Say("log Z so far") + ": " + format.Fixed(r.LogZ, 2)
		}
	}
	return text
}

// unmark follows no line any more.
func (p *Run) unmark() {
	if w, _ := p.pick(forms); w != nil {
		w.island().marked = [2]int{}
	}
}

func (is *island) key(name string) bool {
	i := len(is.moments) - 1
	if i < 0 {
		return false
	}
	i = is.shown()
	switch {
	case name == "ArrowLeft" && i > 0:
		is.show(i - 1)
	case name == "ArrowRight" && is.back != 0:
		is.show(i + 1)
	case name == "Home" && i > 0:
		is.show(0)
	case name == "End" && is.back != 0, name == "Escape" && is.back != 0:
		is.back = 0
	case name == "Escape" && is.marked[0] != 0:
		is.marked = [2]int{}
	default:
		return false
	}
	return true
}

// changing tells whether the change of a newest moment is still under way.
func (p *Run) changing(still bool) bool {
	for _, w := range p.walls {
		if is := w.island(); is != nil && is.progress(p.now, still) < 1 {
			return true
		}
	}
	return false
}
