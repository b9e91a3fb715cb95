package program

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
	"logzlab/models/stan/tape"
)

// Limits of the measurement of tails.
const (
	maxTailGradients = 40   // gradients of the climb on one plane
	maxTailTime      = 2e8  // planned nanoseconds for all rays
	minTailEvals     = 1000 // evaluations that are allowed whatever their time
	boxPoints        = 8    // random points over which the density in a box is averaged
	negligibleDrop   = 20   // nats by which a log density must fall to become negligible
)

// Values of t for the planes of a ray. nearDistances are in standard deviations; at the last of them it is usually
// clear whether the mass decreases. If it does not, farDistances follow, in the units of the tape. A prior with any
// scale in floating-point range decreases before the last of them, so mass that still does not decrease from
// certainDistance on counts as infinite.
var (
	nearDistances = [...]float64{3, 10, 30, 100, 300, 1e3, 1e4, 1e5}
	farDistances  = [...]float64{1e10, 1e25, 1e50, 1e100, certainDistance, 1e300}
)

// Limits by the precision of floating-point numbers.
const (
	certainDistance = 1e150
	minBoxSide      = 1e-11 // smallest side of a box that can be measured, as a share of its distance from 0
	rounding        = 1e-15 // distance between adjacent numbers, as a share of their size
	flatSlope       = 1e-9  // a density whose log changes by less from t to e t counts as constant
)

// tails measures how fast the mass of the target decreases far out, to detect infinite integrals. In coordinates
// y = (x - mean)/sd it follows a ray along each coordinate i, in both directions. On each plane y_i = t it climbs to
// the highest point and measures the mass of a box around that point. The side w_j of the box is the distance along y_j
// over which log f falls by 1, but at most t/2. The mass is about
//
//	M(t) = (t/3) prod_(j != i) w_j mean f,  the mean over the box.
//
// Boxes at t, 3t, 9t ... do not overlap, so the integral is infinite if M does not decrease with t. For a t
// distribution with df degrees of freedom, d log M / d log t is -df.
type tails struct {
	dim         int
	points      *tape.EvaluatorPool
	mean, sd    []float64
	root        []float64   // Cholesky factor of the correlation matrix: y = root z
	draws       [][]float64 // last points of the chains
	x           []float64   // work space of toX
	box         [][]float64 // random points of the box with sides from -1 to 1
	budget      float64     // evaluations that may still be made
	heaviestFar farMass

	// cutOff is the largest log density, relative to that of a draw, at which the density becomes 0 along a coordinate
	// because of overflow or rounding (isNumericEdge); -Inf if there is none.
	cutOff float64
}

// ray is a ray along coordinate i, with the planes reached so far in the order of t.
type ray struct {
	i      int
	sign   float64 // of y_i
	planes []plane
}

// plane is a plane y_i = t of a ray: its highest point y, the log density there, and, once measured, the log of M and
// the sides of the box; logM is NaN if it is unknown.
type plane struct {
	t, logF, logM float64
	y, sides      []float64
}

// newTails returns tails with the mean and the standard deviations of the metric of a pilot, and its draws.
func newTails(p *pilot) *tails {
	t, dim, key := p.t, p.t.Dim(), rng.NewKey(0, "tails", p.t.Dim())
	a := &tails{dim: dim, points: t.EvaluatorPool(), mean: slices.Clone(p.metric.Mean), sd: make([]float64, dim),
		root: slices.Clone(p.metric.Root), x: make([]float64, dim),
		budget: max(minTailEvals, maxTailTime/t.EvalTime()), cutOff: math.Inf(-1)}
	for i := range dim {
		row := a.root[i*dim : (i+1)*dim]
		clear(row[i+1:])
		a.sd[i] = max(math.Sqrt(num.Dot(row, row)), 1e-100)
		for j := range row {
			row[j] /= a.sd[i]
		}
	}
	for r := 0; r < len(p.chainDraws); r += dim {
		y := make([]float64, dim)
		for i := range y {
			y[i] = (p.chainDraws[r+i] - a.mean[i]) / a.sd[i]
		}
		a.draws = append(a.draws, y)
	}
	for k := range uint32(boxPoints) {
		s, u := key.Stream(8, k, 0), make([]float64, dim)
		for j := range u {
			u[j] = num.Mul(2, s.Float64()) - 1
		}
		a.box = append(a.box, u)
	}
	return a
}

// logF returns the log density at y, and -Inf if it is not finite.
func (a *tails) logF(y []float64) float64 {
	a.budget--
	if f := a.points.LogF(a.toX(y)); num.Finite(f) {
		return f
	}
	return math.Inf(-1)
}

// grad sets out to the gradient with respect to y and returns the log density. A gradient counts as four evaluations.
func (a *tails) grad(y, out []float64) float64 {
	a.budget -= 4
	f := a.points.Gradient(a.toX(y), out)
	for i := range out {
		out[i] *= a.sd[i]
	}
	return f
}

// tail describes how the mass decreases at the end of a ray.
type tail struct {
	slope float64   // d log M / d log t; -Inf: faster than any power
	power float64   // d log f / d log t
	t     float64   // t of the last measured box
	i     int       // coordinate of the ray
	x     []float64 // last point; nil if the mass decreases faster than any power
}

// slowerThan reports whether the mass of a decreases more slowly than that of b, by more than rounding error.
func (a tail) slowerThan(b tail) bool { return a.slope > b.slope+.01 || b.x == nil && a.x != nil }

var noTail = tail{slope: math.Inf(-1)}

// slowestTails returns for each coordinate the slower of the tails in both directions, and the number of coordinates at
// which the budget of evaluations was exceeded.
func (a *tails) slowestTails() (out []tail, unchecked int) {
	order, reach := make([]int, a.dim), make([]float64, a.dim)
	for i := range order {
		order[i] = i
		for _, y := range a.draws {
			reach[i] = max(reach[i], math.Abs(y[i]))
		}
	}
	sort.SliceStable(order, func(i, j int) bool { // farthest draws first, because the budget may run out
		return reach[order[i]] > reach[order[j]]
	})

	out = make([]tail, a.dim)
	for i := range out {
		out[i] = noTail
	}
	for _, i := range order {
		for _, sign := range [2]float64{1, -1} {
			mean, sd := a.mean[i], a.sd[i]
			if a.widePastOverflow(i, sign) {
				a.mean[i], a.sd[i] = 0, overflow/20
			}
			r := &ray{i: i, sign: sign}
			if end := a.followRay(r); end.slowerThan(out[i]) {
				end.x = slices.Clone(a.toX(end.x))
				out[i] = end
			}
			a.recordFarMass(r)
			a.mean[i], a.sd[i] = mean, sd
		}
		if a.budget < 0 {
			unchecked++
		}
	}
	return out, unchecked
}

// TailSlope returns the slope of the slowest tail, and the name of the first parameter that depends on its coordinate.
func (m *programModel) TailSlope() (slope float64, name string) {
	p, slowest := m.fittedPilot(), noTail
	for _, t := range p.tails {
		if t.slowerThan(slowest) {
			slowest = t
		}
	}
	if slowest.x == nil {
		return slowest.slope, ""
	}
	n, points, x := len(p.t.OutputNames()), p.t.EvaluatorPool(), slices.Clone(p.metric.Mean)
	outputs, movedOutputs := make([]float64, n), make([]float64, n)
	points.Outputs(x, outputs)
	x[slowest.i] = slowest.x[slowest.i]
	points.Outputs(x, movedOutputs)
	for k, name := range m.t.OutputNames() {
		if outputs[k] != movedOutputs[k] {
			return slowest.slope, name
		}
	}
	return slowest.slope, ""
}

// overflow is about the largest |x| at which e^x neither overflows nor underflows.
const overflow = 700

// widePastOverflow reports whether chains have spread so far along a coordinate that e^x overflows within about a dozen
// standard deviations, and the density becomes 0 there. Their mean and standard deviation are then useless for the
// tail, and slowestTails replaces them by 0 and overflow/20.
func (a *tails) widePastOverflow(i int, sign float64) bool {
	return 3*a.sd[i] >= overflow/4 && a.endsAtOverflow(i, sign)
}

// endsAtOverflow reports whether the density along a coordinate becomes 0 where e^x or e^2x overflows.
func (a *tails) endsAtOverflow(i int, sign float64) bool {
	y, finite := make([]float64, a.dim), [2]bool{}
	for _, end := range [2]float64{overflow, overflow / 2} {
		for k, x := range [2]float64{end - 10, end + 50} {
			y[i] = (num.Mul(sign, x) - a.mean[i]) / a.sd[i]
			finite[k] = !math.IsInf(a.logF(y), -1)
		}
		if finite[0] && !finite[1] {
			return true
		}
	}
	return false
}

// toX returns the point x of y. It is valid until the next call.
func (a *tails) toX(y []float64) []float64 {
	for i, v := range y {
		a.x[i] = a.mean[i] + num.Mul(a.sd[i], v)
	}
	return a.x
}

// followRay goes out along a ray and returns the tail at its end, with a point y in place of x.
func (a *tails) followRay(r *ray) tail {
	falls, overflowAt := 0, 0. // number of fast decreases in a row, and the t at which no positive density was found
	for _, t := range nearDistances {
		if a.budget < 0 {
			return noTail
		}
		if !a.advance(r, t) {
			overflowAt = t
			break
		}
		if a.fallsFast(r) {
			falls++
		} else {
			falls = 0
		}
		if falls == 2 {
			return a.endBeforeFalls(r)
		}
	}
	if falls > 0 && r.last().t >= 1e5 && a.advance(r, 1e6) && a.fallsFast(r) {
		return noTail
	}
	end := a.measureTail(r)
	if overflowAt > 0 && len(r.planes) > 0 && end.slope > models.SlowTail && !a.endsAtOverflow(r.i, r.sign) {
		end = a.endBeforeOverflow(r, overflowAt)
	}

	// The mass has not decreased so far: continue with planes farther out, as long as their boxes can be measured.
	for _, x := range farDistances {
		t := x / a.sd[r.i]
		switch {
		case end.slope < models.SlowTail || r.last().t < 1e5 || math.IsNaN(r.last().logM):
			return a.confirmTail(r, end)
		case t < 10*r.last().t:
			continue
		case !a.advance(r, t):
			return a.confirmTail(r, end)
		}
		end = a.measureTail(r)
	}
	return a.confirmTail(r, end)
}

// endBeforeOverflow measures the tail of a ray again if the density is 0 at t because of overflow or rounding. It finds
// the last t with a positive density by bisection and adds a plane at 3/4 of that t. Planes at smaller t may show a
// mass that does not decrease although the integral is finite, because the sides of their boxes grow faster than the
// density decreases. An example is the coordinate of a correlation, the atanh of a partial correlation: the sides along
// other coordinates grow until the partial correlation is nearly 1, and it rounds to 1 at the coordinate 19.
func (a *tails) endBeforeOverflow(r *ray, t float64) tail {
	y, lo := slices.Clone(r.last().y), r.last().t
	for range 6 {
		mid := math.Sqrt(lo) * math.Sqrt(t)
		if y[r.i] = num.Mul(r.sign, mid); math.IsInf(a.logF(y), -1) {
			t = mid
		} else {
			lo = mid
		}
	}
	if lo *= .75; lo > num.Mul(1.2, r.last().t) && a.budget > 0 {
		a.advance(r, lo)
	}
	return a.measureTail(r)
}

// endBeforeFalls returns the tail of a ray whose density decreased fast between its last planes. Normally this is
// noTail. But climbs may have lost a ridge that is narrower than the spacing of floating-point numbers. In that case
// endBeforeFalls returns the tail measured on the planes before the decrease.
func (a *tails) endBeforeFalls(r *ray) tail {
	n := len(r.planes) - 2
	first := &r.planes[n]
	if r.planes = r.planes[:n]; n >= 2 {
		end := a.measureTail(r)
		if a.boxMass(r, first, nil, minBoxSide); end.slope > models.SlowTail && a.narrowestSide(r.i, first) < rounding {
			return a.confirmTail(r, end)
		}
	}
	return noTail
}

// fallsFast reports whether from the last plane but one to the last the density decreases by more than negligibleDrop
// nats beyond the growth of a box all of whose sides grow as t.
func (a *tails) fallsFast(r *ray) bool {
	n := len(r.planes)
	if n < 2 {
		return false
	}
	previous, last := &r.planes[n-2], &r.planes[n-1]
	return last.logF-previous.logF+num.Mul(float64(a.dim), num.Log(last.t/previous.t)) < -negligibleDrop
}

// last returns the last plane, or an empty one.
func (r *ray) last() *plane {
	if len(r.planes) == 0 {
		return &plane{}
	}
	return &r.planes[len(r.planes)-1]
}

// advance adds the plane at t, with the highest point that a climb finds from the best of several starts. It returns
// false if the density is 0 at all starts. On the first plane the starts are the mean, the direction of the largest
// covariance with y_i, and draws scaled to the plane. Later starts extrapolate from the planes before.
func (a *tails) advance(r *ray, t float64) bool {
	var starts [][]float64
	if n := len(r.planes); n > 0 {
		last := &r.planes[n-1]
		starts = append(starts, slices.Clone(last.y), slices.Clone(last.y))
		for j := range last.y {
			starts[1][j] *= t / last.t
		}
		if n > 1 { // extrapolate coordinates linearly in t and in log t
			previous := &r.planes[n-2]
			for _, factor := range [2]float64{(t - last.t) / (last.t - previous.t), num.Log(t/last.t) / num.Log(last.t/previous.t)} {
				start := slices.Clone(last.y)
				for j, v := range previous.y {
					start[j] += num.Mul(start[j]-v, factor)
				}
				starts = append(starts, start)
			}
		}
	} else {
		start := make([]float64, a.dim)
		addRootTimes(a.root, num.Mul(r.sign, t), a.root[r.i*a.dim:(r.i+1)*a.dim], start)
		starts = append(starts, make([]float64, a.dim), start)
		for _, y := range a.draws {
			if s := num.Mul(r.sign, y[r.i]); s > .5 {
				start := slices.Clone(y)
				for j := range start {
					start[j] *= t / s
				}
				starts = append(starts, start, slices.Clone(y))
			}
		}
	}

	// Climb from the best start.
	best := plane{t: t, logF: math.Inf(-1), logM: math.NaN()}
	for _, y := range starts {
		y[r.i] = num.Mul(r.sign, t)
		if f := a.logF(y); f > best.logF {
			best.logF, best.y = f, y
		}
	}
	if best.y == nil {
		return false
	}
	a.climb(r, &best)
	r.planes = append(r.planes, best)
	return true
}

// climb moves the point of a plane to a maximum of the density within the plane, in coordinates z with y = root z. It
// removes the component of the gradient along the normal of the plane.
func (a *tails) climb(r *ray, s *plane) {
	normal, origin, slope := a.root[r.i*a.dim:(r.i+1)*a.dim], slices.Clone(s.y), make([]float64, a.dim)
	pointOf := func(z, y []float64) {
		copy(y, origin)
		addRootTimes(a.root, 1, z, y)
		y[r.i] = origin[r.i]
	}
	y, z := make([]float64, a.dim), make([]float64, a.dim)
	c := climber{dim: a.dim, budget: maxTailGradients, grad: func(z, out []float64) float64 {
		pointOf(z, y)
		f := a.grad(y, slope)
		rootTTimes(a.root, slope, out)
		num.Axpy(-num.Dot(out, normal), normal, out)
		return f
	}}
	if f := c.climb(z); f > s.logF {
		s.logF = f
		pointOf(z, s.y)
	}
}
