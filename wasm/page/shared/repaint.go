package shared

import "logzlab/render/html"

// Intervals between views, in seconds.
const (
	ViewInterval    = 0.1 // least interval, after user actions
	numbersInterval = 0.5 // least interval of a run's numbers: faster ones cannot be read, and painting slows the lanes
	ShellSeconds    = 1.0 // index.html has the first view; the next one follows when the run begins, or after this time
)

// Repaint decides when the page is repainted, and which parts. It must not depend on the content of the parts.
type Repaint struct {
	LastEvent   int  // number of the last event handled
	Dirty       bool // something has changed
	NewNumbers  bool // there are new numbers
	NumberShown bool // a number of this run has been shown
	IdleSent    bool // the last view said that the page is idle
	lastRepaint float64
	sent        map[string]html.HTML // parts as last sent
	ScrollTo    string               // id of an element that the next view scrolls into view
	Focus       string               // ids of elements, the first existing one gets the focus at the next view
}

// AtOnce makes the next tick repaint the page.
func (v *Repaint) AtOnce() { v.Dirty, v.lastRepaint = true, 0 }

// Due reports whether to repaint now. first reports whether the run has a number; it is called only before a number of
// the run has been shown.
func (v *Repaint) Due(now float64, firstNumberWaits func() bool) bool {
	since := now - v.lastRepaint
	if since < ViewInterval || !v.Dirty && !(v.NewNumbers && (since >= numbersInterval || !v.NumberShown && firstNumberWaits())) {
		return false
	}
	v.Dirty, v.NewNumbers, v.lastRepaint = false, false, now
	return true
}

// Changed keeps only the parts that differ from those last sent.
func (v *Repaint) Changed(parts map[string]html.HTML) map[string]html.HTML {
	for id, h := range parts {
		if v.sent[id] == h {
			delete(parts, id)
		} else {
			v.sent[id] = h
		}
	}
	return parts
}
