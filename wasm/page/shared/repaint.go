package shared

import "logzlab/render/html"

// Rhythm of views, in seconds.
const (
	ViewEvery    = 0.1 // at most, after what the user did
	numbersEvery = 0.5 // of a run: faster updates cannot be read, and painting slows the lanes down
	ShellFor     = 1.0 // index.html shows the page at first: it is painted when the run begins, or after so long
)

// Repaint decides when the page is painted, and which parts. It must not know the content of the parts.
type Repaint struct {
	Seen    int  // the last event
	Dirty   bool // something has changed
	News    bool // numbers have come that no view shows
	Numbers bool // one of this run has been painted
	Rest    bool // the last one said that the page is at rest
	last    float64
	sent    map[string]html.HTML // parts as last painted
	Point   string               // id of an element that the next view brings into view
	Focus   string               // ids of elements, one of which takes the focus at the next view
}

// AtOnce paints with the next tick.
func (v *Repaint) AtOnce() { v.Dirty, v.last = true, 0 }

// Due reports whether to paint now. first: there is a number that people wait for.
func (v *Repaint) Due(now float64, first func() bool) bool {
	since := now - v.last
	if since < ViewEvery || !v.Dirty && !(v.News && (since >= numbersEvery || !v.Numbers && first())) {
		return false
	}
	v.Dirty, v.News, v.last = false, false, now
	return true
}

// Changed keeps those parts that the page does not have yet.
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
