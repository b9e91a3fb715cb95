package record

import (
	"math"
	"sort"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// scrubber is the inverse temperature that the viewer has chosen in the history of a run. While Active is true, scenes
// show the snapshots near Beta instead of the newest particles. At the end of a run that took less than watchable
// seconds, the history plays once by itself.
type scrubber struct {
	Active      bool
	Beta        float64
	PlayStart   float64 // when playback started, in seconds; 0: it does not play
	Opened      bool    // the history has played by itself, or the viewer has used it
	InitialBeta string  // the inverse temperature to show when the run is over; "": play
}

// The history plays from 0 to 1 in playTime seconds. It plays by itself if the run took less than watchable seconds.
const playTime, watchable = 6, 10

// minSnapshots is the minimum number of snapshots of a row for its history to be shown.
const minSnapshots = 6

// HasHistory reports whether some row has snapshots at minSnapshots temperatures or more.
func (w *Particles) HasHistory() bool {
	for i := range w.Slots {
		n := 0
		for k := range w.Slots[i].Snapshots {
			if w.Slots[i].Snapshots[k].Valid {
				n++
			}
		}
		if n >= minSnapshots {
			return true
		}
	}
	return false
}

// PickReplayed calls Pick and then Replayed. live contains the newest particles of the picked method, w its particles
// at the scrubber's temperature, and among the particles of all methods for which accepts is true. If the history is
// playing, PickReplayed first advances the scrubber to p.Now, so that all marks of a picture show the same temperature.
func (p *Run) PickReplayed(a *paint.Area, accepts func(*Particles) bool) (live, w *Particles, among []*Particles) {
	live, among = p.Pick(accepts)
	return live, p.Replayed(live, a.Still), among
}

// Replayed returns the particles at the scrubber's temperature, w itself if the scrubber is not active.
func (p *Run) Replayed(w *Particles, still bool) *Particles {
	h := &p.Scrubber
	if w != nil {
		w.Now, w.Still, w.runIsOver = p.Now, still, p.State == runstate.Done
	}
	if w == nil || !w.HasHistory() {
		return w
	}
	if p.State == runstate.Done && !h.Opened {
		h.open(p.Now, !still && w.laneDuration() < watchable)
	}
	if h.PlayStart > 0 {
		progress := (p.Now - h.PlayStart) / playTime
		if h.Beta = 1; progress < 1 && !still {
			k, part := math.Modf(progress * float64(len(w.Moments)-1))
			h.Beta = w.Moments[int(k)] + (w.Moments[int(k)+1]-w.Moments[int(k)])*part
		} else {
			h.PlayStart = 0
		}
	}
	if !h.Active {
		return w
	}
	return w.at(h.Beta)
}

// laneDuration returns the time between the first and the last frame of the lane that ended last, in seconds.
func (w *Particles) laneDuration() (seconds float64) {
	last := 0.0
	for _, c := range w.lanes {
		if c.last >= last {
			last, seconds = c.last, c.last-c.first
		}
	}
	return seconds
}

// open shows the history of a run that is over: at InitialBeta if it is set, otherwise by playing if mayPlay is true.
func (h *scrubber) open(now float64, mayPlay bool) {
	h.Opened = true
	if beta, err := strconv.ParseFloat(h.InitialBeta, 64); err == nil {
		h.Active, h.PlayStart, h.Beta = true, 0, min(max(beta, 0), 1)
	} else if h.Active = false; mayPlay {
		h.play(now)
	}
}

// play starts the history at inverse temperature 0.
func (h *scrubber) play(now float64) { h.Active, h.Opened, h.PlayStart, h.Beta = true, true, now, 0 }

// scrubTo moves the scrubber to beta. At 1 it becomes inactive if the run is still going on.
func (p *Run) scrubTo(beta float64) {
	beta = min(max(beta, 0), 1)
	h := &p.Scrubber
	h.Active, h.Opened, h.PlayStart, h.Beta = beta < 1 || p.State == runstate.Done, true, 0, beta
}

// IsPlaying reports whether the history plays.
func (p *Run) IsPlaying(still bool) bool { return p.Scrubber.PlayStart > 0 && !still }

// at returns the particles at inverse temperature beta, each from its snapshot nearest to beta. Points with weights,
// which pass each temperature once, are interpolated between the snapshots below and above beta.
func (w *Particles) at(beta float64) *Particles {
	past := *w
	past.phase, past.step, past.Steps = "", 0, 0
	past.Slots = make([]Slot, len(w.Slots))
	k := schedule.Nearest(w.Moments, beta)
	for i := range w.Slots {
		s := &past.Slots[i]
		*s = Slot{Beta: math.NaN(), LogW: math.NaN(), Rung: -1}
		if q := w.Slots[i].NearestSnapshot(k, len(w.Moments)); q != nil {
			*s = Slot{Filled: true, Cells: q.Cells, Shades: q.Shades, At: q.At, Values: q.Values, Beta: beta, LogW: q.LogW,
				Rung: q.rung, Snapshots: w.Slots[i].Snapshots}
			if w.W == 0 && num.NotNaN(q.LogW) {
				s.interpolate(beta)
			}
		}
	}
	return &past
}

// interpolate moves a point to inverse temperature beta: position, coordinates and log weight are linear in beta between
// the nearest snapshots at and above it. Without a snapshot on both sides the point stays where it is.
func (s *Slot) interpolate(beta float64) {
	var before, after *Snapshot
	for k := range s.Snapshots {
		if q := &s.Snapshots[k]; !q.Valid {
			continue
		} else if q.Beta <= beta {
			before = q
		} else {
			after = q
			break
		}
	}
	if before == nil || after == nil {
		return
	}
	fraction := (beta - before.Beta) / (after.Beta - before.Beta)
	s.At = paint.Pt(before.At.X+(after.At.X-before.At.X)*fraction, before.At.Y+(after.At.Y-before.At.Y)*fraction)
	s.ValuesBefore, s.Values, s.progress = before.Values, after.Values, fraction
	s.LogW = before.LogW + (after.LogW-before.LogW)*fraction
}

// HandleScrubKey handles a key in a scene with a history: arrows, Home and End move the scrubber, Escape makes it
// inactive. It reports whether the key was used.
func (p *Run) HandleScrubKey(key string) bool {
	w, _ := p.Pick((*Particles).HasHistory)
	if w == nil {
		return false
	}
	h := &p.Scrubber
	if !h.Active {
		h.Beta = 1
	}
	k := schedule.Nearest(w.Moments, h.Beta)
	switch {
	case key == "ArrowLeft" && k > 0:
		p.scrubTo(w.Moments[k-1])
	case key == "ArrowRight" && h.Active && k+1 < len(w.Moments):
		p.scrubTo(w.Moments[k+1])
	case key == "Home":
		p.scrubTo(0)
	case key == "End" && h.Active:
		p.scrubTo(1)
	case key == "Escape" && h.Active:
		h.Active, h.PlayStart = false, 0
	default:
		return false
	}
	return true
}

// DescribeScrubber returns the shown inverse temperature and the estimate of log Z there as text, "" if the scrubber is
// not active.
func DescribeScrubber(a *paint.Area, p *Run) string {
	w, _ := p.Pick((*Particles).HasHistory)
	if w == nil || !p.Scrubber.Active {
		return ""
	}
	v := p.levelOf(w, a)
	text := FormatBeta(p.Scrubber.Beta)
	if math.Abs(v.Z) <= MaxLogZ {
		text += ", log Z(\u03b2) = " + WithError(v.Z, v.Se)
	}
	if v.Label != "" {
		text += ", " + v.Label
	}
	return text
}

// hasLogZ reports whether a ladder has values at two rungs or more.
func hasLogZ(l *frame.Ladder) bool { return len(l.LogZ) == len(l.Beta) && len(l.Beta) > 1 }

// interpolateAt interpolates x linearly at inverse temperature beta; x has one value for each rung of the ladder l. It
// returns NaN if x has another length, as for a quantity that the method does not estimate.
func interpolateAt(l *frame.Ladder, x []float64, beta float64) float64 {
	if len(x) != len(l.Beta) {
		return math.NaN()
	}
	k := min(max(sort.SearchFloat64s(l.Beta, beta), 1), len(l.Beta)-1)
	f := min(max((beta-l.Beta[k-1])/(l.Beta[k]-l.Beta[k-1]), 0), 1)
	return x[k-1] + (x[k]-x[k-1])*f
}

// FormatBeta formats an inverse temperature; only 0 and 1 themselves are rounded to "0" and "1".
func FormatBeta(beta float64) string {
	s := format.Trimmed(beta, 2)
	for d := 3; d < 9 && (s == "0" && beta != 0 || s == "1" && beta != 1); d++ {
		s = format.Trimmed(beta, d)
	}
	return "\u03b2 = " + s
}

// Level returns log Z at the shown temperature, its standard error and its exact value, for DrawColumn.
func (p *Run) Level(w *Particles, a *paint.Area) Level {
	v := p.levelOf(w, a)
	if v.Color = a.Theme.Method(p.MethodIndex(w.Method)); p.IsPlaying(a.Still) || p.State == runstate.Running {
		v.WaveTime = p.Now
	}
	return v
}

// levelOf is Level without the fields for drawing.
func (p *Run) levelOf(w *Particles, a *paint.Area) Level {
	v := Level{Z: math.NaN(), Se: math.NaN(), Exact: math.NaN()}
	beta, l, estimate := p.currentBeta(w), p.LastLadder(w.Method, hasLogZ), p.newestPoint(w.Method)
	switch {
	case l == nil && estimate == nil && w.WeightedIsland != nil: // the first island during the run
		if beta, v.Z = w.WeightedIsland.logZUpTo(beta); num.NotNaN(v.Z) {
			l = &frame.Ladder{}
		}
		if w.HasOtherIslands(w.WeightedIsland) {
			v.Label = a.Say("group") + " 1"
		}
	case l == nil && estimate != nil: // a device in a room has only the estimate of all devices
		beta, l = 1, &frame.Ladder{Beta: []float64{0, 1}, LogZ: []float64{0, estimate.LogZ}}
	}
	if l == nil {
		return v
	}

	// Interpolated on the ladder; at beta = 1 the estimate of all replicates, and the exact value.
	if len(l.Beta) > 0 {
		v.Z, v.Se, v.Exact = interpolateAt(l, l.LogZ, beta), interpolateAt(l, l.SE, beta), interpolateAt(l, l.Exact, beta)
	}
	switch { // a ladder is estimated from the first replicate
	case estimate == nil || len(l.Beta) == 0:
	case beta == 1:
		v.Z, v.Se = estimate.LogZ, estimate.SE
	case p.State == runstate.Done && math.Abs(interpolateAt(l, l.LogZ, 1)-estimate.LogZ) > 1e-9*math.Abs(estimate.LogZ):
		v.Label = a.Say("first run")
	}
	if p.HasTruth && beta == 1 {
		v.Exact = p.Truth
	}

	v.Where = FormatBeta(beta)
	values := append(l.LogZ[:len(l.LogZ):len(l.LogZ)], v.Z)
	if p.HasTruth {
		values = append(values[:len(values):len(values)], p.Truth)
	}
	v.SetSpan(values...)
	return v
}

// newestPoint returns the newest estimate of a method, nil if there is none.
func (p *Run) newestPoint(method string) *frame.Point {
	for _, c := range p.Curves {
		if n := len(c.Points); c.Method == method && n > 0 {
			return &c.Points[n-1]
		}
	}
	return nil
}

// barHeight is the height in CSS pixels of the bar that BarBelow draws.
const barHeight = 58

// BarBelow draws the bar of inverse temperatures (see Bar) at the bottom of a scene and returns the area above the bar.
func (p *Run) BarBelow(a *paint.Area, l *paint.Layer, w *Particles) *paint.Area {
	u, remaining, pad := a.Unit, *a, 24*a.Unit
	if a.Compact() {
		pad = 16 * u
	}
	remaining.H -= barHeight * u
	x, y := paint.NewAxis(0, 1, pad+36*u, a.W-pad-12*u), a.H-barHeight*u+24*u
	p.Bar(a, l, w, x, y)
	beta := p.currentBeta(w)
	name := FormatBeta(beta)
	half := a.Fonts.Width(name, paint.Strong) / 2
	labelX := min(max(x.At(beta), x.P0+half), x.P1-half)
	l.Label(name, labelX, y-10*u, paint.Strong, a.Theme.Ink, paint.Centre)
	return &remaining
}

// currentBeta returns the inverse temperature of the handle: the scrubber's if it is active, else the one that all
// rows share, else 1.
func (p *Run) currentBeta(w *Particles) float64 {
	if p.Scrubber.Active {
		return p.Scrubber.Beta
	}
	if b, shared, known := w.SharedBeta(); known && shared {
		return b
	}
	return 1
}

// Bar draws the inverse temperatures along an axis as a bar with a handle, with its top at y. Dragging the handle goes
// through the history; the button on the left plays or pauses it.
func (p *Run) Bar(a *paint.Area, l *paint.Layer, w *Particles, x paint.Axis, y float64) {
	t, u := a.Theme, a.Unit
	cells := 64
	if a.Compact() {
		cells = 32
	}
	for k := range cells {
		x0, x1 := math.Round(x.At(float64(k)/float64(cells))), math.Round(x.At(float64(k+1)/float64(cells)))
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x0, y, x1-x0, 8*u)),
			Color: t.BetaColor((float64(k) + 0.5) / float64(cells))})
	}
	if !w.HasHistory() {
		return
	}
	cy := y + 4*u
	if !a.Print {
		p.playButton(a, l, x.P0-30*u, cy)
	}
	beta := p.currentBeta(w)
	l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(x.At(beta), cy), R: 11 * u, Color: t.Ground, Halo: true},
		paint.Mark{Kind: paint.Disc, At: paint.Pt(x.At(beta), cy), R: 11 * u, Color: t.Ink, Hollow: 2 * u},
		paint.Mark{Kind: paint.Disc, At: paint.Pt(x.At(beta), cy), R: 5 * u, Color: t.BetaColor(beta)})
	a.OnTap(paint.XYWH(x.P0-8*u, cy-22*u, x.P1-x.P0+30*u, 44*u), paint.Action{Drag: true, Do: func(at paint.Point) {
		p.scrubTo((at.X - x.P0) / (x.P1 - x.P0))
	}})
}

// playButton draws the button that plays or pauses the history.
func (p *Run) playButton(a *paint.Area, l *paint.Layer, from, cy float64) {
	t, u := a.Theme, a.Unit
	l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(from, cy), R: 11 * u, Color: t.Ink, Hollow: 1.5 * u, Halo: true})
	if p.Scrubber.PlayStart > 0 {
		for _, dx := range [...]float64{-4.5, 1.5} {
			l.Add(paint.Mark{Kind: paint.Fill, Color: t.Ink, Box: paint.Snap(paint.XYWH(from+dx*u, cy-5*u, 3*u, 10*u))})
		}
	} else {
		l.Add(paint.Mark{Kind: paint.Band, Color: t.Ink,
			Pts:   []paint.Point{{X: from - 3*u, Y: cy - 5.5*u}, {X: from + 6*u, Y: cy}},
			Lower: []paint.Point{{X: from - 3*u, Y: cy + 5.5*u}, {X: from + 6*u, Y: cy}}})
	}
	a.OnTap(paint.XYWH(from-22*u, cy-22*u, 44*u, 44*u), paint.Action{Do: func(paint.Point) {
		if h := &p.Scrubber; h.PlayStart > 0 {
			h.PlayStart = 0
		} else {
			h.play(p.Now)
		}
	}})
}
