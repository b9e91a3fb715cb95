package cubature

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
)

// Points of the four grids of a scan in each coordinate. One is even in t to |t| = 8 and sparse beyond. One is even in z
// to |z| = 12: it finds narrow hills in the tails of a wide one. One is even in x over 250 units both ways, or over 12
// standard deviations where these are longer. The last is over 250 standard deviations, where that is more than twice as
// far as the one before.
var points = [4][MaxDim + 1]int{inT: {0, 1500, 130, 26}, inZ: {0, 500, 110, 48}, inX: {0, 2500, 190, 60},
	inFar: {0, 2500, 150, 44}}

// The coordinates of a grid.
const (
	inT = iota
	inZ
	inX
	inFar
)

// Ranges of the second and the third grid.
const (
	reachZ = 12
	reachX = 250
)

// Sizes of the climbs: tops of each grid that are climbed to, and evaluations of one climb.
const (
	mostTops   = 48
	mostClimb  = 400
	least      = 1e-5 // steps of a climb at its end
	topsBelow  = 40   // nats below the highest one, where a top does not count
	mostCharts = 8
)

// hill is a top of the density of t in a chart, and about how wide it is along each coordinate, to where it falls by 2
// nats; the root of the covariance of x that its curvature means; the log of its mass by that.
type hill struct {
	chart int
	at    point
	width point
	log   float64
	root  []float64 // nil: not known
	mass  float64
	mean  []float64
}

// seenAt is a point of the grid: the log density of x, and the log of the volume of x that it stands for.
type seenAt struct {
	x           point
	log, volume float64
}

// grid is a lattice of points and their densities.
type grid struct {
	n      int
	ticks  [MaxDim][]float64
	values []float64
}

// tick is the place of point k along coordinate i.
func (g *grid) tick(k, i int) float64 {
	for range i {
		k /= g.n
	}
	return g.ticks[i][k%g.n]
}

// volume is the log of what point k stands for.
func (g *grid) volume(k, d int) (log float64) {
	for i := range d {
		j, ticks := k%g.n, g.ticks[i]
		log += num.Log((ticks[min(j+1, g.n-1)] - ticks[max(j-1, 0)]) / 2)
		k /= g.n
	}
	return log
}

// gridOf is the grid in some coordinates.
func (in *integral) gridOf(coordinates int, p pass) *grid {
	g := &grid{n: int(num.Mul(float64(points[coordinates][in.d]), p.finer))}
	even := func(at, reach float64) (ticks []float64) {
		for k := range g.n {
			ticks = append(ticks, at+num.Mul(reach, num.Mul(2, float64(k)+.5)/float64(g.n)-1))
		}
		return ticks
	}
	for i := range in.d {
		switch coordinates {
		case inT:
			g.ticks[i] = in.farther(even(0, 8))
		case inZ:
			g.ticks[i] = even(0, reachZ)
		default:
			sd := in.base.sd(i)
			reach := max(reachX, num.Mul(reachZ, sd))
			if coordinates == inFar {
				reach = num.Mul(reachX, max(1, sd))
			}
			g.ticks[i] = even(in.base.mean[i], reach)
		}
	}
	g.n = len(g.ticks[0])
	return g
}

// farther adds sparse places of t, to the ends of the cube.
func (in *integral) farther(ticks []float64) []float64 {
	n, end := max(len(ticks)/20, 3), in.base.end
	for far, k := 8.5, 0; k < n && far < end; k++ {
		ticks = append(ticks, far, -far)
		far = num.Mul(far, 1.1+3/float64(n))
	}
	ticks = append(ticks, num.Mul(.99, end), num.Mul(.8, end), num.Mul(-.99, end), num.Mul(-.8, end))
	slices.Sort(ticks)
	return ticks
}

// scan looks for tops on all grids, and climbs from them and from places.
func (in *integral) scan(places [][]float64, p pass) (seen []seenAt) {
	wide := 0.
	for i := range in.d {
		wide = max(wide, in.base.sd(i))
	}
	for coordinates := range points {
		if coordinates == inFar && wide < 2 {
			break
		}
		if seen = in.look(in.gridOf(coordinates, p), coordinates, seen); in.beyond || in.stopped {
			return nil
		}
	}
	for _, x := range places {
		if t, ok := in.base.toT(x); ok {
			in.climbs(t, .05)
		}
	}

	// Those too small to matter are left out.
	sort.SliceStable(in.found, func(a, b int) bool { return in.found[a].mass > in.found[b].mass })
	for k := range in.found {
		if in.found[k].mass < in.found[0].mass-topsBelow {
			in.found = in.found[:k]
			break
		}
	}
	return seen
}

// start is the point of the base chart of point k of a grid; x is set to it.
func (in *integral) start(g *grid, coordinates, k int) (t point, ok bool) {
	for i := range in.d {
		t[i] = g.tick(k, i)
	}
	switch coordinates {
	case inX, inFar:
		copy(in.x, t[:in.d])
		return in.base.toT(in.x)
	case inZ:
		for i := range in.d {
			t[i] = asinh((t[i] - in.base.shift[i]) / in.base.scale)
		}
	}
	in.base.toX(&t, in.x)
	return t, true
}

// look evaluates a grid and climbs from its tops.
func (in *integral) look(g *grid, coordinates int, seen []seenAt) []seenAt {
	size, high := 1, 0
	for range in.d {
		size *= g.n
	}
	g.values = make([]float64, size)
	for k := range g.values {
		t, _ := in.start(g, coordinates, k)
		f, jacobian := math.Inf(-1), 0. // of the coordinates of the grid; those of densities are t or x
		switch coordinates {
		case inT:
			jacobian = in.base.toX(&t, in.x)
		case inZ:
			jacobian = in.base.det
		}
		in.evals++
		if v := in.logF(in.x); num.Finite(v) {
			f = v
		}
		if g.values[k] = f + jacobian; g.values[k] > g.values[high] {
			high = k
		}
		if !math.IsInf(f, -1) && g.values[k] > g.values[high]-unseen {
			s := seenAt{log: f, volume: g.volume(k, in.d) + jacobian}
			copy(s.x[:], in.x)
			seen = append(seen, s)
		}
		if !in.goes() {
			return nil
		}
	}

	// Where the highest of all is far out there is no end.
	if coordinates == inT {
		in.top = g.values[high]
		for i := range in.d {
			if math.Abs(g.tick(high, i)) > in.base.end/2 && !math.IsInf(in.top, -1) {
				in.beyond = true
				return nil
			}
		}
	}

	// Local tops, the highest first.
	var starts []int
	for k, v := range g.values {
		if !math.IsInf(v, -1) && in.isTop(g.values, g.n, k) {
			starts = append(starts, k)
		}
	}
	sort.SliceStable(starts, func(a, b int) bool { return g.values[starts[a]] > g.values[starts[b]] })
	for _, k := range starts[:min(len(starts), mostTops)] {
		step := .03
		if coordinates == inT {
			step = 8 / float64(g.n)
		}
		t, ok := in.start(g, coordinates, k)
		if ok {
			in.climbs(t, step)
		}
		if !in.goes() {
			return nil
		}
	}
	return seen
}

// choose makes the charts: that of the caller where there is one, and those of the heaviest hills. Every hill is of the
// chart that has the largest share there.
func (in *integral) choose(o *Options, p pass) {
	if o.Root != nil || len(in.found) == 0 {
		in.charts = append(in.charts, in.base)
	}
	for k := range in.found {
		h := &in.found[k]
		if h.root == nil || len(in.charts) == mostCharts {
			continue
		}
		c := newChart(in.d, h.mean, h.root, p)
		if c.logW = max(h.mass, in.found[0].mass-5); !slices.ContainsFunc(in.charts, c.like) {
			in.charts = append(in.charts, c)
		}
	}
	if len(in.charts) == 0 {
		in.charts = append(in.charts, in.base)
	}
	if in.charts[0] == in.base && len(in.found) > 0 {
		in.base.logW = in.found[0].mass
	}

	// Hills in their charts.
	kept := in.found[:0]
	for _, h := range in.found {
		for k := range in.charts {
			if in.share(k, h.mean) > in.share(h.chart, h.mean) {
				h.chart = k
			}
		}
		if t, ok := in.charts[h.chart].toT(h.mean); ok {
			h.at = t
			for i := range in.d {
				h.width[i] = in.widthOf(in.charts[h.chart], &h, i, .1)
			}
			kept = append(kept, h)
		}
	}
	in.found = kept
}

// like reports whether two charts have about the same center and the same scales.
func (c *chart) like(o *chart) bool {
	if math.Abs(c.det-o.det) > num.Mul(float64(c.d), .7) {
		return false
	}
	z, w := o.toZ(c.mean[:c.d]), c.toZ(o.mean[:c.d])
	return num.Dot(z[:], z[:]) < 1 && num.Dot(w[:], w[:]) < 1
}

// isTop reports whether a point of the grid is as high as its neighbours along and across the axes. Of neighbours that
// are equal the first one is.
func (in *integral) isTop(values []float64, n, k int) bool {
	var at [MaxDim]int
	for i, r := 0, k; i < in.d; i++ {
		at[i] = r % n
		r /= n
	}
	count := 1
	for range in.d {
		count *= 3
	}
	for m := range count {
		to, stride, inside := 0, 1, true
		for i, r := 0, m; i < in.d; i++ {
			j := at[i] + r%3 - 1
			inside = inside && j >= 0 && j < n
			to += j * stride
			stride *= n
			r /= 3
		}
		if inside && to != k && (values[to] > values[k] || values[to] == values[k] && to < k) {
			return false
		}
	}
	return true
}

// climbs goes up from a point by the density of t, then from there by the density of x: where a narrow and a wide hill
// have one top in x, that of t is beside both.
func (in *integral) climbs(t point, step float64) {
	c := in.base
	ofT := func(t *point) float64 { return in.at(c, t) }
	ofX := func(t *point) float64 { return in.at(c, t) - c.toX(t, in.x) }
	h := in.climb(t, step, ofT)
	if math.IsInf(h.log, -1) {
		return
	}
	in.add(h, nil)
	in.add(in.climb(h.at, step, ofX), ofX)
}

// climb goes up from a point, by steps along the coordinates that grow where they succeed and shrink elsewhere. It sets
// the widths to the last steps.
func (in *integral) climb(t point, step float64, f func(*point) float64) hill {
	h := hill{at: t, log: f(&t)}
	if math.IsInf(h.log, -1) {
		return h
	}
	for i := range h.width {
		h.width[i] = step
	}
	for end := in.evals + mostClimb; in.evals < end; {
		small := true
		for i := range in.d {
			moved := false
			for _, sign := range [2]float64{1, -1} {
				u := h.at
				if u[i] += num.Mul(sign, h.width[i]); math.Abs(u[i]) >= in.base.end {
					continue
				}
				if v := f(&u); v > h.log {
					h.at, h.log, moved = u, v, true
					break
				}
			}
			if moved {
				small = false
				h.width[i] *= 1.7
			} else {
				small = small && h.width[i] < num.Mul(least, 1+math.Abs(h.at[i]))
				h.width[i] *= .4
			}
		}
		if small {
			break
		}
	}
	return h
}

// add adds a hill unless it is known. f, unless nil, is the density that has its top there.
func (in *integral) add(h hill, f func(*point) float64) {
	h.log = in.at(in.base, &h.at)
	in.top = max(in.top, h.log)
	h.mean = slices.Clone(in.x)
	h.mass = h.log
	for i := range in.d {
		h.width[i] = in.widthOf(in.base, &h, i, h.width[i])
		h.mass += num.Log(h.width[i])
	}
	if f != nil {
		in.curve(&h, f)
	}
	for k := range in.found {
		o := &in.found[k]
		same := true
		for i := range in.d {
			same = same && math.Abs(o.at[i]-h.at[i]) < num.Mul(1.5, o.width[i]) && h.width[i] > num.Mul(.25, o.width[i])
		}
		if same {
			if o.root == nil && h.root != nil {
				*o = h
			}
			return
		}
	}
	in.found = append(in.found, h)
}

// curve sets the root and the mass of a hill by second differences at its top, where they make a covariance.
func (in *integral) curve(h *hill, f func(*point) float64) {
	d := in.d
	a, mid := make([]float64, d*d), f(&h.at)
	var step point
	for i := range d {
		step[i] = num.Mul(.3, h.width[i])
	}
	at := func(i int, si float64, j int, sj float64) float64 {
		u := h.at
		u[i] += num.Mul(si, step[i])
		u[j] += num.Mul(sj, step[j])
		return f(&u)
	}
	for i := range d {
		a[i*d+i] = (num.Mul(2, mid) - at(i, 1, i, 0) - at(i, -1, i, 0)) / num.Mul(step[i], step[i])
		for j := range i {
			v := (at(i, 1, j, -1) + at(i, -1, j, 1) - at(i, 1, j, 1) - at(i, -1, j, -1)) / num.Mul(4*step[i], step[j])
			a[i*d+j], a[j*d+i] = v, v
		}
	}
	if !num.AllFinite(a) || !num.Invert(a, d) || !num.Cholesky(a, d, nil) || !num.AllFinite(a) {
		return
	}

	// From t to x: dx = root scale cosh t dt.
	h.mass = h.log + num.Mul(.5, num.CholLogDet(a, d))
	b := make([]float64, d*d)
	for i := range d {
		for j := range i + 1 {
			for k := j; k <= i; k++ {
				b[i*d+j] += num.Mul(num.Mul(in.base.root[i][k], num.Mul(in.base.scale, num.Cosh(h.at[k]))), a[k*d+j])
			}
		}
	}
	if num.AllFinite(b) && in.round(h.mean, b) {
		h.root = b
	}
}

// Drops of the density in nats, 2 standard deviations from a top along an axis or between two, of a hill that is about
// normal: a normal density has 2.
const (
	leastDrop = .2
	mostDrop  = 8
)

// round reports whether a density is about normal around a top. On a ring or a banana it is not.
func (in *integral) round(mean, root []float64) bool {
	d, x := in.d, make([]float64, in.d)
	logF := func(z point) float64 {
		for i := range d {
			x[i] = mean[i] + num.Dot(root[i*d:i*d+i+1], z[:i+1])
		}
		in.evals++
		return in.logF(x)
	}
	top := logF(point{})
	fine := func(z point) bool {
		drop := top - logF(z)
		return drop > leastDrop && drop < mostDrop
	}
	for i := range d {
		for _, s := range [2]float64{2, -2} {
			z := point{}
			if z[i] = s; !fine(z) {
				return false
			}
			for j := range i {
				for _, r := range [2]float64{math.Sqrt2, -math.Sqrt2} {
					var z point
					if z[i], z[j] = num.Mul(s, math.Sqrt2/2), r; !fine(z) {
						return false
					}
				}
			}
		}
	}
	return true
}

// drop is by how many nats the density falls within a step along coordinate i, the larger of both ways.
func (in *integral) drop(c *chart, h *hill, top float64, i int, step float64) float64 {
	worst := 0.
	for _, sign := range [2]float64{1, -1} {
		u := h.at
		u[i] += num.Mul(sign, step)
		worst = max(worst, top-in.at(c, &u))
	}
	return worst
}

// widthOf is about the step along coordinate i within which the density falls by 2 nats on one side, between 1e-9 and 1.
func (in *integral) widthOf(c *chart, h *hill, i int, step float64) float64 {
	top := in.at(c, &h.at)
	step = min(max(step, 1e-9), 1)
	if in.drop(c, h, top, i, step) < 2 {
		for step < 1 && in.drop(c, h, top, i, num.Mul(2, step)) < 2 {
			step = num.Mul(2, step)
		}
		return step
	}
	for step > 1e-9 && in.drop(c, h, top, i, step) >= 2 {
		step = num.Mul(.5, step)
	}
	return step
}

// around halves the cells around a hill until they are not much wider than it.
func (in *integral) around(h *hill, cells []cell) []cell {
	for k := 0; k < len(cells); {
		c := &cells[k]
		inside, side, most := true, 0, 0.
		for i := range in.d {
			reach := num.Mul(4, h.width[i])
			inside = inside && c.hi[i] > h.at[i]-reach && c.lo[i] < h.at[i]+reach
			if r := (c.hi[i] - c.lo[i]) / h.width[i]; r > most {
				most, side = r, i
			}
		}
		if !inside || most <= 6 {
			k++
			continue
		}
		a, b := in.divide(c, side, num.Mul(.5, c.lo[side]+c.hi[side]))
		cells[k] = a
		cells = append(cells, b)
	}
	return cells
}
