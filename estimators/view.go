package estimators

import (
	"logzlab/core/frame"
	"logzlab/models"
)

// view is the frame of a lane and the arrays it shows.
type view struct {
	f      frame.Frame
	u      *Unit
	pop    models.Population
	ladder []float64
	rung   []int32
	logw   []float64 // nil where rows carry no weights
}

// maxShown bounds the rows of a lane that a frame shows.
const maxShown = 100

// newView makes the rows of a lane and the frame that will show them.
func newView(c Config, ladder []float64, u *Unit, rows lanes) *view {
	first, n := rows.span(u.Lane)
	v := &view{u: u, ladder: ladder, pop: c.Model.New(n, ladder), rung: make([]int32, n), logw: make([]float64, n)}
	v.f = frame.Frame{Model: c.Model.Info().Name, Phase: u.Round, First: first, N: min(n, maxShown), Total: rows.n, Rungs: len(ladder)}
	return v
}

// show updates the frame; pictures only when somebody watches, and always in the
// last frame of a lane, so that what stays on show is complete.
func (v *view) show(step int) *frame.Frame {
	f := v.tick(step)
	if !v.u.Watched && step != v.u.Last {
		return f
	}
	f.Beta, f.LogW = f.Beta[:0], f.LogW[:0]
	for _, k := range v.rung[:f.N] {
		f.Beta = append(f.Beta, float32(v.ladder[k]))
	}
	if v.logw != nil {
		for _, w := range v.logw[:f.N] {
			f.LogW = append(f.LogW, float32(w))
		}
	}
	f.Rung = v.rung[:f.N]
	v.pop.Read(f.N, f)
	return f
}

// tick tells progress without a picture.
func (v *view) tick(step int) *frame.Frame {
	v.f.Step = step
	return &v.f
}
