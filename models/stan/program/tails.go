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
	maxTailGradients = 40   // of the climb on one plane
	maxTailTime      = 2e8  // planned nanoseconds in all
	minTailEvals     = 1000 // evaluations that are allowed whatever they take
	boxPoints        = 8    // over which the density in a box is averaged
	negligibleDrop   = 20   // nats
)

// Values of t of the planes of a ray. nearDistances are in standard deviations; by the last of them a ray shows
// whether its mass falls. If it does not, farDistances follow, in the unit of the tape. A prior of any scale that is a
// floating-point number falls before the last, so a mass that still does not fall from certainDistance on is taken for
// infinite.
var (
	nearDistances = [...]float64{3, 10, 30, 100, 300, 1e3, 1e4, 1e5}
	farDistances  = [...]float64{1e10, 1e25, 1e50, 1e100, certainDistance, 1e300}
)

// Limits by the precision of floating-point numbers.
const (
	certainDistance = 1e150
	minBoxSide      = 1e-11 // smallest side of a box that can be measured, as a share of its distance from 0
	rounding        = 1e-15 // distance between two numbers, as a share of their size
	flatSlope       = 1e-9  // a density whose log changes by less from t to e t counts as constant
)

// tails measures how fast the mass of the target falls far out, to find integrals that are infinite. In coordinates
// y = (x - mean)/sd it follows a ray along each coordinate i, both ways. On each plane y_i = t it climbs to the highest
// point, and measures the mass of a box around that point. The sides w_j of the box are the distances over which log f
// falls by 1, but at most in proportion to t. The mass is about
//
//	M(t) = (t/3) prod_(j != i) w_j mean f,  the mean over the box.
//
// Boxes at t, 3t, 9t ... do not overlap, so the integral is infinite if M does not fall as t grows. For a t
// distribution of df degrees of freedom d log M / d log t is -df.
type tails struct {
	dim         int
	points      *tape.Points
	mean, sd    []float64
	root        []float64   // Cholesky factor of the correlation matrix: y = root z
	draws       [][]float64 // last points of the chains
	x           []float64   // room for toX
	box         [][]float64 // random points of the box with sides from -1 to 1
	budget      float64     // evaluations that may still be made
	heaviestFar farMass

	// cutOff is the largest log density, less that of a draw, at which the density becomes 0 along a coordinate because
	// numbers overflow or round (numericEdge); -Inf: at none.
	cutOff float64
}

// ray is a ray along coordinate i with the planes that it has reached so far, in the order of t.
type ray struct {
	i      int
	sign   float64 // of y_i
	planes []plane
}

// plane is a plane y_i = t of a ray: its highest point y, the log density there, and the log of M and the sides of the
// box once these were measured; logM is NaN where it is not known.
type plane struct {
	t, logF, logM float64
	y, sides      []float64
}

// newTails takes the coordinates of the metric of a pilot, and its draws.
func newTails(p *pilot) *tails {
	t, dim, key := p.t, p.t.Dim(), rng.NewKey(0, "tails", p.t.Dim())
	a := &tails{dim: dim, points: t.Points(), mean: slices.Clone(p.metric.Mean), sd: make([]float64, dim),
		root: slices.Clone(p.metric.Root), x: make([]float64, dim),
		budget: max(minTailEvals, maxTailTime/t.Work()), cutOff: math.Inf(-1)}
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

// logF returns the log density at y, -Inf where it is not finite.
func (a *tails) logF(y []float64) float64 {
	a.budget--
	if f := a.points.LogF(a.toX(y)); num.Finite(f) {
		return f
	}
	return math.Inf(-1)
}

// slope sets out to the gradient by y and returns the log density. A gradient counts as four evaluations.
func (a *tails) slope(y, out []float64) float64 {
	a.budget -= 4
	f := a.points.Slope(a.toX(y), out)
	for i := range out {
		out[i] *= a.sd[i]
	}
	return f
}

// tail is how the mass falls at the end of a ray.
type tail struct {
	slope float64   // d log M / d log t, -Inf: faster than any power
	power float64   // d log f / d log t
	t     float64   // of the last box
	i     int       // coordinate of the ray
	x     []float64 // last point, nil: the mass falls faster than any power
}

// slowerThan reports whether the mass of a falls more slowly than that of b, by more than rounding error.
func (a tail) slowerThan(b tail) bool { return a.slope > b.slope+.01 || b.x == nil && a.x != nil }

var noTail = tail{slope: math.Inf(-1)}

// slowestTails returns for each coordinate the tail, of both directions, that falls more slowly, and the number of
// coordinates at which the budget of evaluations ran out.
func (a *tails) slowestTails() (out []tail, unchecked int) {
	order, reach := make([]int, a.dim), make([]float64, a.dim)
	for i := range order {
		order[i] = i
		for _, y := range a.draws {
			reach[i] = max(reach[i], math.Abs(y[i]))
		}
	}
	sort.SliceStable(order, func(i, j int) bool { // the farthest draws first, as the budget may run out
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
			a.noteFarMass(r)
			a.mean[i], a.sd[i] = mean, sd
		}
		if a.budget < 0 {
			unchecked++
		}
	}
	return out, unchecked
}

// Endless returns the slope of the slowest tail, and the name of the first parameter that depends on its coordinate.
func (m *onTape) TailSlope() (slope float64, name string) {
	p, found := m.fittedPilot(), noTail
	for _, t := range p.tails {
		if t.slowerThan(found) {
			found = t
		}
	}
	if found.x == nil {
		return found.slope, ""
	}
	n, points, x := len(p.t.Names()), p.t.Points(), slices.Clone(p.metric.Mean)
	here, there := make([]float64, n), make([]float64, n)
	points.Show(x, here)
	x[found.i] = found.x[found.i]
	points.Show(x, there)
	for k, name := range m.t.Names() {
		if here[k] != there[k] {
			return found.slope, name
		}
	}
	return found.slope, ""
}

// overflow is about the largest |x| at which e^x neither overflows nor becomes 0.
const overflow = 700

// widePastOverflow reports whether chains have spread so far along a coordinate that e^x overflows within about a dozen
// standard deviations, and whether the density becomes 0 there. Then the chains' own mean and standard deviation tell
// nothing about the tail, and it is measured with others.
func (a *tails) widePastOverflow(i int, sign float64) bool {
	return 3*a.sd[i] >= overflow/4 && a.endsAtOverflow(i, sign)
}

// endsAtOverflow reports whether along a coordinate the density becomes 0 where e^x overflows, or where e^2x does.
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

// toX returns the point x of y, which is valid until the next call.
func (a *tails) toX(y []float64) []float64 {
	for i, v := range y {
		a.x[i] = a.mean[i] + num.Mul(a.sd[i], v)
	}
	return a.x
}

// followRay goes out along a ray and returns the tail at its end, with a point y in place of x.
func (a *tails) followRay(r *ray) tail {
	falls, overflowAt := 0, 0. // fast falls in a row, and the t at which no density above 0 was found
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

	// The mass does not fall so far. Planes farther out follow, as long as their boxes can be measured.
	for _, x := range farDistances {
		t := x / a.sd[r.i]
		switch {
		case end.slope < models.SlowTail || r.last().t < 1e5 || math.IsNaN(r.last().logM):
			return a.ifCertain(r, end)
		case t < 10*r.last().t:
			continue
		case !a.advance(r, t):
			return a.ifCertain(r, end)
		}
		end = a.measureTail(r)
	}
	return a.ifCertain(r, end)
}

// endBeforeOverflow measures the tail of a ray again where the density is 0 at t because numbers overflow or round. It
// finds by bisection where the density is still above 0, and adds a plane at 3/4 of that. The planes before may
// mislead, since sides of boxes may grow faster than the density falls: the coordinate of a correlation is the atanh
// of a partial correlation, which rounds to 1 from 19 on, and other coordinates get more room until it is nearly 1.
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

// endBeforeFalls returns the tail of a ray whose density fell fast between its last planes. This is no tail, unless the
// falls mean only that climbs do not stay on a ridge that is narrower than the distance between numbers; then it is the
// tail before them.
func (a *tails) endBeforeFalls(r *ray) tail {
	n := len(r.planes) - 2
	first := &r.planes[n]
	if r.planes = r.planes[:n]; n >= 2 {
		end := a.measureTail(r)
		if a.boxMass(r, first, nil, minBoxSide); end.slope > models.SlowTail && a.narrowestSide(r.i, first) < rounding {
			return a.ifCertain(r, end)
		}
	}
	return noTail
}

// fallsFast reports whether from the last plane but one to the last the density falls by more than negligibleDrop nats
// beyond the growth of a box all of whose sides grow as t.
func (a *tails) fallsFast(r *ray) bool {
	n := len(r.planes)
	if n < 2 {
		return false
	}
	previous, last := &r.planes[n-2], &r.planes[n-1]
	return last.logF-previous.logF+num.Mul(float64(a.dim), num.Log(last.t/previous.t)) < -negligibleDrop
}

func (r *ray) last() *plane {
	if len(r.planes) == 0 {
		return &plane{}
	}
	return &r.planes[len(r.planes)-1]
}

// advance adds the plane at t, with the highest point that a climb finds from the best of several starts. It returns
// false where all starts have a density of 0. On the first plane, starts are the mean, the direction of the largest
// covariance with y_i, and draws that are scaled to the plane. Later starts extrapolate from the planes before.
func (a *tails) advance(r *ray, t float64) bool {
	var starts [][]float64
	if n := len(r.planes); n > 0 {
		last := &r.planes[n-1]
		starts = append(starts, slices.Clone(last.y), slices.Clone(last.y))
		for j := range last.y {
			starts[1][j] *= t / last.t
		}
		if n > 1 { // coordinates that are linear in t, and in log t
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

	// The climb from the best start.
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

// climb moves the point of a plane to a maximum of the density within the plane, by coordinates z of y = root z. The
// component of the gradient by z along the normal of the plane is removed.
func (a *tails) climb(r *ray, s *plane) {
	normal, origin, slope := a.root[r.i*a.dim:(r.i+1)*a.dim], slices.Clone(s.y), make([]float64, a.dim)
	pointOf := func(z, y []float64) {
		copy(y, origin)
		addRootTimes(a.root, 1, z, y)
		y[r.i] = origin[r.i]
	}
	y, z := make([]float64, a.dim), make([]float64, a.dim)
	c := climber{dim: a.dim, budget: maxTailGradients, slope: func(z, out []float64) float64 {
		pointOf(z, y)
		f := a.slope(y, slope)
		rootTTimes(a.root, slope, out)
		num.Axpy(-num.Dot(out, normal), normal, out)
		return f
	}}
	if f := c.climb(z); f > s.logF {
		s.logF = f
		pointOf(z, s.y)
	}
}
