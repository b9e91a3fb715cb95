package program

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models"
	"logzlab/models/density"
)

// maxExtensions is the largest number of components that extendBase adds.
const maxExtensions = 4

// farMass is a box far from the mean of the chains: the log of its mass in the coordinates of the tape, and the vector
// x - mean to its centre.
type farMass struct {
	logMass float64
	offset  []float64 // nil if there is no box
}

// recordFarMass keeps the heaviest box far out. On a ray it measures the plane with the largest t f(t), to which the
// mass is proportional if boxes grow in length only. It ignores the ray if this is the first plane.
func (a *tails) recordFarMass(r *ray) {
	heaviest := 0
	for k, s := range r.planes {
		if b := r.planes[heaviest]; s.logF-b.logF+num.Log(s.t/b.t) > 0 {
			heaviest = k
		}
	}
	if heaviest == 0 {
		return
	}
	s := &r.planes[heaviest]
	logMass := a.boxMass(r, s, nil, rounding)
	for _, sd := range a.sd {
		logMass += num.Log(sd)
	}
	if logMass > a.heaviestFar.logMass || logMass > math.Inf(-1) && a.heaviestFar.offset == nil {
		a.heaviestFar = farMass{logMass, make([]float64, a.dim)}
		for j, y := range s.y {
			a.heaviestFar.offset[j] = num.Mul(a.sd[j], y)
		}
	}
}

// hasInfiniteTail reports whether the mass along a coordinate decreases so slowly that the integral may be infinite.
func (p *pilot) hasInfiniteTail() bool {
	return slices.ContainsFunc(p.tails, func(t tail) bool { return t.slope > models.SlowTail })
}

// extendBase adds a component to the base if one box far out has more mass than the base finds in all, for example on a
// ridge along a wide prior, which chains explore slowly. The component starts from the covariance root root' + d d':
// the covariance of the metric, extended by the vector d from the mean to the box. It reports whether it added a
// component.
func (p *pilot) extendBase(far *farMass) bool {
	p.farExcess = 0
	if far.offset == nil || !(far.logMass > p.logIntegral()) || p.hasInfiniteTail() {
		return false
	}
	p.farExcess = far.logMass - p.logIntegral()
	wide := density.Base{Mean: slices.Clone(p.metric.Mean), Root: slices.Clone(p.metric.Root)}
	if choleskyUpdate(wide.Root, far.offset); !wide.Normalise() {
		return false
	}
	p.addComponent(wide, len(p.base.components), 1)
	p.dropOutweighed()
	return true
}

// choleskyUpdate replaces the Cholesky factor root of a covariance by that of root root' + d d'. It updates the factor
// itself, because small variances in directions orthogonal to a long d would be lost to rounding in the sum. It
// overwrites d.
func choleskyUpdate(root, d []float64) {
	dim := len(d)
	for k := range dim {
		diagonal := root[k*dim+k]
		updated := math.Sqrt(num.Mul(diagonal, diagonal) + num.Mul(d[k], d[k]))
		c, s := updated/diagonal, d[k]/diagonal
		root[k*dim+k] = updated
		for j := k + 1; j < dim; j++ {
			v := &root[j*dim+k]
			*v = (*v + num.Mul(s, d[j])) / c
			d[j] = num.Mul(c, d[j]) - num.Mul(s, *v)
		}
	}
}
