package page

import (
	"slices"

	"logzlab/core/frame"
)

// looked are the frames on show, for the table behind the picture and for a sketch. It must not know of runs or views.
type looked struct {
	frames []*frame.Frame
	asked  float64 // when
	state  string  // of the run then
	reach  float64 // largest coordinate of points in this run
	// awaited tells that the page was asked for them and has not answered yet.
	awaited bool
}

// take decodes frames. Damaged ones are left out, and those of methods that the picture does not show.
func (l *looked) take(frames [][]byte, method string) {
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
			l.frames = slices.Insert(l.frames, i, f)
		}
	}
	l.widen()
}
