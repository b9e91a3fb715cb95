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

// Bounds of the records.
const (
	maxIslands  = 64
	MaxMoments  = 1024
	MaxRecorded = 16 << 20 // bytes of the moments of one island
	NoRow       = -1       // an index of a row that does not exist, such as the parent of a new row
)

// Values of Moment.Phase that scenes use: indices into frame.FormingPhases.
const (
	Starting    = 0
	Moving      = 1
	Reweighting = 2 // named smooth in runs by stages
	Generating  = 3
	Resampling  = 4
	Augmenting  = 5
)

// Island is the record of one lane whose particles are weighted, resampled or generated stage by stage: the pictures
// at earlier stages, packed to bits, and the parents of all rows.
type Island struct {
	First      int
	W, H       int           // size of a picture in cells, 0: none
	stages     int           // of the run; for tempering, the number of rungs - 1
	Growth     *frame.Growth // of the newest frame, nil for tempering
	Latent     *frame.Latent
	Moments    []Moment
	Tree       Tree
	Next       int // ID of the next moment; IDs begin at 1
	Bytes      int
	PhasesSeen uint // bit set of the phases that have occurred

	lastFrame, ChangeStart, ChangeTime float64 // in seconds: time of the newest frame, start and duration of its animation
	Slow                               bool    // frames are slow enough to be watched one by one

	Filter    *Flow    // the filter of these particles, nil for the particles of the run
	Playback  Playback // used by the scene resampling
	ShownID   int      // ID of the moment that is shown, 0: the newest
	Marked    [2]int   // ID of a moment and row whose line is highlighted; ID 0: none
	HalfRange float64  // latent values are drawn on [-HalfRange, HalfRange]
}

// MaxChange is the maximum duration of the animation of a change, in seconds. If frames are at least slowGap seconds
// apart, each is animated: in slow motion the gap is 0.1 s or more.
const MaxChange, slowGap = 0.4, 0.08

// TakeGrowth records a frame of a run that generates its particles stage by stage, in the island that begins at row
// f.First. It ignores frames of more than maxIslands islands.
func (w *Particles) TakeGrowth(f *frame.Frame, now float64) {
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
	// Only the shown island keeps pictures; the others keep their estimates of Z, in Growth.
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

// Island returns the island that is shown: the one with the first rows. It is nil if there is none.
func (w *Particles) Island() (first *Island) {
	for _, is := range w.Islands {
		if first == nil || is.First < first.First {
			first = is
		}
	}
	return first
}

// HasOtherIslands reports whether the run has other islands than is.
func (w *Particles) HasOtherIslands(is *Island) bool {
	rows := is.Newest().AllRows
	if is.Growth != nil && is.Growth.R > 0 { // does not count rows that are generated temporarily
		rows = int(is.Growth.R)
	}
	return w.Total > rows
}

// AllIslands returns the islands in the order of their rows.
func (w *Particles) AllIslands() (out []*Island) {
	for _, is := range w.Islands {
		out = append(out, is)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].First < out[j].First })
	return out
}

// Take records a frame. now is in seconds.
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

	// A lane that was restarted repeats stages: remove the later moments.
	for n := len(is.Moments); n > 0 && is.Moments[n-1].Stage > s.Stage; n-- {
		is.Bytes -= is.Moments[n-1].Size()
		is.Moments = is.Moments[:n-1]
	}
	s.ID = is.Next
	is.Next++
	if s.Phase >= 0 {
		is.PhasesSeen |= 1 << s.Phase
	}
	if pw > 0 {
		s.pack(f)
	}
	if len(f.LogW) >= s.Rows {
		s.LogW = slices.Clone(f.LogW[:s.Rows])
	}
	if l := f.Latent; l != nil {
		is.Latent = l
		s.Mean, s.At = l.Mean, l.ProbAtData
		if n := l.GW * l.GH; len(l.Values) >= s.Rows*n {
			s.Values = l.Values[:s.Rows*n]
		}
		is.widenRange(s.Values)
	}
	if pw == 0 && len(f.Points) >= 2*s.Rows {
		s.Points = f.Points[:2*s.Rows]
	}
	s.setParents(parents, is.Newest())
	if q := is.Newest(); q != nil && q.Stage == s.Stage && q.Phase == s.Phase && q.Rows == s.Rows &&
		bytes.Equal(q.Bits, s.Bits) && slices.Equal(q.Values, s.Values) && slices.Equal(q.Points, s.Points) {
		return // a repeated frame, for example after the window was reloaded
	}
	gap := now - is.lastFrame

	// In slow motion a frame arrives for every step, and the change is animated. On a slow computer frames skip steps, and
	// there is no animation.
	q := is.Newest()
	is.Slow = q != nil && gap > slowGap && s.Stage-q.Stage <= 1
	is.lastFrame, is.ChangeStart, is.ChangeTime = now, now, 0
	if is.Slow {
		is.ChangeTime = min(gap, MaxChange)
	}
	if n := len(is.Moments); n > 0 && is.ShownID == 0 && is.Marked[0] == is.Moments[n-1].ID {
		// The highlighted line continues in the first child, or has died out.
		if k := s.Child(is.Marked[1]); k >= 0 {
			is.Marked = [2]int{s.ID, k}
		}
	}
	is.Moments = append(is.Moments, s)
	is.Bytes += s.Size()

	// Only the newest two sweeps of a move keep moments of their own.
	if n := len(is.Moments); n > 2 && is.Moments[n-2].ContinuesMove(&is.Moments[n-3]) {
		is.Bytes -= is.Moments[n-3].Size()
		is.bypass(&is.Moments[n-3], &is.Moments[n-2])
		is.Moments = slices.Delete(is.Moments, n-3, n-2)
	}
	for len(is.Moments) > MaxMoments || is.Bytes > MaxRecorded && len(is.Moments) > 8 {
		is.Thin()
	}
}

// momentOf returns the moment of a frame without its rows, the number of stages, and the parents of the rows among the
// rows of the previous moment.
func momentOf(f *frame.Frame, before *Moment) (s Moment, stages int, parents []int32) {
	s = Moment{Rows: min(f.N, MaxSlots), Weighing: f.Weighing, Beta: math.NaN()}
	if g := f.Growth; g != nil {
		s.Stage, s.Phase = g.Stage, slices.Index(frame.FormingPhases[:], f.Phase)
		return s, g.Stages, g.Parents
	}
	if x := f.Weighing; x.Phase == frame.PhaseReweight {
		s.Phase = Reweighting
	} else {
		s.Phase = slices.Index(frame.FormingPhases[:], x.Phase)
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
	if parents = f.Parents; before != nil && (before.Weighing == nil || before.Weighing.FrameNumber != f.Weighing.ParentFrame) {
		parents = slices.Repeat([]int32{NoRow}, f.N) // the previous frame is missing
	}
	return s, max(f.Rungs-1, 1), parents
}

// Thin removes every other moment except the last; parents of the following moments are updated.
func (is *Island) Thin() {
	n := len(is.Moments)
	out := is.Moments[:0]
	is.Bytes = 0
	for i := range n {
		s := is.Moments[i]
		if i%2 == 1 && i+1 < n {
			is.bypass(&s, &is.Moments[i+1])
			continue
		}
		out = append(out, s)
		is.Bytes += s.Size()
	}
	clear(is.Moments[len(out):n])
	is.Moments = out
}

// Newest returns the last moment, nil if there is none.
func (is *Island) Newest() *Moment {
	if len(is.Moments) == 0 {
		return nil
	}
	return &is.Moments[len(is.Moments)-1]
}

// Index returns the index of the moment with an ID, or of the last one before it.
func (is *Island) Index(id int) int {
	i := sort.Search(len(is.Moments), func(i int) bool { return is.Moments[i].ID > id })
	return max(i-1, 0)
}

// ShownIndex returns the index of the moment that is shown. There must be at least one moment.
func (is *Island) ShownIndex() int {
	if is.ShownID == 0 {
		return len(is.Moments) - 1
	}
	return is.Index(is.ShownID)
}

// FollowLine follows a row from one moment to another: back to its ancestor, or forward to its first descendant. It
// returns NoRow if there is none.
func (is *Island) FollowLine(from, row, to int) int {
	for ; from > to; from-- {
		row = is.Moments[from].Parent(row)
	}
	for ; from < to && row >= 0; from++ {
		row = is.Moments[from+1].Child(row)
	}
	return row
}

// Line returns, for each moment up to from, the ancestor of a row of moment from; NoRow where it does not exist.
func (is *Island) Line(from, row int) []int {
	out := make([]int, from+1)
	for j := from; j >= 0; j-- {
		out[j] = row
		row = is.Moments[j].Parent(row)
	}
	return out
}

// Show shows moment i. If that is the last one, later moments will be shown as they arrive.
func (is *Island) Show(i int) {
	is.ShownID = 0
	if i = max(i, 0); i < len(is.Moments)-1 {
		is.ShownID = is.Moments[i].ID
	}
}

// ShowStage shows the last moment at or before a stage.
func (is *Island) ShowStage(stage float64) {
	i := sort.Search(len(is.Moments), func(i int) bool { return float64(is.Moments[i].Stage) > stage })
	is.Show(i - 1)
}

// Progress returns the fraction of the animation of the newest moment that is complete.
func (is *Island) Progress(now float64, still bool) float64 {
	if still || is.ChangeTime <= 0 || is.ShownID != 0 {
		return 1
	}
	return min(max((now-is.ChangeStart)/is.ChangeTime, 0), 1)
}

// Cell returns the picture cell of coordinate n (from 0), -1 if it has none.
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

// widenRange increases HalfRange, in steps of 0.5, until [-HalfRange, HalfRange] contains 95 % of the new latent values,
// estimated from every seventh value. HalfRange never decreases.
func (is *Island) widenRange(values []float32) {
	if len(values) == 0 {
		return
	}
	magnitudes := make([]float64, 0, len(values)/7+1)
	for i := 0; i < len(values); i += 7 {
		if v := math.Abs(float64(values[i])); v < 1e6 {
			magnitudes = append(magnitudes, v)
		}
	}
	if sort.Float64s(magnitudes); len(magnitudes) > 0 {
		is.HalfRange = max(is.HalfRange, math.Ceil(2*magnitudes[len(magnitudes)*19/20])/2)
	}
}

// HasStages reports whether the run of a method generates its particles stage by stage.
func HasStages(w *Particles) bool { return len(w.Islands) > 0 }

// HandleStageKey handles a key in a scene that shows the record of an island. Arrows, Home and End go through the
// record; Escape returns to the newest moment or removes the highlighted line. It reports whether the key was used.
func (p *Run) HandleStageKey(key string) bool {
	w, _ := p.Pick(HasStages)
	return w != nil && w.Island().Key(key)
}

// DescribeStage returns the stage that is shown, and log Z there.
func DescribeStage(a *paint.Area, p *Run) string {
	w, _ := p.Pick(HasStages)
	if w == nil || len(w.Island().Moments) == 0 {
		return ""
	}
	is := w.Island()
	n := is.Moments[is.ShownIndex()].Stage
	text := "n = " + format.Grouped(float64(n), 0) + " / " + format.Grouped(float64(is.Growth.Stages), 0)
	for _, r := range is.Growth.Record {
		if r.N+1 == n {
			text += ", " + a.Say("log Z so far") + ": " + format.Fixed(r.LogZ, 2)
		}
	}
	return text
}

// Unmark removes the highlighted line.
func (p *Run) Unmark() {
	if w, _ := p.Pick(HasStages); w != nil {
		w.Island().Marked = [2]int{}
	}
}

// Key is HandleStageKey for one island.
func (is *Island) Key(name string) bool {
	i := len(is.Moments) - 1
	if i < 0 {
		return false
	}
	i = is.ShownIndex()
	switch {
	case name == "ArrowLeft" && i > 0:
		is.Show(i - 1)
	case name == "ArrowRight" && is.ShownID != 0:
		is.Show(i + 1)
	case name == "Home" && i > 0:
		is.Show(0)
	case name == "End" && is.ShownID != 0, name == "Escape" && is.ShownID != 0:
		is.ShownID = 0
	case name == "Escape" && is.Marked[0] != 0:
		is.Marked = [2]int{}
	default:
		return false
	}
	return true
}

// StageIsAnimating reports whether the change to a newest moment is being animated.
func (p *Run) StageIsAnimating(still bool) bool {
	for _, w := range p.Particles {
		if is := w.Island(); is != nil && is.Progress(p.Now, still) < 1 {
			return true
		}
	}
	return false
}
