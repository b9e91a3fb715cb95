package page

// rests reports whether nothing that was asked for is on its way: the next view comes with the next event. The page
// shows this to tests and to programs around it as data-rest (site/main.js).
func (b *Brain) rests() bool {
	halted := len(b.works.all()) > 0 && !b.Working() // the user has paused it
	if b.state == "loading" && !halted || b.state == "running" || b.stage.state == "loading" {
		return false
	}
	painted := !b.views.dirty && !b.views.news
	looks := b.looked.awaited || b.job != nil && b.tabulates(b.ticked)
	return painted && !looks && !b.Working() && !b.crew.computes() && b.crew.opening() == 0
}

// computes reports whether workers have units, or will have.
func (c *crew) computes() bool {
	busy := len(c.errands) > 0
	for _, l := range c.lanes {
		busy = busy || l.errand != nil
	}
	return busy
}
