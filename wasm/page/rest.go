package page

import (
	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// rests reports whether nothing that was asked for is on its way: the next view comes with the next event. The page
// shows this to tests and to programs around it as data-rest (site/main.js).
func (b *Brain) rests() bool {
	halted := len(b.Works.All()) > 0 && !b.Working() // the user has paused it
	moving := false
	switch b.State() {
	case runstate.Loading:
		moving = !halted
	case runstate.Running:
		moving = true
	case runstate.Paused:
		moving = !b.Crew.Stands()
	}
	if moving || b.programs.Awaited() || b.readings.Busy || b.canvas.State == state.CanvasLoading {
		return false
	}
	painted := !b.Repaint.Dirty && !b.Repaint.News
	sketch := !b.hero.On && b.canvas.State != state.CanvasReady && b.State() == runstate.Done &&
		b.shown.state != runstate.Done
	looks := b.shown.awaited || b.Job != nil && (b.tabulates(b.ticked) || sketch)
	opening := b.Crew.Opening() > 0 && !halted // a worker keeps a half opened model through a pause
	return painted && !looks && !opening && !b.Working() && !b.Crew.Computes()
}
