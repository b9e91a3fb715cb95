package page

import (
	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// isIdle reports whether the page is idle: the next view comes only after the next event. The page shows this to tests
// and embedding programs as data-rest (site/main.js).
func (c *Controller) isIdle() bool {
	halted := len(c.Works.All()) > 0 && !c.Working() // the user has paused it
	moving := false
	switch c.State() {
	case runstate.Loading:
		moving = !halted
	case runstate.Running:
		moving = true
	case runstate.Paused:
		moving = !c.Workers.AllPaused()
	}
	if moving || c.programs.Pending() || c.imports.Busy || c.canvas.State == state.CanvasLoading {
		return false
	}
	painted := !c.Repaint.Dirty && !c.Repaint.NewNumbers
	sketch := !c.hero.On && c.canvas.State != state.CanvasReady && c.State() == runstate.Done &&
		c.shown.state != runstate.Done
	looks := c.shown.awaited || c.Job != nil && (c.needsTable(c.ticked) || sketch)
	opening := c.Workers.OpeningShare() > 0 && !halted // during a pause a worker keeps a partly opened model
	return painted && !looks && !opening && !c.Working() && !c.Workers.HasBackgroundUnits()
}
