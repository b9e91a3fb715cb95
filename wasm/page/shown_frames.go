package page

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// sketchInterval is the time between two sketches of a run, in seconds.
const sketchInterval = .4

// shownFrames has the frames of the picture, for the table that shows the picture as numbers, and for a sketch of it.
// It does not depend on runs or views.
type shownFrames struct {
	frames        []*frame.Frame
	requestTime   float64      // time of the last request
	requestState  runstate.Run // state of the run at that time
	maxCoordinate float64      // largest coordinate of points so far
	awaited       bool         // frames were requested and have not arrived
}

// store decodes frames and stores those of the shown method. It ignores damaged frames.
func (l *shownFrames) store(frames [][]byte, method string) {
	var decoded []*frame.Frame
	for _, data := range frames {
		if f, err := frame.Decode(data); err == nil && (len(f.Beta) > 0 || f.Growth != nil || f.Latent != nil) {
			decoded = append(decoded, f)
		}
	}
	if n := len(decoded); n > 0 && !slices.ContainsFunc(decoded, func(f *frame.Frame) bool { return f.Method == method }) {
		method = decoded[n-1].Method // the method was too quick to be shown
	}
	l.frames = nil
	for _, f := range decoded {
		if f.Method != method {
			continue
		}
		// Frames arrive oldest first; of several with the same rows the last counts.
		i, replaced := slices.BinarySearchFunc(l.frames, f.First, func(g *frame.Frame, first int) int { return g.First - first })
		if replaced {
			l.frames[i] = f
		} else {
			l.frames = append(l.frames[:i:i], append([]*frame.Frame{f}, l.frames[i:]...)...)
		}
	}
	l.updateMaxCoordinate()
}

// updateMaxCoordinate updates the largest coordinate, so that a sketch keeps its scale as particles contract.
func (l *shownFrames) updateMaxCoordinate() {
	for _, f := range l.frames {
		for _, x := range f.Points {
			if a := math.Abs(float64(x)); a < math.Inf(1) {
				l.maxCoordinate = max(l.maxCoordinate, a)
			}
		}
	}
}

// needsSketch reports whether the page draws particles itself, because the picture is not ready, and its sketch is out
// of date. No sketch is requested before the first number of a run, except after the time shellEnd.
func (c *Controller) needsSketch(now float64) bool {
	return c.Job != nil && (c.Repaint.NumberShown || now > c.shellEnd) && c.canvas.State != state.CanvasReady &&
		now-c.shown.requestTime > sketchInterval && (c.State() == runstate.Running || c.shown.requestState != c.State())
}

// requestFrames requests the frames on show, for the table behind the picture or for a sketch.
func (c *Controller) requestFrames() {
	c.shown.requestTime, c.shown.requestState, c.shown.awaited = c.Host.Now(), c.State(), true
	c.Host.RequestFrames()
}

// needsTable reports whether the table behind the picture is open and out of date.
func (c *Controller) needsTable(now float64) bool {
	return c.Panels.Sheet == "table" && (c.State() != runstate.Done && now-c.shown.requestTime > 2 || c.shown.requestState != c.State())
}

// ReceiveFrames receives the frames on show, or frames for the hero.
func (c *Controller) ReceiveFrames(frames [][]byte) { c.handle(func() { c.receiveFrames(frames) }) }

func (c *Controller) receiveFrames(frames [][]byte) {
	if c.hero.Shown {
		c.sendHeroFrames(frames)
		return
	}
	c.shown.awaited = false
	c.shown.store(frames, c.shownMethod())
	c.Repaint.NewNumbers = true // a sketch is repainted with the numbers
	c.Repaint.Dirty = c.Repaint.Dirty || c.Panels.Sheet == "table"
}
