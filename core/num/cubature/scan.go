package cubature

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
)

// gridSizes are the numbers of points along each coordinate of the four grids, by dimension:
//
//   - gridInT: equidistant in t up to |t| = 8, and sparse beyond
//   - gridInZ: equidistant in z up to |z| = 12, which finds narrow hills in the tails of a wide one
//   - gridInX: equidistant in x up to 250 units from the center, or 12 standard deviations where that is more
//   - gridFar: equidistant in x up to 250 standard deviations; it is not used if the largest is less than 2
var gridSizes = [4][MaxDim + 1]int{gridInT: {0, 1500, 130, 26}, gridInZ: {0, 500, 110, 48}, gridInX: {0, 2500, 190, 60},
	gridFar: {0, 2500, 150, 44}}

// The coordinates of a grid.
const (
	gridInT = iota
	gridInZ
	gridInX
	gridFar
)

// Reaches of gridInZ and gridInX.
const (
	reachZ = 12
	reachX = 250
)

// Limits of the search for hills.
const (
	maxTopsPerGrid = 48
	maxClimbEvals  = 400
	minStep        = 1e-5 // a climb ends when all steps are smaller, relative to 1 + |t|
	maxMassGap     = 40   // nats: hills with a log mass lower by more than this are ignored
	maxCharts      = 8
)

// hill is a local maximum of the density: its point t and log density by t in a chart, and its widths along each
// coordinate, over which the log density decreases by about 2. mean is its point x, and root the Cholesky factor of the
// inverse negative Hessian by x there, if the density is approximately normal. logMass is the log of its mass, from
// root or otherwise from the widths.
type hill struct {
	chart      int
	t          point
	width      point
	logDensity float64
	root       []float64 // nil if the density is not approximately normal
	logMass    float64
	mean       []float64
}

// gridPoint is a point x of a grid, with its log density by x and the log of the volume of x that it represents.
type gridPoint struct {
	x                     point
	logDensity, logVolume float64
}

// grid is a grid of n^d points and their log densities.
type grid struct {
	n      int
	ticks  [MaxDim][]float64
	values []float64
}

// at returns coordinate i of point k.
func (g *grid) at(k, i int) float64 {
	for range i {
		k /= g.n
	}
	return g.ticks[i][k%g.n]
}

// logVolume returns the log of the volume that point k represents, by the distances between its neighbours.
func (g *grid) logVolume(k, d int) (log float64) {
	for i := range d {
		j, ticks := k%g.n, g.ticks[i]
		log += num.Log((ticks[min(j+1, g.n-1)] - ticks[max(j-1, 0)]) / 2)
		k /= g.n
	}
	return log
}

// newGrid returns one of the four grids.
func (in *integral) newGrid(coordinates int, p pass) *grid {
	g := &grid{n: int(num.Mul(float64(gridSizes[coordinates][in.d]), p.gridFactor))}
	even := func(at, reach float64) (ticks []float64) {
		for k := range g.n {
			ticks = append(ticks, at+num.Mul(reach, num.Mul(2, float64(k)+.5)/float64(g.n)-1))
		}
		return ticks
	}
	for i := range in.d {
		switch coordinates {
		case gridInT:
			g.ticks[i] = in.extendTicks(even(0, 8))
		case gridInZ:
			g.ticks[i] = even(0, reachZ)
		default:
			sd := in.base.sd(i)
			reach := max(reachX, num.Mul(reachZ, sd))
			if coordinates == gridFar {
				reach = num.Mul(reachX, max(1, sd))
			}
			g.ticks[i] = even(in.base.mean[i], reach)
		}
	}
	g.n = len(g.ticks[0])
	return g
}

// extendTicks adds sparse values of t, out to the ends of the cube.
func (in *integral) extendTicks(ticks []float64) []float64 {
	n, end := max(len(ticks)/20, 3), in.base.end
	for far, k := 8.5, 0; k < n && far < end; k++ {
		ticks = append(ticks, far, -far)
		far = num.Mul(far, 1.1+3/float64(n))
	}
	ticks = append(ticks, num.Mul(.99, end), num.Mul(.8, end), num.Mul(-.99, end), num.Mul(-.8, end))
	slices.Sort(ticks)
	return ticks
}

// scan finds hills by climbs from the local maxima of all grids and from places, and returns the grid points that are
// not negligible.
func (in *integral) scan(places [][]float64, p pass) (gridPoints []gridPoint) {
	wide := 0.
	for i := range in.d {
		wide = max(wide, in.base.sd(i))
	}
	for coordinates := range gridSizes {
		if coordinates == gridFar && wide < 2 {
			break
		}
		if gridPoints = in.searchGrid(in.newGrid(coordinates, p), coordinates, gridPoints); in.endless || in.stopped {
			return nil
		}
	}
	for _, x := range places {
		if t, ok := in.base.toT(x); ok {
			in.climbTwice(t, .05)
		}
	}

	sort.SliceStable(in.hills, func(a, b int) bool { return in.hills[a].logMass > in.hills[b].logMass })
	for k := range in.hills {
		if in.hills[k].logMass < in.hills[0].logMass-maxMassGap {
			in.hills = in.hills[:k]
			break
		}
	}
	return gridPoints
}

// baseT returns point k of a grid as a point t of the base chart, and sets in.x; ok is false outside of the cube.
func (in *integral) baseT(g *grid, coordinates, k int) (t point, ok bool) {
	for i := range in.d {
		t[i] = g.at(k, i)
	}
	switch coordinates {
	case gridInX, gridFar:
		copy(in.x, t[:in.d])
		return in.base.toT(in.x)
	case gridInZ:
		for i := range in.d {
			t[i] = asinh((t[i] - in.base.shift[i]) / in.base.scale)
		}
	}
	in.base.toX(&t, in.x)
	return t, true
}

// searchGrid evaluates a grid, climbs from its highest local maxima, and appends its points to gridPoints.
func (in *integral) searchGrid(g *grid, coordinates int, gridPoints []gridPoint) []gridPoint {
	size, high := 1, 0
	for range in.d {
		size *= g.n
	}
	g.values = make([]float64, size)
	for k := range g.values {
		t, _ := in.baseT(g, coordinates, k)
		f, jacobian := math.Inf(-1), 0. // log dx/dt or dx/dz; grids in x have none
		switch coordinates {
		case gridInT:
			jacobian = in.base.toX(&t, in.x)
		case gridInZ:
			jacobian = in.base.logDet
		}
		in.evals++
		if v := in.logF(in.x); num.Finite(v) {
			f = v
		}
		if g.values[k] = f + jacobian; g.values[k] > g.values[high] {
			high = k
		}
		if !math.IsInf(f, -1) && g.values[k] > g.values[high]-negligibleProbe {
			s := gridPoint{logDensity: f, logVolume: g.logVolume(k, in.d) + jacobian}
			copy(s.x[:], in.x)
			gridPoints = append(gridPoints, s)
		}
		if !in.keepGoing() {
			return nil
		}
	}

	// If the highest point is in the outer half of the cube, the integral is considered infinite.
	if coordinates == gridInT {
		in.top = g.values[high]
		for i := range in.d {
			if math.Abs(g.at(high, i)) > in.base.end/2 && !math.IsInf(in.top, -1) {
				in.endless = true
				return nil
			}
		}
	}

	// Local maxima, the highest first.
	var starts []int
	for k, v := range g.values {
		if !math.IsInf(v, -1) && in.isTop(g.values, g.n, k) {
			starts = append(starts, k)
		}
	}
	sort.SliceStable(starts, func(a, b int) bool { return g.values[starts[a]] > g.values[starts[b]] })
	for _, k := range starts[:min(len(starts), maxTopsPerGrid)] {
		step := .03
		if coordinates == gridInT {
			step = 8 / float64(g.n)
		}
		t, ok := in.baseT(g, coordinates, k)
		if ok {
			in.climbTwice(t, step)
		}
		if !in.keepGoing() {
			return nil
		}
	}
	return gridPoints
}

// chooseCharts makes the charts: the one of Options if given, and those of the heaviest approximately normal hills,
// without similar ones. Every hill then belongs to the chart with the largest share there.
func (in *integral) chooseCharts(o *Options, p pass) {
	if o.Root != nil || len(in.hills) == 0 {
		in.charts = append(in.charts, in.base)
	}
	for k := range in.hills {
		h := &in.hills[k]
		if h.root == nil || len(in.charts) == maxCharts {
			continue
		}
		c := newChart(in.d, h.mean, h.root, p)
		if c.logW = max(h.logMass, in.hills[0].logMass-5); !slices.ContainsFunc(in.charts, c.similarTo) {
			in.charts = append(in.charts, c)
		}
	}
	if len(in.charts) == 0 {
		in.charts = append(in.charts, in.base)
	}
	if in.charts[0] == in.base && len(in.hills) > 0 {
		in.base.logW = in.hills[0].logMass
	}

	kept := in.hills[:0]
	for _, h := range in.hills {
		for k := range in.charts {
			if in.logShare(k, h.mean) > in.logShare(h.chart, h.mean) {
				h.chart = k
			}
		}
		if t, ok := in.charts[h.chart].toT(h.mean); ok {
			h.t = t
			for i := range in.d {
				h.width[i] = in.widthAlong(in.charts[h.chart], &h, i, .1)
			}
			kept = append(kept, h)
		}
	}
	in.hills = kept
}

// similarTo reports whether two charts have about the same center and scales.
func (c *chart) similarTo(o *chart) bool {
	if math.Abs(c.logDet-o.logDet) > num.Mul(float64(c.d), .7) {
		return false
	}
	z, w := o.toZ(c.mean[:c.d]), c.toZ(o.mean[:c.d])
	return num.Dot(z[:], z[:]) < 1 && num.Dot(w[:], w[:]) < 1
}

// isTop reports whether point k of a grid is a local maximum among its neighbours, including diagonal ones. Of equal
// neighbours only the first one is.
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

// climbTwice adds the hills at the ends of a climb by the density of t, and of a second climb from there by the density
// of x. If a narrow and a wide hill have the same maximum by x, the maximum by t is slightly off.
func (in *integral) climbTwice(t point, step float64) {
	c := in.base
	ofT := func(t *point) float64 { return in.logDensity(c, t) }
	ofX := func(t *point) float64 { return in.logDensity(c, t) - c.toX(t, in.x) }
	h := in.climb(t, step, ofT)
	if math.IsInf(h.logDensity, -1) {
		return
	}
	in.addHill(h, nil)
	in.addHill(in.climb(h.t, step, ofX), ofX)
}

// climb moves from t to a local maximum of f, by steps along single coordinates, which grow by a factor of 1.7 if they
// succeed and shrink by a factor of .4 otherwise. It sets the widths to the last steps.
func (in *integral) climb(t point, step float64, f func(*point) float64) hill {
	h := hill{t: t, logDensity: f(&t)}
	if math.IsInf(h.logDensity, -1) {
		return h
	}
	for i := range h.width {
		h.width[i] = step
	}
	for end := in.evals + maxClimbEvals; in.evals < end; {
		small := true
		for i := range in.d {
			moved := false
			for _, sign := range [2]float64{1, -1} {
				u := h.t
				if u[i] += num.Mul(sign, h.width[i]); math.Abs(u[i]) >= in.base.end {
					continue
				}
				if v := f(&u); v > h.logDensity {
					h.t, h.logDensity, moved = u, v, true
					break
				}
			}
			if moved {
				small = false
				h.width[i] *= 1.7
			} else {
				small = small && h.width[i] < num.Mul(minStep, 1+math.Abs(h.t[i]))
				h.width[i] *= .4
			}
		}
		if small {
			break
		}
	}
	return h
}

// addHill adds a hill unless it is known. f, unless nil, is the log density that has its maximum there, for fitNormal.
func (in *integral) addHill(h hill, f func(*point) float64) {
	h.logDensity = in.logDensity(in.base, &h.t)
	in.top = max(in.top, h.logDensity)
	h.mean = slices.Clone(in.x)
	h.logMass = h.logDensity
	for i := range in.d {
		h.width[i] = in.widthAlong(in.base, &h, i, h.width[i])
		h.logMass += num.Log(h.width[i])
	}
	if f != nil {
		in.fitNormal(&h, f)
	}
	for k := range in.hills {
		o := &in.hills[k]
		same := true
		for i := range in.d {
			same = same && math.Abs(o.t[i]-h.t[i]) < num.Mul(1.5, o.width[i]) && h.width[i] > num.Mul(.25, o.width[i])
		}
		if same {
			if o.root == nil && h.root != nil {
				*o = h
			}
			return
		}
	}
	in.hills = append(in.hills, h)
}

// fitNormal computes the root and the mass of a hill from the Hessian of f at its maximum (Laplace's method), by second
// differences. It does not change the hill if the negative Hessian is not positive definite, and sets no root if the
// density is not approximately normal.
func (in *integral) fitNormal(h *hill, f func(*point) float64) {
	d := in.d
	a, mid := make([]float64, d*d), f(&h.t)
	var step point
	for i := range d {
		step[i] = num.Mul(.3, h.width[i])
	}
	at := func(i int, si float64, j int, sj float64) float64 {
		u := h.t
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
	h.logMass = h.logDensity + num.Mul(.5, num.CholLogDet(a, d))
	b := make([]float64, d*d)
	for i := range d {
		for j := range i + 1 {
			for k := j; k <= i; k++ {
				b[i*d+j] += num.Mul(num.Mul(in.base.root[i][k], num.Mul(in.base.scale, num.Cosh(h.t[k]))), a[k*d+j])
			}
		}
	}
	if num.AllFinite(b) && in.isAboutNormal(h.mean, b) {
		h.root = b
	}
}

// Limits of the decrease of the log density at 2 standard deviations from the maximum of an approximately normal hill.
// For a normal density it is 2.
const (
	minDrop = .2
	maxDrop = 8
)

// isAboutNormal reports whether the density around a maximum is close to a normal density with this mean and root:
// whether its log decreases by minDrop to maxDrop at 2 standard deviations, along the axes of z and between two of
// them. On a ring or a banana it does not.
func (in *integral) isAboutNormal(mean, root []float64) bool {
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
		return drop > minDrop && drop < maxDrop
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

// largestDrop returns the larger decrease of the log density from top over a step along coordinate i in both
// directions.
func (in *integral) largestDrop(c *chart, h *hill, top float64, i int, step float64) float64 {
	worst := 0.
	for _, sign := range [2]float64{1, -1} {
		u := h.t
		u[i] += num.Mul(sign, step)
		worst = max(worst, top-in.logDensity(c, &u))
	}
	return worst
}

// widthAlong returns, within a factor of 2, the step along coordinate i over which the log density decreases by 2 in
// one direction, between 1e-9 and 1. The search starts from step.
func (in *integral) widthAlong(c *chart, h *hill, i int, step float64) float64 {
	top := in.logDensity(c, &h.t)
	step = min(max(step, 1e-9), 1)
	if in.largestDrop(c, h, top, i, step) < 2 {
		for step < 1 && in.largestDrop(c, h, top, i, num.Mul(2, step)) < 2 {
			step = num.Mul(2, step)
		}
		return step
	}
	for step > 1e-9 && in.largestDrop(c, h, top, i, step) >= 2 {
		step = num.Mul(.5, step)
	}
	return step
}

// refineAround halves the cells within 4 widths of a hill until no side is longer than 6 of its widths.
func (in *integral) refineAround(h *hill, cells []cell) []cell {
	for k := 0; k < len(cells); {
		c := &cells[k]
		inside, side, widest := true, 0, 0.
		for i := range in.d {
			reach := num.Mul(4, h.width[i])
			inside = inside && c.hi[i] > h.t[i]-reach && c.lo[i] < h.t[i]+reach
			if r := (c.hi[i] - c.lo[i]) / h.width[i]; r > widest {
				widest, side = r, i
			}
		}
		if !inside || widest <= 6 {
			k++
			continue
		}
		a, b := in.split(c, side, num.Mul(.5, c.lo[side]+c.hi[side]))
		cells[k] = a
		cells = append(cells, b)
	}
	return cells
}
