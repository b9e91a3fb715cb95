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

// shownFrames are the frames on show, for the table behind the picture and for a sketch. It must not know of runs or
// views.
type shownFrames struct {
	frames []*frame.Frame
	asked  float64      // when
	state  runstate.Run // of the run then
	reach  float64      // largest coordinate of points in this run
	// awaited tells that the page was asked for them and has not answered yet.
	awaited bool
}

// take decodes frames. Damaged ones are left out, and those of methods that the picture does not show.
func (l *shownFrames) take(frames [][]byte, method string) {
	var all []*frame.Frame
	for _, data := range frames {
		if f, err := frame.Decode(data); err == nil && (len(f.Beta) > 0 || f.Growth != nil || f.Latent != nil) {
			all = append(all, f)
		}
	}
	if n := len(all); n > 0 && !slices.ContainsFunc(all, func(f *frame.Frame) bool { return f.Method == method }) {
		method = all[n-1].Method // too quick to be seen: the picture shows another, too
	}
	l.frames = nil
	for _, f := range all {
		if f.Method != method {
			continue
		}
		// They come oldest first; a film keeps several of the same rows.
		i, again := slices.BinarySearchFunc(l.frames, f.First, func(g *frame.Frame, first int) int { return g.First - first })
		if again {
			l.frames[i] = f
		} else {
			l.frames = append(l.frames[:i:i], append([]*frame.Frame{f}, l.frames[i:]...)...)
		}
	}
	l.widen()
}

// widen makes the reach of points the largest so far, so that a sketch keeps its scale as particles come together.
func (l *shownFrames) widen() {
	for _, f := range l.frames {
		for _, x := range f.Points {
			if a := math.Abs(float64(x)); a < math.Inf(1) {
				l.reach = max(l.reach, a)
			}
		}
	}
}

// sketches reports whether the page draws particles itself and has not drawn the present ones. The first number comes
// before them.
func (c *Controller) sketches(now float64) bool {
	return c.Job != nil && (c.Repaint.Numbers || now > c.shell) && c.canvas.State != state.CanvasReady &&
		now-c.shown.asked > sketchTime && (c.State() == runstate.Running || c.shown.state != c.State())
}

// look asks the page for the frames on show, for the table behind the picture or a sketch.
func (c *Controller) look() {
	c.shown.asked, c.shown.state, c.shown.awaited = c.Host.Now(), c.State(), true
	c.Host.Look()
}

// tabulates reports whether the table behind the picture is open and is to show newer frames: the last ones too, which
// come after it was opened.
func (c *Controller) tabulates(now float64) bool {
	return c.Panels.Sheet == "table" && (c.State() != runstate.Done && now-c.shown.asked > 2 || c.shown.state != c.State())
}

// Looked takes the frames on show; those of the hero as they come.
func (c *Controller) Looked(frames [][]byte) { c.handle(func() { c.looked(frames) }) }

func (c *Controller) looked(frames [][]byte) {
	if c.hero.On {
		c.dream(frames)
		return
	}
	c.shown.awaited = false
	c.shown.take(frames, c.onShow())
	c.Repaint.News = true // a sketch comes with the numbers
	c.Repaint.Dirty = c.Repaint.Dirty || c.Panels.Sheet == "table"
}
