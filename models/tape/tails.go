package tape

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
	"logzlab/core/rng"
	ops "logzlab/core/tape"
	"logzlab/models"
)

// Sizes of the look at tails: gradients of one climb, nanoseconds and evaluations that may be planned, points in a box.
// A ray ends after two falls of the density by more than tailFall nats beyond what a growing box can make good.
const (
	tailClimb = 40
	tailWork  = 2e8
	tailLeast = 1000
	tailBox   = 8
	tailFall  = 20
)

// tailNear are distances in standard deviations. From 1,000 to 100,000 a ray shows whether its mass falls; only where
// it does not, tailFar are looked at, in the unit of the tape. A prior of any scale falls before the last, where it is
// a number; so from tailSure on it is certain that a mass does not fall.
var (
	tailNear = [...]float64{3, 10, 30, 100, 300, 1e3, 1e4, 1e5}
	tailFar  = [...]float64{1e10, 1e25, 1e50, 1e100, tailSure, 1e300}
)

// Boxes narrower than tailTold of their distance cannot be measured, and points closer than tailGrid not be told from
// each other. A density is steady that changes by less than tailSteady from t to e t.
const (
	tailSure   = 1e150
	tailTold   = 1e-11
	tailGrid   = 1e-15
	tailSteady = 1e-9
)

// tails looks for mass that does not end. In coordinates y of mean 0 and standard deviation 1 it goes out along each
// coordinate, both ways. On each plane y_i = t it climbs to the highest point, which is on a ray y = t v, and measures
// the mass of a box around it, whose sides are those across which log f falls by 1 and grow with t at most:
//
//	M(t) = (t/3) prod_(j != i) w_j mean f.
//
// Boxes at t, 3t, 9t ... do not overlap. So the integral is infinite where M does not fall as t grows. A t distribution
// of df degrees of freedom has d log M / d log t = -df.
type tails struct {
	dim      int
	points   *ops.Points
	mean, sd []float64
	root     []float64   // y = root z, with z about round
	draws    [][]float64 // y of chains
	x        []float64   // room
	box      [][]float64 // places in a box, between -1 and 1
	left     float64     // evaluations
	heaviest heap
	cutOff   float64 // log density where numbers end along a coordinate, less that of a draw; -Inf: nowhere
}

// ray is where tails is on its way.
type ray struct {
	i    int     // coordinate
	sign float64 // of y_i
	at   []stop
}

// stop is the highest point of a plane, and the log of the mass there where it is known.
type stop struct {
	t, f, logM float64
	y, w       []float64
}

// newTails makes a tails from what a pilot found.
func newTails(p *pilot) *tails {
	t, dim, key := p.t, p.t.Dim(), rng.NewKey(0, "tails", p.t.Dim())
	a := &tails{dim: dim, points: t.Points(), mean: slices.Clone(p.space.Mean), sd: make([]float64, dim),
		root: slices.Clone(p.space.Root), x: make([]float64, dim), left: max(tailLeast, tailWork/t.Work()), cutOff: math.Inf(-1)}
	for i := range dim {
		row := a.root[i*dim : (i+1)*dim]
		clear(row[i+1:])
		a.sd[i] = max(math.Sqrt(num.Dot(row, row)), 1e-100)
		for j := range row {
			row[j] /= a.sd[i]
		}
	}
	for r := 0; r < len(p.draws); r += dim {
		y := make([]float64, dim)
		for i := range y {
			y[i] = (p.draws[r+i] - a.mean[i]) / a.sd[i]
		}
		a.draws = append(a.draws, y)
	}
	for k := range uint32(tailBox) {
		s, u := key.Stream(8, k, 0), make([]float64, dim)
		for j := range u {
			u[j] = num.Mul(2, s.Float64()) - 1
		}
		a.box = append(a.box, u)
	}
	return a
}

// logF is the log density at y, -Inf where that is no number.
func (a *tails) logF(y []float64) float64 {
	a.left--
	if f := a.points.LogF(a.inX(y)); num.Finite(f) {
		return f
	}
	return math.Inf(-1)
}

// slopes sets out to the gradient by y.
func (a *tails) slopes(y, out []float64) float64 {
	a.left -= 4
	f := a.points.Slope(a.inX(y), out)
	for i := range out {
		out[i] *= a.sd[i]
	}
	return f
}

// tail is how the mass falls at the end of a ray: d log M / d log t, -Inf where it falls faster than any power; the
// power of the density there, d log f / d log t; the t of the last box; the coordinate; and a point there.
type tail struct {
	slope, power, t float64
	i               int
	x               []float64
}

// slower reports whether a tail falls more slowly than another, by more than rounding.
func (a tail) slower(b tail) bool { return a.slope > b.slope+.01 || b.x == nil && a.x != nil }

var noTail = tail{slope: math.Inf(-1)}

// look is the slowest tail of each coordinate, and the number of those that were not looked at both ways, as
// evaluations ran out.
func (a *tails) look() (out []tail, unseen int) {
	order, reach := make([]int, a.dim), make([]float64, a.dim)
	for i := range order {
		order[i] = i
		for _, y := range a.draws {
			reach[i] = max(reach[i], math.Abs(y[i]))
		}
	}
	sort.SliceStable(order, func(i, j int) bool { // those with far draws first, as evaluations may run out
		return reach[order[i]] > reach[order[j]]
	})

	// Both ways along each coordinate.
	out = make([]tail, a.dim)
	for i := range out {
		out[i] = noTail
	}
	for _, i := range order {
		for _, sign := range [2]float64{1, -1} {
			mean, sd := a.mean[i], a.sd[i]
			if a.overflows(i, sign) {
				a.mean[i], a.sd[i] = 0, overflow/20
			}
			r := &ray{i: i, sign: sign}
			if end := a.along(r); end.slower(out[i]) {
				end.x = slices.Clone(a.inX(end.x))
				out[i] = end
			}
			a.weigh(r)
			a.mean[i], a.sd[i] = mean, sd
		}
		if a.left < 0 {
			unseen++
		}
	}
	return out, unseen
}

// Endless is the slope of the slowest tail, and the first of what the tape shows that depends on its coordinate.
func (m *onTape) Endless() (slope float64, name string) {
	p, found := m.found(), noTail
	for _, t := range p.tails {
		if t.slower(found) {
			found = t
		}
	}
	if found.x == nil {
		return found.slope, ""
	}
	n, points, x := len(p.t.Names()), p.t.Points(), slices.Clone(p.space.Mean)
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

// overflow is about the largest |x| at which e^x is a number above 0.
const overflow = 700

// overflows reports whether chains along a coordinate have come so far that numbers end where three standard deviations
// do. They end where the support ends, too: what is flat there has no tail.
func (a *tails) overflows(i int, sign float64) bool {
	return 3*a.sd[i] >= overflow/4 && a.ends(i, sign)
}

// ends reports whether numbers end along a coordinate where e^x overflows.
func (a *tails) ends(i int, sign float64) bool {
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

// inX is a point y in the coordinates of the tape, until the next call.
func (a *tails) inX(y []float64) []float64 {
	for i, v := range y {
		a.x[i] = a.mean[i] + num.Mul(a.sd[i], v)
	}
	return a.x
}

// along is the tail at the end of one ray; its point is in the coordinates y.
func (a *tails) along(r *ray) tail {
	falls, ended := 0, 0. // where numbers end
	for _, t := range tailNear {
		if a.left < 0 {
			return noTail
		}
		if !a.advance(r, t) {
			ended = t
			break
		}
		if a.falls(r) {
			falls++
		} else {
			falls = 0
		}
		if falls == 2 {
			return a.before(r)
		}
	}
	if falls > 0 && r.last().t >= 1e5 && a.advance(r, 1e6) && a.falls(r) {
		return noTail
	}
	end := a.end(r)
	if ended > 0 && len(r.at) > 0 && end.slope > models.SlowTail && !a.ends(r.i, r.sign) {
		end = a.nearer(r, ended)
	}

	// Only where the mass does not fall, as far as numbers tell the points of the ray apart.
	for _, x := range tailFar {
		t := x / a.sd[r.i]
		switch {
		case end.slope < models.SlowTail || r.last().t < 1e5 || math.IsNaN(r.last().logM):
			return a.sure(r, end)
		case t < 10*r.last().t:
			continue
		case !a.advance(r, t):
			return a.sure(r, end)
		}
		end = a.end(r)
	}
	return a.sure(r, end)
}

// nearer is the end of a ray where numbers end before t, by a plane more, whose box they hold. Between the planes before
// the sides of boxes may have grown more than the density has fallen: a coordinate of a correlation is the atanh of a
// partial one, which is 1 in numbers from 19 on, and other coordinates get room until it is nearly 1.
func (a *tails) nearer(r *ray, t float64) tail {
	y, lo := slices.Clone(r.last().y), r.last().t
	for range 6 {
		mid := math.Sqrt(lo) * math.Sqrt(t)
		if y[r.i] = num.Mul(r.sign, mid); math.IsInf(a.logF(y), -1) {
			t = mid
		} else {
			lo = mid
		}
	}
	if lo *= .75; lo > num.Mul(1.2, r.last().t) && a.left > 0 {
		a.advance(r, lo)
	}
	return a.end(r)
}

// before is the end of a ray before two falls, where it has one and the falls are only those of a climb that does not
// find a ridge too narrow for numbers.
func (a *tails) before(r *ray) tail {
	n := len(r.at) - 2
	first := &r.at[n]
	if r.at = r.at[:n]; n >= 2 {
		end := a.end(r)
		if a.measure(r, first, nil, tailTold); end.slope > models.SlowTail && a.narrowest(r.i, first) < tailGrid {
			return a.sure(r, end)
		}
	}
	return noTail
}

// falls reports whether a density falls, from the stop before, so fast that no box makes it good.
func (a *tails) falls(r *ray) bool {
	n := len(r.at)
	if n < 2 {
		return false
	}
	near, now := &r.at[n-2], &r.at[n-1]
	return now.f-near.f+num.Mul(float64(a.dim), num.Log(now.t/near.t)) < -tailFall
}

func (r *ray) last() *stop {
	if len(r.at) == 0 {
		return &stop{}
	}
	return &r.at[len(r.at)-1]
}

// advance goes on to the plane at t; false where no number is found there.
func (a *tails) advance(r *ray, t float64) bool {
	var starts [][]float64
	if n := len(r.at); n > 0 {
		last := &r.at[n-1]
		starts = append(starts, slices.Clone(last.y), slices.Clone(last.y))
		for j := range last.y {
			starts[1][j] *= t / last.t
		}
		if n > 1 { // some coordinates go along, others with log t, and others stay
			before := &r.at[n-2]
			for _, on := range [2]float64{(t - last.t) / (last.t - before.t), num.Log(t/last.t) / num.Log(last.t/before.t)} {
				start := slices.Clone(last.y)
				for j, v := range before.y {
					start[j] += num.Mul(start[j]-v, on)
				}
				starts = append(starts, start)
			}
		}
	} else {
		start := make([]float64, a.dim)
		push(a.root, num.Mul(r.sign, t), a.root[r.i*a.dim:(r.i+1)*a.dim], start)
		starts = append(starts, make([]float64, a.dim), start)
		for _, y := range a.draws {
			if s := num.Mul(r.sign, y[r.i]); s > .5 { // through a draw to the plane
				start := slices.Clone(y)
				for j := range start {
					start[j] *= t / s
				}
				starts = append(starts, start, slices.Clone(y))
			}
		}
	}

	// The best start climbs.
	best := stop{t: t, f: math.Inf(-1), logM: math.NaN()}
	for _, y := range starts {
		y[r.i] = num.Mul(r.sign, t)
		if f := a.logF(y); f > best.f {
			best.f, best.y = f, y
		}
	}
	if best.y == nil {
		return false
	}
	a.climb(r, &best)
	r.at = append(r.at, best)
	return true
}

// climb goes up from a point within its plane.
func (a *tails) climb(r *ray, s *stop) {
	normal, from, slope := a.root[r.i*a.dim:(r.i+1)*a.dim], slices.Clone(s.y), make([]float64, a.dim)
	to := func(z, y []float64) {
		copy(y, from)
		push(a.root, 1, z, y)
		y[r.i] = from[r.i]
	}
	y, z := make([]float64, a.dim), make([]float64, a.dim)
	c := climber{dim: a.dim, left: tailClimb, slope: func(z, out []float64) float64 {
		to(z, y)
		f := a.slopes(y, slope)
		pull(a.root, slope, out)
		num.Axpy(-num.Dot(out, normal), normal, out)
		return f
	}}
	if f := c.climb(z); f > s.f {
		s.f = f
		to(z, s.y)
	}
}
