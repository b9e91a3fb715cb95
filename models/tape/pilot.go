package tape

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/rng"
	ops "logzlab/core/tape"
	"logzlab/models/density"
)

// Sizes of the pilot.
const (
	pilotStarts = 12  // climbs
	pilotModes  = 6   // modes that get a part of the base, at most
	pilotChains = 16  // around each mode
	pilotLeaps  = 4   // of a transition, about
	pilotWork   = 2e9 // nanoseconds that it may plan to take
	pilotFar    = 4   // standard deviations between modes that are two
	pilotWide   = 1.5 // times the covariance of the chains that the base has
)

// windows are the transitions of the chains between two fits of their covariance.
var windows = [...]int{15, 25, 40, 80}

// pilot is what a search for a base finds. It depends on the tape alone.
type pilot struct {
	base          mixture
	space         density.Base // of the coordinates: the chains around the highest mode
	step          float64      // of a leapfrog in these coordinates
	climbs, modes int          // climbs that ended at a mode, and modes found
	spent         int          // evaluations
}

// findBase looks for the base of a tape's path. Climbs from scattered starts find modes. Around each mode, chains of
// Hamiltonian Monte Carlo run at the target, and are fitted several times, each time with a metric by what they were
// before; the last fit, widened, is a part of the base.
func findBase(t *ops.Tape) *pilot {
	dim := t.Dim()
	key := rng.NewKey(0, "base", dim)
	p := &pilot{}
	points := t.Points()
	parts := p.findModes(t, points, key)
	share := 1 / float64(len(parts))
	for k, part := range parts {
		c := newChains(t, part, key, uint32(k), pilotChains)
		each := float64(pilotChains*pilotLeaps*len(parts)) * 4 * t.Work()
		most := max(30, int(pilotWork/each))
		for _, n := range windows {
			n = max(min(n, most*n/160), 8)
			c.run(n)
			c.refit()
		}
		p.spent += c.spent
		part := c.base()
		p.base.parts = append(p.base.parts, part)
		p.base.logW = append(p.base.logW, num.Log(share))
		if k == 0 {
			p.space, p.step = c.around, c.step
		}
	}
	if len(parts) > 1 {
		p.base.weigh(points.LogF, key)
	}
	return p
}

// findModes makes normal distributions around the modes that climbs find, the highest first; one around the best start
// where no climb ends at a mode.
func (p *pilot) findModes(t *ops.Tape, points *ops.Points, key rng.Key) []density.Base {
	dim := t.Dim()
	budget := int(.3 * pilotWork / (4 * t.Work()))
	c := climber{dim: dim, slope: points.Slope, left: max(min(budget, pilotStarts*400), 200)}
	began := c.left
	type hill struct {
		density.Base
		top float64
	}
	var hills []hill
	best, bestAt := math.Inf(-1), make([]float64, dim)
	for i := range uint32(pilotStarts) {
		x, s := make([]float64, dim), key.Stream(0, i, 0)
		if i > 0 {
			for k := range x {
				x[k] = num.Mul(4, s.Float64()) - 2
			}
		}
		f := points.LogF(x)
		if f > best || i == 0 {
			best, bestAt = f, slices.Clone(x)
		}
		if f = c.climb(x); math.IsInf(f, -1) {
			continue
		}
		root, ok := around(&c, x)
		if !ok {
			continue
		}
		h := hill{density.Base{Mean: x, Root: root}, f}
		if h.Normalise() {
			p.climbs++
			if !slices.ContainsFunc(hills, func(o hill) bool { return near(&o.Base, x) }) {
				hills = append(hills, h)
			}
		}
		if c.left <= 0 {
			break
		}
	}
	p.spent, p.modes = began-c.left, len(hills)
	slices.SortStableFunc(hills, func(a, b hill) int {
		// By the log of the integral of the normal density through the top.
		wa, wb := a.top-a.Log(a.Mean), b.top-b.Log(b.Mean)
		switch {
		case wa > wb:
			return -1
		case wa < wb:
			return 1
		}
		return 0
	})
	var out []density.Base
	for _, h := range hills[:min(len(hills), pilotModes)] {
		if h.top-h.Log(h.Mean) > hills[0].top-hills[0].Log(hills[0].Mean)-10 {
			out = append(out, h.Base)
		}
	}
	if len(out) == 0 {
		root := make([]float64, dim*dim)
		for i := range dim {
			root[i*dim+i] = .5
		}
		out = append(out, density.Base{Mean: bestAt, Root: root})
	}
	return out
}

// around is the factor of the covariance that the curvature at a mode means. ok is false where it is no covariance.
func around(c *climber, x []float64) (root []float64, ok bool) {
	dim := c.dim
	scale := make([]float64, dim)
	for i, v := range x {
		scale[i] = max(1, math.Abs(v))
	}
	h := make([]float64, dim*dim)
	for range 2 { // the second time with steps by the scales that the first time found
		if !c.curvature(x, scale, h) {
			return nil, false
		}
		for i := range scale {
			if v := h[i*dim+i]; v > 0 {
				scale[i] = 1 / math.Sqrt(v)
			}
		}
	}
	if !num.Invert(h, dim) {
		return nil, false
	}
	return h, num.Cholesky(h, dim, nil) && finite(h)
}

// near reports whether a point is within the reach of a normal distribution.
func near(b *density.Base, x []float64) bool {
	d := slices.Clone(x)
	for i := range d {
		d[i] -= b.Mean[i]
	}
	num.SolveLower(b.Root, len(d), d)
	return num.Dot(d, d) < pilotFar*pilotFar
}
