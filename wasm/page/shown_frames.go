package page

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// sketchTime is the time between two sketches of a run, in seconds.
const sketchTime = .4

// shownFrames are the frames on show, for the table behind the picture and for a sketch. It must not know runs or
// views.
type shownFrames struct {
	frames        []*frame.Frame
	asked         float64      // time of the last request
	state         runstate.Run // state of the run at that time
	maxCoordinate float64      // largest coordinate of points so far
	// awaited: the frames were requested and have not arrived.
	awaited bool
}

// take decodes frames. It ignores damaged ones, and those of methods that the picture does not show.
func (l *shownFrames) take(frames [][]byte, method string) {
	var all []*frame.Frame
	for _, data := range frames {
		if f, err := frame.Decode(data); err == nil && (len(f.Beta) > 0 || f.Growth != nil || f.Latent != nil) {
			all = append(all, f)
		}
	}
	if n := len(all); n > 0 && !slices.ContainsFunc(all, func(f *frame.Frame) bool { return f.Method == method }) {
		method = all[n-1].Method // the method was too quick to be shown
	}
	l.frames = nil
	for _, f := range all {
		if f.Method != method {
			continue
		}
		// Frames arrive oldest first; of several with the same rows the last counts.
		i, again := slices.BinarySearchFunc(l.frames, f.First, func(g *frame.Frame, first int) int { return g.First - first })
		if again {
			l.frames[i] = f
		} else {
			l.frames = append(l.frames[:i:i], append([]*frame.Frame{f}, l.frames[i:]...)...)
		}
	}
	l.widen()
}

// widen updates the largest coordinate, so that a sketch keeps its scale as particles contract.
func (l *shownFrames) widen() {
	for _, f := range l.frames {
		for _, x := range f.Points {
			if a := math.Abs(float64(x)); a < math.Inf(1) {
				l.maxCoordinate = max(l.maxCoordinate, a)
			}
		}
	}
}

// needsSketch reports whether the page draws particles itself and its sketch is out of date. The first result comes
// before a sketch.
func (c *Controller) needsSketch(now float64) bool {
	return c.Job != nil && (c.Repaint.NumberShown || now > c.shellUntil) && c.canvas.State != state.CanvasReady &&
		now-c.shown.asked > sketchTime && (c.State() == runstate.Running || c.shown.state != c.State())
}

// requestFrames requests the frames on show, for the table behind the picture or for a sketch.
func (c *Controller) requestFrames() {
	c.shown.asked, c.shown.state, c.shown.awaited = c.Host.Now(), c.State(), true
	c.Host.RequestFrames()
}

// needsTable reports whether the table behind the picture is open and out of date.
func (c *Controller) needsTable(now float64) bool {
	return c.Panels.Sheet == "table" && (c.State() != runstate.Done && now-c.shown.asked > 2 || c.shown.state != c.State())
}

// Looked receives the frames on show, or frames for the hero.
func (c *Controller) Looked(frames [][]byte) { c.handle(func() { c.looked(frames) }) }

func (c *Controller) looked(frames [][]byte) {
	if c.hero.On {
		c.sendHeroFrames(frames)
		return
	}
	c.shown.awaited = false
	c.shown.take(frames, c.shownMethod())
	c.Repaint.NewNumbers = true // a sketch is repainted with the numbers
	c.Repaint.Dirty = c.Repaint.Dirty || c.Panels.Sheet == "table"
}
