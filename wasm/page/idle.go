package page

import (
	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// isIdle reports whether the page is idle: the next view comes only after the next event. The page shows this to tests
// and embedding programs as data-rest (site/main.js).
func (c *Controller) isIdle() bool {
	userPaused := len(c.Works.All()) > 0 && !c.Working() // the user has paused it
	progressing := false
	switch c.State() {
	case runstate.Loading:
		progressing = !userPaused
	case runstate.Running:
		progressing = true
	case runstate.Paused:
		progressing = !c.Workers.AllPaused()
	}
	if progressing || c.programs.Pending() || c.imports.Busy || c.canvas.State == state.CanvasLoading {
		return false
	}
	painted := !c.Repaint.Dirty && !c.Repaint.NewNumbers
	sketchDue := !c.hero.Shown && c.canvas.State != state.CanvasReady && c.State() == runstate.Done &&
		c.shown.requestState != runstate.Done
	framesDue := c.shown.awaited || c.Job != nil && (c.needsTable(c.lastTick) || sketchDue)
	workersOpening := c.Workers.OpeningShare() > 0 && !userPaused // during a pause a worker keeps a partly opened model
	return painted && !framesDue && !workersOpening && !c.Working() && !c.Workers.HasBackgroundUnits()
}
