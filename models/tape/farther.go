package tape

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/rng"
	ops "logzlab/core/tape"
	"logzlab/models"
	"logzlab/models/density"
)

// mostFarther is how often the base is made anew where there is more of the target far out.
const mostFarther = 4

// heap is mass far out: its log, in the unit of the tape, and where it is as seen from the mean.
type heap struct {
	log float64
	at  []float64
}

// weigh notes the box of a ray that is the heaviest while sides stay as they are, where that is not the first.
func (a *tails) weigh(r *ray) {
	best := 0
	for k, s := range r.at {
		if b := r.at[best]; s.f-b.f+num.Log(s.t/b.t) > 0 {
			best = k
		}
	}
	if best == 0 {
		return
	}
	s := &r.at[best]
	log := a.measure(r, s, nil, tailGrid)
	for _, sd := range a.sd {
		log += num.Log(sd)
	}
	if log > a.heaviest.log || log > math.Inf(-1) && a.heaviest.at == nil {
		a.heaviest = heap{log, make([]float64, a.dim)}
		for j, y := range s.y {
			a.heaviest.at[j] = num.Mul(a.sd[j], y)
		}
	}
}

// endless reports whether there is a tail that may not end.
func (p *pilot) endless() bool {
	return slices.ContainsFunc(p.tails, func(t tail) bool { return t.slope > models.SlowTail })
}

// goFarther adds a part to the base where one box far out has more of the target than all that was found, as on a ridge
// along which a prior is far wider than chains come in the time of a pilot. The part has the covariance of the chains,
// and is as long as the way there.
func (p *pilot) goFarther(t *ops.Tape, h *heap, key rng.Key) bool {
	p.beyond = 0
	if h.at == nil || !(h.log > p.integral()) || p.endless() {
		return false
	}
	p.beyond = h.log - p.integral()
	wide := density.Base{Mean: slices.Clone(p.space.Mean), Root: slices.Clone(p.space.Root)}
	if lengthen(wide.Root, h.at); !wide.Normalise() {
		return false
	}
	p.addPart(t, wide, key, len(p.base.parts), 1)
	p.outweighs(t.Points().LogF, key)
	return true
}

// lengthen makes root root' + d d' of a factor, without losing what is narrow across d. It changes d.
func lengthen(root, d []float64) {
	dim := len(d)
	for k := range dim {
		was := root[k*dim+k]
		now := math.Sqrt(num.Mul(was, was) + num.Mul(d[k], d[k]))
		c, s := now/was, d[k]/was
		root[k*dim+k] = now
		for j := k + 1; j < dim; j++ {
			v := &root[j*dim+k]
			*v = (*v + num.Mul(s, d[j])) / c
			d[j] = num.Mul(c, d[j]) - num.Mul(s, *v)
		}
	}
}
