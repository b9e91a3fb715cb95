package page

import (
	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// rests reports whether nothing that was asked for is on its way: the next view comes with the next event. The page
// shows this to tests and to programs around it as data-rest (site/main.js).
func (c *Controller) rests() bool {
	halted := len(c.Works.All()) > 0 && !c.Working() // the user has paused it
	moving := false
	switch c.State() {
	case runstate.Loading:
		moving = !halted
	case runstate.Running:
		moving = true
	case runstate.Paused:
		moving = !c.Workers.Stands()
	}
	if moving || c.programs.Awaited() || c.imports.Busy || c.canvas.State == state.CanvasLoading {
		return false
	}
	painted := !c.Repaint.Dirty && !c.Repaint.News
	sketch := !c.hero.On && c.canvas.State != state.CanvasReady && c.State() == runstate.Done &&
		c.shown.state != runstate.Done
	looks := c.shown.awaited || c.Job != nil && (c.tabulates(c.ticked) || sketch)
	opening := c.Workers.Opening() > 0 && !halted // a worker keeps a half opened model through a pause
	return painted && !looks && !opening && !c.Working() && !c.Workers.Computes()
}
