package cubature

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// cell is a box in the coordinates of a chart, its integral and error estimate as multiples of e^top.
type cell struct {
	lo, hi   point
	sum, err float64
	chart    int
	cut      int // the side to halve
	from, to int // its part of the sentries
}

// sentry is a point at which the density is known before any rule is applied. Where it sees much more than the rule of
// its cell does, as on a ridge that passes between the nodes, the cell has an error.
type sentry struct {
	at          point
	log, volume float64 // logs of the density, by t, and of the volume that it stands for
}

// blind is how much more, as a factor, the sentries of a cell see than its rule does where the cell has an error. Those
// of the grids and of another computation see everything four times.
const blind = 8

// integral is one computation.
type integral struct {
	d       int
	logF    func(x []float64) float64
	x       []float64
	evals   int
	tol     float64
	most    int                  // evaluations
	before  int                  // evaluations of others
	going   func(evals int) bool // see Options
	stopped bool
	told    int // evaluations when Going was last asked

	base   *chart   // of the scan
	charts []*chart // their shares of the density, by bell, add up to 1
	found  []hill   // tops, the heaviest first
	beyond bool     // the scan found the highest density at the end of the numbers
	seen   []sentry
	cells  []cell  // a heap by err
	top    float64 // log of the unit of all sums
	sum    float64 // over cells
	err    float64
	stuck  float64 // largest error of a cell that cannot be halved, as a share of the sum
}

// unitStep is by how many nats values may grow beyond the unit before there is a new one.
const unitStep = 200

// at is the log of the density of t, -Inf where that is no number.
func (in *integral) at(c *chart, t *point) float64 {
	in.evals++
	jacobian := c.toX(t, in.x)
	if v := in.logF(in.x); num.Finite(v) {
		return v + jacobian
	}
	return math.Inf(-1)
}

// share is the log of the share of chart k in the density at x.
func (in *integral) share(k int, x []float64) float64 {
	if len(in.charts) == 1 {
		return 0
	}
	var logs [mostCharts]float64
	for j, c := range in.charts {
		logs[j] = c.bell(x)
	}
	return logs[k] - num.LogSumExp(logs[:len(in.charts)])
}

// value is the part of the density that chart k has at t, in units.
func (in *integral) value(k int, t *point) float64 {
	f := in.at(in.charts[k], t)
	if f < in.top-800 { // 0 in units
		return 0
	}
	if f += in.share(k, in.x); f > in.top+unitStep {
		in.rescale(f)
	}
	return num.Exp(f - in.top)
}

// rescale sets a new unit.
func (in *integral) rescale(top float64) {
	by := num.Exp(in.top - top)
	for k := range in.cells {
		in.cells[k].sum *= by
		in.cells[k].err *= by
	}
	in.sum, in.err, in.top = num.Mul(in.sum, by), num.Mul(in.err, by), top
}

// measure applies the rule to a cell. A new unit makes what was summed before it wrong, so it starts again then.
func (in *integral) measure(c *cell) {
	for {
		top := in.top
		if in.d == 1 {
			in.kronrod(c)
		} else {
			in.malik(c)
		}
		if in.top == top {
			break
		}
	}
	most, sees := 0., 0.
	for i := range in.d {
		most += num.Log(c.hi[i] - c.lo[i])
	}
	for k := range in.seen[c.from:c.to] {
		s := &in.seen[c.from+k]
		sees += num.Exp(s.log + min(s.volume, most) - in.top)
	}
	if sees > num.Mul(blind, c.sum) {
		c.err = max(c.err, sees-c.sum)
	}
}

// divide cuts a cell, and its sentries, at one place of a side.
func (in *integral) divide(c *cell, side int, at float64) (a, b cell) {
	a, b = *c, *c
	a.hi[side], b.lo[side] = at, at
	seen, k := in.seen[c.from:c.to], 0
	for j := range seen {
		if seen[j].at[side] < at {
			seen[j], seen[k] = seen[k], seen[j]
			k++
		}
	}
	a.to, b.from = c.from+k, c.from+k
	return a, b
}

// goes asks the caller now and then whether to go on.
func (in *integral) goes() bool {
	if in.going != nil && !in.stopped && in.evals-in.told >= 300 {
		in.told = in.evals
		in.stopped = !in.going(in.before + in.evals)
	}
	return !in.stopped
}

// run integrates. It knows the tops and the cells of the computation before, if there was one.
func (in *integral) run(o *Options, p pass, before *integral) {
	in.base = newChart(in.d, o.Mean, o.Root, p)
	if before != nil && o.Root == nil {
		for k := range before.found { // around the heaviest hill, for the grids in its standard deviations
			if h := &before.found[k]; h.root != nil {
				in.base = newChart(in.d, h.mean, h.root, p)
				break
			}
		}
	}
	in.top = math.Inf(-1)
	places := slices.Clone(o.Places)
	if before != nil {
		for k := range before.found {
			places = append(places, before.found[k].mean)
		}
	}
	seen := in.scan(places, p)
	if in.stopped || in.beyond {
		return
	}
	if math.IsInf(in.top, -1) {
		in.top = 0
	}
	in.choose(o, p)

	// The first cells of each chart.
	in.cells = in.cells[:0]
	for k := range in.charts {
		for _, c := range in.begin(k, seen, before, p) {
			if !in.goes() {
				return
			}
			in.measure(&c)
			in.push(c)
		}
	}

	// The worst cell is halved again and again.
	for n := 1; ; n++ {
		if n%256 == 0 || in.err <= num.Mul(in.tol, in.sum) {
			in.total()
		}
		if in.err <= num.Mul(in.tol, in.sum) || in.evals+66 > in.most || !in.goes() {
			break
		}
		c := in.pop()
		mid := num.Mul(.5, c.lo[c.cut]+c.hi[c.cut])
		if !(mid > c.lo[c.cut] && mid < c.hi[c.cut]) {
			in.stuck = max(in.stuck, c.err/in.sum) // the numbers of a side have come to an end
			c.err = 0
			in.push(c)
			continue
		}
		if c.err == 0 {
			in.push(c)
			break
		}
		a, b := in.divide(&c, c.cut, mid)
		in.measure(&a)
		in.push(a) // first, as b may change the unit
		in.measure(&b)
		in.push(b)
	}
	in.total()
}

// begin are the first cells of a chart, with the sentries of a grid and of another computation.
func (in *integral) begin(k int, seen []seenAt, before *integral, p pass) []cell {
	c := cell{chart: k, from: len(in.seen)}
	h := in.charts[k]
	for i := range in.d {
		c.lo[i], c.hi[i] = -h.end, h.end
	}
	for _, g := range seen {
		in.watch(k, g.x[:in.d], g.log, g.volume)
	}
	if before != nil {
		in.take(k, before)
	}
	c.to = len(in.seen)

	// Cuts along each coordinate, then around tops.
	boxes, cuts := []cell{c}, in.cuts(k, p)
	for i := range in.d {
		var next []cell
		for _, b := range boxes {
			for _, at := range cuts {
				var a cell
				a, b = in.divide(&b, i, at)
				next = append(next, a)
			}
			next = append(next, b)
		}
		boxes = next
	}
	for j := range in.found {
		if f := &in.found[j]; f.chart == k {
			boxes = in.around(f, boxes)
		}
	}
	return boxes
}

// watch adds a sentry at x, where the log density is f, for a volume of x.
func (in *integral) watch(k int, x []float64, f, volume float64) {
	t, ok := in.charts[k].toT(x)
	if share := in.share(k, x); ok && f+volume+share > in.top-unseen {
		jacobian := in.charts[k].toX(&t, in.x)
		in.seen = append(in.seen, sentry{t, f + jacobian + share, volume - jacobian})
	}
}

// unseen is how many nats below the top a sentry has nothing to say.
const unseen = 60

// taken is the least share of a cell that is a sentry of the next computation.
const taken = 1e-8

// take makes sentries of the cells of another computation.
func (in *integral) take(k int, o *integral) {
	x := make([]float64, in.d)
	for j := range o.cells {
		c := &o.cells[j]
		if !(c.sum > num.Mul(taken, o.sum)) {
			continue
		}
		var t point
		for i := range o.d {
			t[i] = num.Mul(.5, c.lo[i]+c.hi[i])
		}
		o.charts[c.chart].toX(&t, x)
		mass := o.top + num.Log(c.sum) - o.share(c.chart, x)
		if in.share(k, x)+mass < in.top-unseen {
			continue
		}
		in.evals++
		if f := in.logF(x); num.Finite(f) {
			in.watch(k, x, f, mass-f)
		}
	}
}

// total sums all cells anew.
func (in *integral) total() {
	in.sum, in.err = 0, 0
	for k := range in.cells {
		in.sum += in.cells[k].sum
		in.err += in.cells[k].err
	}
}

// push adds a cell.
func (in *integral) push(c cell) {
	in.sum += c.sum
	in.err += c.err
	in.cells = append(in.cells, c)
	h, k := in.cells, len(in.cells)-1
	for k > 0 {
		up := (k - 1) / 2
		if !(h[k].err > h[up].err) {
			break
		}
		h[k], h[up] = h[up], h[k]
		k = up
	}
}

// pop takes out the cell with the largest error.
func (in *integral) pop() cell {
	h := in.cells
	c, last := h[0], len(h)-1
	h[0] = h[last]
	in.cells = h[:last]
	h = in.cells
	for k := 0; ; {
		down := 2*k + 1
		if down >= last {
			break
		}
		if down+1 < last && h[down+1].err > h[down].err {
			down++
		}
		if !(h[down].err > h[k].err) {
			break
		}
		h[k], h[down] = h[down], h[k]
		k = down
	}
	in.sum -= c.sum
	in.err -= c.err
	return c
}

// sum is the outcome of one computation.
type sum struct {
	log, err float64 // nats
	cut      bool    // some of the mass may be beyond the end of the numbers
	diverges bool
}

// e^x is a number above 0 for |x| up to about 709 and 745. A density that has mass between bandFrom and bandTo along a
// coordinate, and none beyond, has been cut off there.
const (
	bandFrom = 600
	bandTo   = 750
)

// result looks at the outer part of the cube, too. Mass that falls as e^(-a t) has as much beyond the cube, compared
// with its outer half, as there is in the outer half compared with all.
func (in *integral) result() sum {
	if in.beyond {
		return sum{log: math.Inf(1), diverges: true, cut: true, err: math.Inf(1)}
	}
	if !(in.sum > 0) {
		return sum{log: math.Inf(-1), err: math.Inf(1)}
	}
	var outer [2]float64               // between a half and three quarters, and beyond
	var band, past [MaxDim * 2]float64 // along each coordinate, up and down
	for k := range in.cells {
		c := &in.cells[k]
		far, half := 0., in.charts[c.chart].end/2
		var mid point
		for i := range in.d {
			far = max(far, c.lo[i], -c.hi[i])
			mid[i] = num.Mul(.5, c.lo[i]+c.hi[i])
		}
		switch {
		case far >= num.Mul(1.5, half):
			outer[1] += c.sum
		case far >= half:
			outer[0] += c.sum
		}
		in.charts[c.chart].toX(&mid, in.x)
		for i, x := range in.x {
			side := 2 * i
			if x < 0 {
				side++
			}
			if a := math.Abs(x); a > bandTo {
				past[side] += c.sum
			} else if a > bandFrom {
				band[side] += c.sum
			}
		}
	}
	share := (outer[0] + outer[1]) / in.sum
	out := sum{log: in.top + num.Log(in.sum), err: in.err/in.sum + in.stuck, cut: share > in.tol}
	out.err += num.Mul(share, share)
	out.diverges = outer[1] >= num.Mul(.5, outer[0]) && share > .1 // a slope of a few thousandths at most
	for side, m := range band {
		if m > num.Mul(in.tol, in.sum) && past[side] < num.Mul(1e-3, m) && in.ends(side/2, 1-2*float64(side%2)) {
			out.cut, out.diverges = true, out.diverges || m > num.Mul(.01, in.sum)
		}
	}
	return out
}

// ends reports whether the density is 0 beyond bandTo along a coordinate, through the heaviest cell in the band.
func (in *integral) ends(i int, sign float64) bool {
	best, at := math.Inf(-1), make([]float64, in.d)
	for k := range in.cells {
		c := &in.cells[k]
		var mid point
		for j := range in.d {
			mid[j] = num.Mul(.5, c.lo[j]+c.hi[j])
		}
		in.charts[c.chart].toX(&mid, in.x)
		if v := num.Mul(sign, in.x[i]); v > bandFrom && v < bandTo && c.sum > best {
			best = c.sum
			copy(at, in.x)
		}
	}
	for _, x := range [2]float64{bandTo, 2 * bandTo} {
		at[i] = num.Mul(sign, x)
		if num.Finite(in.logF(at)) {
			return false
		}
	}
	return true
}

// breakpoints of |t| in each dimension; then come those at the end of numbers.
var breakpoints = [MaxDim + 1][]float64{2: {.5, 1, 1.5, 2.3, 3.5, 5, 8, 20}, 3: {.7, 1.5, 3, 6, 20}}

// cuts are the first breakpoints of t in order.
func (in *integral) cuts(k int, p pass) []float64 {
	var up []float64
	if in.d == 1 {
		const near, step = 9, .06 // x from 0 to 4000 scales, 6 % of the distance each: a node in every .4 %
		for k := 1; num.Mul(step, float64(k)) < near; k++ {
			up = append(up, num.Mul(step, float64(k)))
		}
		for t := float64(near); t < 100; t = num.Mul(t, 1.1) {
			up = append(up, t)
		}
	} else {
		up = append(up, breakpoints[in.d]...)
	}
	stretch := 1 + num.Mul(.5, p.shift)
	for k := range up {
		up[k] *= stretch
	}
	half := in.charts[k].end / 2
	up = append(up, half, num.Mul(1.5, half))
	out := make([]float64, 0, 2*len(up)+1)
	for _, t := range slices.Backward(up) {
		out = append(out, -t)
	}
	return append(append(out, 0), up...)
}
