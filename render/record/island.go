package record

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
	MaxMoments  = 1024
	MaxRecorded = 16 << 20 // bytes of one island's moments
	Nobody      = -1       // the parent of a new row
)

// Moment.Phase is an index into frame.FormingPhases; these are the ones that scenes ask for.
const (
	Starting    = 0
	Moving      = 1
	Reweighting = 2 // of a run that forms its particles: smooth
	Generating  = 3
	Resampling  = 4
	Augmenting  = 5
)

// Island is the record of one lane whose particles are weighed, resampled or formed step by step.
type Island struct {
	First   int
	W, H    int           // cells of a picture, 0: none
	stages  int           // of the run; rungs of one along temperatures
	Growth  *frame.Growth // of the newest frame, nil along temperatures
	Latent  *frame.Latent
	Moments []Moment
	Tree    Tree
	Next    int // id of the next moment; ids begin at 1
	Bytes   int
	Phases  uint // those that were seen, by bit

	seen, Began, Glide float64 // seconds: the newest frame, and how long its change takes
	Slow               bool    // frames come slowly enough to be watched one by one

	Filter *Flow   // whose particles these are, nil: those of the run
	Review Review  // of the scene resampling
	Back   int     // id of the moment on show, 0: the newest
	Marked [2]int  // id of a moment and row in it whose line is followed; id 0: nobody
	Reach  float64 // of latent values
}

// Longest is how long the change of a phase takes at most, in seconds; stepwise the
// time between frames from which on each is followed: slow motion takes 0.1 and more.
const Longest, stepwise = 0.4, 0.08

// Grow records a frame of a run that forms its particles.
func (w *Particles) Grow(f *frame.Frame, now float64) {
	if w.Islands == nil {
		w.Islands = map[int]*Island{}
	}
	is := w.Islands[f.First]
	if is == nil {
		if len(w.Islands) >= maxIslands {
			return
		}
		is = &Island{First: f.First, Next: 1}
		w.Islands[f.First] = is
	}
	// Pictures are kept of the island on show only; of the others, what they know of Z.
	for _, other := range w.Islands {
		if other.First > is.First {
			other.Moments, other.Bytes = nil, 0
		}
	}
	if is == w.Island() {
		is.Take(f, now)
	} else {
		is.Growth = f.Growth
	}
}

// Island returns the lane on show: the one with the first rows.
func (w *Particles) Island() (best *Island) {
	for _, is := range w.Islands {
		if best == nil || is.First < best.First {
			best = is
		}
	}
	return best
}

// Several tells whether an island is one of several of its run.
func (w *Particles) Several(is *Island) bool {
	rows := is.Newest().Lines
	if is.Growth != nil && is.Growth.R > 0 { // without those that are generated for a while
		rows = int(is.Growth.R)
	}
	return w.Total > rows
}

// All are the islands in the order of their rows.
func (w *Particles) All() (out []*Island) {
	for _, is := range w.Islands {
		out = append(out, is)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].First < out[j].First })
	return out
}

func (is *Island) Take(f *frame.Frame, now float64) {
	pw, ph := f.W, f.H
	if len(f.Pixels) == 0 {
		pw, ph = 0, 0
	}
	s, stages, parents := momentOf(f, is.Newest())
	if is.Next > 1 && (stages != is.stages || pw != is.W || ph != is.H) {
		*is = Island{First: is.First, Next: is.Next}
	}
	is.W, is.H, is.stages, is.Growth = pw, ph, stages, f.Growth

	// A lane that lost its worker goes back: later moments are forgotten.
	for n := len(is.Moments); n > 0 && is.Moments[n-1].Stage > s.Stage; n-- {
		is.Bytes -= is.Moments[n-1].Size()
		is.Moments = is.Moments[:n-1]
	}
	s.ID = is.Next
	is.Next++
	if s.Phase >= 0 {
		is.Phases |= 1 << s.Phase
	}
	if pw > 0 {
		s.pack(f)
	}
	if len(f.LogW) >= s.Rows {
		s.LogW = slices.Clone(f.LogW[:s.Rows])
	}
	if l := f.Latent; l != nil {
		is.Latent = l
		s.Mean, s.At = l.Mean, l.At
		if n := l.GW * l.GH; len(l.Values) >= s.Rows*n {
			s.Values = l.Values[:s.Rows*n]
		}
		is.stretch(s.Values)
	}
	if pw == 0 && len(f.Points) >= 2*s.Rows {
		s.Points = f.Points[:2*s.Rows]
	}
	s.descend(parents, is.Newest())
	if q := is.Newest(); q != nil && q.Stage == s.Stage && q.Phase == s.Phase && q.Rows == s.Rows &&
		bytes.Equal(q.Bits, s.Bits) && slices.Equal(q.Values, s.Values) && slices.Equal(q.Points, s.Points) {
		return // a frame that was shown before, as after a reload of the window
	}
	gap := now - is.seen

	// Slow motion shows every step; a slow machine leaves some out, and is not animated.
	q := is.Newest()
	is.Slow = q != nil && gap > stepwise && s.Stage-q.Stage <= 1
	is.seen, is.Began, is.Glide = now, now, 0
	if is.Slow {
		is.Glide = min(gap, Longest)
	}
	if n := len(is.Moments); n > 0 && is.Back == 0 && is.Marked[0] == is.Moments[n-1].ID {
		// Whoever is followed lives on in its first child, or has died out.
		if k := s.Child(is.Marked[1]); k >= 0 {
			is.Marked = [2]int{s.ID, k}
		}
	}
	is.Moments = append(is.Moments, s)
	is.Bytes += s.Size()

	// The sweeps of a move end as one moment; the newest two stand as they came, for whoever watches.
	if n := len(is.Moments); n > 2 && is.Moments[n-2].GoesOn(&is.Moments[n-3]) {
		is.Bytes -= is.Moments[n-3].Size()
		is.inherit(&is.Moments[n-3], &is.Moments[n-2])
		is.Moments = slices.Delete(is.Moments, n-3, n-2)
	}
	for len(is.Moments) > MaxMoments || is.Bytes > MaxRecorded && len(is.Moments) > 8 {
		is.Thin()
	}
}

// momentOf reads a frame: the moment without its rows, the number of stages, and the parents of the rows among those of
// the moment before.
func momentOf(f *frame.Frame, before *Moment) (s Moment, stages int, parents []int32) {
	s = Moment{Rows: min(f.N, MaxSlots), Weighing: f.Weighing, Beta: math.NaN()}
	if g := f.Growth; g != nil {
		s.Stage, s.Phase = g.Stage, IndexOf(frame.FormingPhases[:], f.Phase)
		return s, g.Stages, g.Parents
	}
	if x := f.Weighing; x.Phase == frame.PhaseReweight {
		s.Phase = Reweighting
	} else {
		s.Phase = IndexOf(frame.FormingPhases[:], x.Phase)
	}
	if f.W == 0 || len(f.Pixels) == 0 {
		s.Rows = min(f.N, maxPoints)
	}
	if len(f.Rung) > 0 {
		s.Stage = int(f.Rung[0])
	}
	if len(f.Beta) > 0 {
		s.Beta = float64(f.Beta[0])
	}
	if parents = f.Parents; before != nil && (before.Weighing == nil || before.Weighing.At != f.Weighing.Before) {
		parents = slices.Repeat([]int32{Nobody}, f.N) // of a frame that did not come
	}
	return s, max(f.Rungs-1, 1), parents
}

// Thin drops every other moment but the last; the next ones inherit.
func (is *Island) Thin() {
	n := len(is.Moments)
	out := is.Moments[:0]
	is.Bytes = 0
	for i := range n {
		s := is.Moments[i]
		if i%2 == 1 && i+1 < n {
			is.inherit(&s, &is.Moments[i+1])
			continue
		}
		out = append(out, s)
		is.Bytes += s.Size()
	}
	clear(is.Moments[len(out):n])
	is.Moments = out
}

func (is *Island) Newest() *Moment {
	if len(is.Moments) == 0 {
		return nil
	}
	return &is.Moments[len(is.Moments)-1]
}

// Index is the place of the moment with an id, or of the last one before it.
func (is *Island) Index(id int) int {
	i := sort.Search(len(is.Moments), func(i int) bool { return is.Moments[i].ID > id })
	return max(i-1, 0)
}

// Shown is the place of the moment on show; there is at least one moment.
func (is *Island) Shown() int {
	if is.Back == 0 {
		return len(is.Moments) - 1
	}
	return is.Index(is.Back)
}

// Trace follows a row of moment from to moment to: up to its ancestor or down to its
// first descendant; -1 if there is none.
func (is *Island) Trace(from, row, to int) int {
	for ; from > to; from-- {
		row = is.Moments[from].Parent(row)
	}
	for ; from < to && row >= 0; from++ {
		row = is.Moments[from+1].Child(row)
	}
	return row
}

// Line lists the row of each moment up to from on the line of a row of that one,
// -1 before it was shown.
func (is *Island) Line(from, row int) []int {
	out := make([]int, from+1)
	for j := from; j >= 0; j-- {
		out[j] = row
		row = is.Moments[j].Parent(row)
	}
	return out
}

// Show goes back to the moment at a place; the last one is live again.
func (is *Island) Show(i int) {
	is.Back = 0
	if i = max(i, 0); i < len(is.Moments)-1 {
		is.Back = is.Moments[i].ID
	}
}

// Scrub shows the last moment at or before a stage.
func (is *Island) Scrub(stage float64) {
	i := sort.Search(len(is.Moments), func(i int) bool { return float64(is.Moments[i].Stage) > stage })
	is.Show(i - 1)
}

// Progress is how far the change of the newest moment has come, 1: done.
func (is *Island) Progress(now float64, still bool) float64 {
	if still || is.Glide <= 0 || is.Back != 0 {
		return 1
	}
	return min(max((now-is.Began)/is.Glide, 0), 1)
}

// Cell is the picture cell of coordinate n (from 0), -1 if there is none.
func (is *Island) Cell(n int) int {
	c := n
	if len(is.Growth.Cell) > 0 {
		if n < 0 || n >= len(is.Growth.Cell) {
			return -1
		}
		c = int(is.Growth.Cell[n])
	}
	if n < 0 || c < 0 || c >= is.W*is.H {
		return -1
	}
	return c
}

// stretch widens the range of latent values that are drawn to hold all new values but a few; the range never
// narrows.
func (is *Island) stretch(values []float32) {
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
		is.Reach = max(is.Reach, math.Ceil(2*far[len(far)*19/20])/2)
	}
}

// Forms reports whether the run of a method forms its particles step by step.
func Forms(w *Particles) bool { return len(w.Islands) > 0 }

// StageKey takes a key of a scene that goes through the record of an island: the arrows go
// back and forth in it, Escape leaves the past or the line that is followed.
func (p *Run) StageKey(key string) bool {
	w, _ := p.Pick(Forms)
	return w != nil && w.Island().Key(key)
}

// DescribeStage says which stage is on show, and log Z there.
func DescribeStage(a *paint.Area, p *Run) string {
	w, _ := p.Pick(Forms)
	if w == nil || len(w.Island().Moments) == 0 {
		return ""
	}
	is := w.Island()
	n := is.Moments[is.Shown()].Stage
	text := "n = " + format.Grouped(float64(n), 0) + " / " + format.Grouped(float64(is.Growth.Stages), 0)
	for _, r := range is.Growth.Record {
		if r.N+1 == n {
			text += ", " + a.Say("log Z so far") + ": " + format.Fixed(r.LogZ, 2)
		}
	}
	return text
}

// Unmark follows no line any more.
func (p *Run) Unmark() {
	if w, _ := p.Pick(Forms); w != nil {
		w.Island().Marked = [2]int{}
	}
}

func (is *Island) Key(name string) bool {
	i := len(is.Moments) - 1
	if i < 0 {
		return false
	}
	i = is.Shown()
	switch {
	case name == "ArrowLeft" && i > 0:
		is.Show(i - 1)
	case name == "ArrowRight" && is.Back != 0:
		is.Show(i + 1)
	case name == "Home" && i > 0:
		is.Show(0)
	case name == "End" && is.Back != 0, name == "Escape" && is.Back != 0:
		is.Back = 0
	case name == "Escape" && is.Marked[0] != 0:
		is.Marked = [2]int{}
	default:
		return false
	}
	return true
}

// StageChanging reports whether the change of a newest moment is still under way.
func (p *Run) StageChanging(still bool) bool {
	for _, w := range p.Particles {
		if is := w.Island(); is != nil && is.Progress(p.Now, still) < 1 {
			return true
		}
	}
	return false
}
