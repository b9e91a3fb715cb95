package shared

import "logzlab/render/html"

// Intervals between views, in seconds.
const (
	ViewEvery    = 0.1 // least interval, after user actions
	numbersEvery = 0.5 // least interval of a run's numbers: faster ones cannot be read, and painting slows the lanes
	ShellFor     = 1.0 // index.html has the first view; the next one follows when the run begins, or after this time
)

// Repaint decides when the page is repainted, and which parts. It must not know the content of the parts.
type Repaint struct {
	Seen        int  // number of the last event handled
	Dirty       bool // something has changed
	NewNumbers  bool // there are new numbers
	NumberShown bool // a number of this run has been shown
	IdleSent    bool // the last view said that the page is idle
	last        float64
	sent        map[string]html.HTML // parts as last sent
	ScrollTo    string               // id of an element that the next view scrolls into view
	Focus       string               // ids of elements, the first existing one gets the focus at the next view
}

// AtOnce makes the next tick repaint the page.
func (v *Repaint) AtOnce() { v.Dirty, v.last = true, 0 }

// Due reports whether to repaint now. first reports whether a first number is waiting to be shown.
func (v *Repaint) Due(now float64, first func() bool) bool {
	since := now - v.last
	if since < ViewEvery || !v.Dirty && !(v.NewNumbers && (since >= numbersEvery || !v.NumberShown && first())) {
		return false
	}
	v.Dirty, v.NewNumbers, v.last = false, false, now
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
