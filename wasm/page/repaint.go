package page

import "logzlab/wasm/page/html"

// Rhythm of views, in seconds.
const (
	viewEvery    = 0.1 // at most, after what the user did
	numbersEvery = 0.5 // of a run: faster updates cannot be read, and painting slows the lanes down
	shellFor     = 1.0 // index.html shows the page at first: it is painted when the run begins, or after so long
)

// repaint decides when the page is painted, and which parts. It must not know the content of the parts.
type repaint struct {
	seen    int  // the last event
	dirty   bool // something has changed
	news    bool // numbers have come that no view shows
	numbers bool // one of this run has been painted
	rest    bool // the last one said that the page is at rest
	last    float64
	sent    map[string]html.HTML // parts as last painted
	point   string               // id of an element that the next view brings into view
	focus   string               // ids of elements, one of which takes the focus at the next view
}

// atOnce paints with the next tick.
func (v *repaint) atOnce() { v.dirty, v.last = true, 0 }

// due reports whether to paint now. first: there is a number that people wait for.
func (v *repaint) due(now float64, first func() bool) bool {
	since := now - v.last
	if since < viewEvery || !v.dirty && !(v.news && (since >= numbersEvery || !v.numbers && first())) {
		return false
	}
	v.dirty, v.news, v.last = false, false, now
	return true
}

// changed keeps those parts that the page does not have yet.
func (v *repaint) changed(parts map[string]html.HTML) map[string]html.HTML {
	for id, h := range parts {
		if v.sent[id] == h {
			delete(parts, id)
		} else {
			v.sent[id] = h
		}
	}
	return parts
}
