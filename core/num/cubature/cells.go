package cubature

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// cell is a box in the coordinates t of a chart, with the estimates of its integral and error in units of e^top.
type cell struct {
	lo, hi    point
	sum, err  float64
	chart     int
	splitSide int // the side to halve next
	from, to  int // range of its probes
}

// probe is a point at which the density was evaluated before any rule, with the volume of t that it represents. Probes
// reveal mass that a rule may miss, for example on a ridge between its nodes.
type probe struct {
	t                     point
	logDensity, logVolume float64 // of t
}

// probeFactor is the ratio of the sum of the probes of a cell to its integral above which the sum counts as its error.
// A ratio of four is expected for an accurate rule, since grids and cells of another computation cover the mass four
// times in total.
const probeFactor = 8

// integral is one computation.
type integral struct {
	d           int
	logF        func(x []float64) float64
	x           []float64 // the point of the last logDensity, and room
	tol         float64
	evals       int
	maxEvals    int
	evalsBefore int                  // of the computations before
	going       func(evals int) bool // see Options
	lastAsked   int                  // evals when going was last called
	stopped     bool                 // by going

	base    *chart   // of the grids
	charts  []*chart // their shares of the density (logShare) add up to 1
	hills   []hill   // the heaviest first
	endless bool     // the density is highest at the end of the cube
	probes  []probe
	cells   []cell  // a heap, the largest err first
	top     float64 // log of the unit of sums of the density
	sum     float64 // over cells
	err     float64 // over cells
	stuck   float64 // largest error of a cell that is too small to be halved, as a share of the sum
}

// unitStep is the difference in nats by which a value may exceed the unit before the unit is changed.
const unitStep = 200

// logDensity returns the log density by t of a chart, log f + log dx/dt, -Inf if it is not finite.
func (in *integral) logDensity(c *chart, t *point) float64 {
	in.evals++
	jacobian := c.toX(t, in.x)
	if v := in.logF(in.x); num.Finite(v) {
		return v + jacobian
	}
	return math.Inf(-1)
}

// logShare returns the log of the fraction of the density at x that belongs to chart k: its weight divided by the sum
// over all charts.
func (in *integral) logShare(k int, x []float64) float64 {
	if len(in.charts) == 1 {
		return 0
	}
	var logs [maxCharts]float64
	for j, c := range in.charts {
		logs[j] = c.logWeight(x)
	}
	return logs[k] - num.LogSumExp(logs[:len(in.charts)])
}

// value returns the share of chart k in the density by t, in units of e^top.
func (in *integral) value(k int, t *point) float64 {
	f := in.logDensity(in.charts[k], t)
	if f < in.top-800 { // it would be 0
		return 0
	}
	if f += in.logShare(k, in.x); f > in.top+unitStep {
		in.rescale(f)
	}
	return num.Exp(f - in.top)
}

// rescale changes the unit of all sums to e^top.
func (in *integral) rescale(top float64) {
	by := num.Exp(in.top - top)
	for k := range in.cells {
		in.cells[k].sum *= by
		in.cells[k].err *= by
	}
	in.sum, in.err, in.top = num.Mul(in.sum, by), num.Mul(in.err, by), top
}

// applyRule sets the integral and the error of a cell by a rule, and raises the error if its probes show much more. A
// rule during which the unit changes is applied again, since its sums have terms in both units.
func (in *integral) applyRule(c *cell) {
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
	logVolume, probed := 0., 0.
	for i := range in.d {
		logVolume += num.Log(c.hi[i] - c.lo[i])
	}
	for k := range in.probes[c.from:c.to] {
		s := &in.probes[c.from+k]
		probed += num.Exp(s.logDensity + min(s.logVolume, logVolume) - in.top)
	}
	if probed > num.Mul(probeFactor, c.sum) {
		c.err = max(c.err, probed-c.sum)
	}
}

// split returns the two parts of a cell below and above at on one side, each with its probes.
func (in *integral) split(c *cell, side int, at float64) (a, b cell) {
	a, b = *c, *c
	a.hi[side], b.lo[side] = at, at
	probes, k := in.probes[c.from:c.to], 0
	for j := range probes {
		if probes[j].t[side] < at {
			probes[j], probes[k] = probes[k], probes[j]
			k++
		}
	}
	a.to, b.from = c.from+k, c.from+k
	return a, b
}

// keepGoing calls going every few hundred evaluations, and reports whether to continue.
func (in *integral) keepGoing() bool {
	if in.going != nil && !in.stopped && in.evals-in.lastAsked >= 300 {
		in.lastAsked = in.evals
		in.stopped = !in.going(in.evalsBefore + in.evals)
	}
	return !in.stopped
}

// integrate makes the computation. It starts also from the hills and the cells of the previous one, unless nil.
func (in *integral) integrate(o *Options, p pass, previous *integral) {
	in.base = newChart(in.d, o.Mean, o.Root, p)
	if previous != nil && o.Root == nil {
		for k := range previous.hills { // grids around the heaviest hill, in its standard deviations
			if h := &previous.hills[k]; h.root != nil {
				in.base = newChart(in.d, h.mean, h.root, p)
				break
			}
		}
	}
	in.top = math.Inf(-1)
	places := slices.Clone(o.Places)
	if previous != nil {
		for k := range previous.hills {
			places = append(places, previous.hills[k].mean)
		}
	}
	gridPoints := in.scan(places, p)
	if in.stopped || in.endless {
		return
	}
	if math.IsInf(in.top, -1) {
		in.top = 0
	}
	in.chooseCharts(o, p)

	// The first cells of each chart.
	in.cells = in.cells[:0]
	for k := range in.charts {
		for _, c := range in.firstCells(k, gridPoints, previous, p) {
			if !in.keepGoing() {
				return
			}
			in.applyRule(&c)
			in.push(c)
		}
	}

	// The cell with the largest error is halved. As sums change by differences, they are computed again now and then.
	for n := 1; ; n++ {
		if n%256 == 0 || in.err <= num.Mul(in.tol, in.sum) {
			in.resum()
		}
		if in.err <= num.Mul(in.tol, in.sum) || in.evals+66 > in.maxEvals || !in.keepGoing() {
			break
		}
		c := in.pop()
		mid := num.Mul(.5, c.lo[c.splitSide]+c.hi[c.splitSide])
		if !(mid > c.lo[c.splitSide] && mid < c.hi[c.splitSide]) {
			in.stuck = max(in.stuck, c.err/in.sum) // no float64 is between its ends
			c.err = 0
			in.push(c)
			continue
		}
		if c.err == 0 {
			in.push(c)
			break
		}
		a, b := in.split(&c, c.splitSide, mid)
		in.applyRule(&a)
		in.push(a) // before b, whose rule may change the unit of cells on the heap
		in.applyRule(&b)
		in.push(b)
	}
	in.resum()
}

// firstCells returns the first cells of a chart, with the probes of the grids and of a previous computation.
func (in *integral) firstCells(k int, gridPoints []gridPoint, previous *integral, p pass) []cell {
	c := cell{chart: k, from: len(in.probes)}
	chart := in.charts[k]
	for i := range in.d {
		c.lo[i], c.hi[i] = -chart.end, chart.end
	}
	for _, g := range gridPoints {
		in.addProbe(k, g.x[:in.d], g.logDensity, g.logVolume)
	}
	if previous != nil {
		in.probesFromCells(k, previous)
	}
	c.to = len(in.probes)

	// The whole cube is split at the breakpoints of each coordinate, and then around hills.
	boxes, cuts := []cell{c}, in.breakpointsOf(k, p)
	for i := range in.d {
		var next []cell
		for _, b := range boxes {
			for _, at := range cuts {
				var a cell
				a, b = in.split(&b, i, at)
				next = append(next, a)
			}
			next = append(next, b)
		}
		boxes = next
	}
	for j := range in.hills {
		if f := &in.hills[j]; f.chart == k {
			boxes = in.refineAround(f, boxes)
		}
	}
	return boxes
}

// addProbe adds a probe of chart k at x with log density f by x, which represents a volume of x with the given log.
func (in *integral) addProbe(k int, x []float64, f, volume float64) {
	t, ok := in.charts[k].toT(x)
	if share := in.logShare(k, x); ok && f+volume+share > in.top-negligibleProbe {
		jacobian := in.charts[k].toX(&t, in.x)
		in.probes = append(in.probes, probe{t, f + jacobian + share, volume - jacobian})
	}
}

// negligibleProbe is the difference in nats below the unit from which on probes are ignored.
const negligibleProbe = 60

// minTakenShare is the share of the integral from which on a cell becomes a probe of the next computation.
const minTakenShare = 1e-8

// probesFromCells adds probes of chart k at the centers of the cells of another computation, each with the mass of its
// cell.
func (in *integral) probesFromCells(k int, previous *integral) {
	x := make([]float64, in.d)
	for j := range previous.cells {
		c := &previous.cells[j]
		if !(c.sum > num.Mul(minTakenShare, previous.sum)) {
			continue
		}
		var t point
		for i := range previous.d {
			t[i] = num.Mul(.5, c.lo[i]+c.hi[i])
		}
		previous.charts[c.chart].toX(&t, x)
		mass := previous.top + num.Log(c.sum) - previous.logShare(c.chart, x)
		if in.logShare(k, x)+mass < in.top-negligibleProbe {
			continue
		}
		in.evals++
		if f := in.logF(x); num.Finite(f) {
			in.addProbe(k, x, f, mass-f)
		}
	}
}

// resum sums integrals and errors over all cells.
func (in *integral) resum() {
	in.sum, in.err = 0, 0
	for k := range in.cells {
		in.sum += in.cells[k].sum
		in.err += in.cells[k].err
	}
}

// push adds a cell to the heap.
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

// pop removes the cell with the largest error from the heap.
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

// outcome is the result of one computation.
type outcome struct {
	logZ, err float64 // nats
	truncated bool    // some of the mass may be beyond the range of floating-point numbers
	diverges  bool
}

// e^x overflows beyond x = 709, and is 0 beyond x = -745. So a density that has mass between bandFrom and bandTo along
// a coordinate, and is 0 beyond, has been truncated there.
const (
	bandFrom = 600
	bandTo   = 750
)

// result returns the integral and its error. Of a density that falls as e^(-a t) the mass beyond the cube is to that
// of the outer half of the cube as the latter is to the whole. So with a share s in the outer half, s^2 is added to
// the error.
func (in *integral) result() outcome {
	if in.endless {
		return outcome{logZ: math.Inf(1), diverges: true, truncated: true, err: math.Inf(1)}
	}
	if !(in.sum > 0) {
		return outcome{logZ: math.Inf(-1), err: math.Inf(1)}
	}
	var outer [2]float64               // mass from 1/2 to 3/4 of the way to the end, and beyond
	var band, past [MaxDim * 2]float64 // mass between bandFrom and bandTo, and beyond, by coordinate and sign
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
	out := outcome{logZ: in.top + num.Log(in.sum), err: in.err/in.sum + in.stuck, truncated: share > in.tol}
	out.err += num.Mul(share, share)
	out.diverges = outer[1] >= num.Mul(.5, outer[0]) && share > .1 // it falls slowly, if at all
	for side, m := range band {
		if m > num.Mul(in.tol, in.sum) && past[side] < num.Mul(1e-3, m) && in.zeroBeyondBand(side/2, 1-2*float64(side%2)) {
			out.truncated, out.diverges = true, out.diverges || m > num.Mul(.01, in.sum)
		}
	}
	return out
}

// zeroBeyondBand reports whether the density is 0 beyond bandTo on the line along a coordinate through the heaviest
// cell between bandFrom and bandTo.
func (in *integral) zeroBeyondBand(i int, sign float64) bool {
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

// breakpoints are the first breakpoints of |t| by dimension; the halves of the cube have others.
var breakpoints = [MaxDim + 1][]float64{2: {.5, 1, 1.5, 2.3, 3.5, 5, 8, 20}, 3: {.7, 1.5, 3, 6, 20}}

// breakpointsOf returns the breakpoints of t at which the cube of a chart is split, in order.
func (in *integral) breakpointsOf(k int, p pass) []float64 {
	var up []float64
	if in.d == 1 {
		const near, step = 9, .06 // to |z| = 4000 scales by 6 % each, so a node every .4 %
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
