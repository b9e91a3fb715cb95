package program

import (
	"cmp"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/models/stan/tape"
)

// Limits of the search for modes. Gradients are evaluations of the log density with its gradient; times are planned
// nanoseconds.
const (
	minStarts            = 40    // minimal number of random starts
	maxStarts            = 240   // maximal number of random starts
	maxNewModeShare      = .05   // the search stops if goodTuring is at most this
	maxRareShare         = .01   // ... and rareShare is at most this
	fewModes             = 8     // with more modes than this and goodTuring above 1/4 the base is pooledNormal
	maxPolishes          = 4     // restarts of a climb in whitened coordinates (polish)
	maxPolishGradients   = 200   // gradients of each restart
	maxCentres           = 40    // points of Tape.Centres used as starts
	maxConstantStarts    = 48    // values from constants of the program, up to four for each constant
	minScannedModes      = 3     // number of modes through which lines are always scanned (scanLines)
	maxScanTime          = 2e8   // time of the lines through further modes
	maxMixtureComponents = 8     // components of the program's mixtures that are maximised separately (climbComponents)
	maxMixtureGradients  = 1000  // gradients for each of these components
	maxMixtureSlots      = 50000 // larger tapes are not split into components, because of the memory
	maxScannedLines      = 60    // coordinates along which lines through a mode are scanned
	maxMassGap           = 10.   // nats: modes whose log mass is lower than the largest by more get no component
	maxSearchTime        = 8e8   // time of all climbs
	maxSearchGradients   = 6e4   // gradients of all climbs
	maxGridTime          = 2e8   // time of the grid in one to three dimensions (scanGrid)
	maxPeaks             = 24    // local maxima of the grid, or of the lines through a mode, used as starts
	largestScale         = 250.  // half the side of the largest box of random starts
)

// startScales are half the sides of the boxes around 0 from which random starts are drawn uniformly. Stan draws its
// initial values from the smallest one.
var startScales = [...]float64{2, 10, 50, largestScale}

// mode is a local maximum of the target with its Laplace approximation: Base is the normal distribution whose mean is
// the maximum and whose covariance is the inverse of the negative Hessian there.
type mode struct {
	density.Base
	logF         float64 // log density at the maximum
	logMass      float64 // by Laplace's method: logF - log of the normal density at its mean
	climbs       int     // climbs that ended here
	randomClimbs int     // of these, climbs from random starts
	scanned      bool    // lines through the mode have been scanned
}

// search finds the modes of a tape by gradient ascent from many starts. Random starts are drawn from boxes of several
// scales around 0, from the prior of the program, and near constants of the program, which include centres of mixtures
// and data. Other starts are local maxima on a grid (in up to three dimensions) and on lines through the modes found.
// The search stops when the estimated probability that another random start leads to a new mode is small ([Good1953]).
type search struct {
	t      *tape.Tape
	points *tape.EvaluatorPool
	key    rng.Key
	dim    int
	climber
	constantStarts []float64   // values for one coordinate (startsFromConstants)
	centres        [][]float64 // points of Tape.Centres
	prior          *prior      // nil if the program has no prior that can be sampled
	modes          []mode
	queue          [][]float64 // starts, other than random ones, still to be used

	climbs       int     // climbs that ended at a mode
	randomClimbs int     // of these, climbs from random starts
	scanned      int     // modes through which lines were scanned
	bestLogF     float64 // highest log density of a start
	bestStart    []float64
}

func newSearch(t *tape.Tape, points *tape.EvaluatorPool, key rng.Key) *search {
	dim := t.Dim()
	s := &search{t: t, points: points, key: key, dim: dim, constantStarts: startsFromConstants(t.Constants()),
		centres: t.Centres(maxCentres), bestLogF: math.Inf(-1), bestStart: make([]float64, dim)}
	gradient := 4 * t.EvalTime()
	budget := max(min(maxSearchTime/gradient, maxSearchGradients), 300)
	s.climber = climber{dim: dim, grad: points.Gradient, budget: int(budget)}
	if p, err := priorOf(t); err == nil {
		s.prior = p
	}
	return s
}

// startsFromConstants returns initial values for a coordinate: v and -v for each constant v of the program, and log v
// and -log v for positive v, because the coordinate of a positive parameter is its logarithm. Values inside the
// smallest box are omitted. If there are many constants, which are mostly data, only quantiles are used.
func startsFromConstants(constants []float64) (out []float64) {
	add := func(v float64) {
		for _, v := range [2]float64{v, -v} {
			if math.Abs(v) > startScales[0] && math.Abs(v) < 1e6 && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	sorted := slices.Clone(constants)
	slices.Sort(sorted)
	maxConstants := maxConstantStarts / 4
	for i := range min(len(sorted), maxConstants) {
		v := sorted[i]
		if len(sorted) > maxConstants {
			v = sorted[i*(len(sorted)-1)/(maxConstants-1)]
		}
		add(v)
		if v > 0 {
			add(num.Log(v))
		}
	}
	return out
}

// run finds the modes: it climbs from random starts, and after each of them from all queued starts.
func (s *search) run() {
	s.scanGrid()
	for i := uint32(0); i < maxStarts && s.budget > 0; i++ {
		s.climbFrom(s.randomStart(i), true)
		if i == 0 {
			s.queueCentres()
			s.climbComponents()
		}
		s.climbQueue()
		if i >= minStarts/2 {
			s.scanModes()
		}
		if i+1 >= minStarts && (s.climbs == 0 || s.goodTuring() <= maxNewModeShare && s.rareShare() <= maxRareShare) {
			break
		}
	}
}

// climbQueue climbs from all queued starts.
func (s *search) climbQueue() {
	for len(s.queue) > 0 && s.budget > 0 {
		x := s.queue[0]
		s.queue = s.queue[1:]
		s.climbFrom(x, false)
	}
}

// scanModes scans lines through all heavy modes, including those that it finds: if a target is a product, for example
// of mixtures or of functions of |x|, each of its modes is on a line through another one.
func (s *search) scanModes() {
	points := len(scanDistances)*4 + len(s.constantStarts) // approximate number of points of a line
	scanTime := num.Mul(float64((min(s.dim, maxScannedLines)+1)*points), s.t.EvalTime())
	for s.budget > 0 && (s.scanned < minScannedModes || num.Mul(float64(s.scanned), scanTime) < maxScanTime) {
		m := s.heaviestUnscanned()
		if m == nil || s.scanned >= minScannedModes && !s.isHeavy(m) {
			break
		}
		m.scanned = true
		s.scanned++
		s.scanLines(m)
		s.climbQueue()
	}
}

// isHeavy reports whether the mass of a mode is large enough for a component of the base.
func (s *search) isHeavy(m *mode) bool { return m.logMass > s.maxLogMass()-maxMassGap }

// maxLogMass returns the log mass of the heaviest mode, -Inf if there is none.
func (s *search) maxLogMass() float64 {
	top := math.Inf(-1)
	for i := range s.modes {
		top = max(top, s.modes[i].logMass)
	}
	return top
}

// rareShare returns the number of heavy modes that at most one climb from a random start has reached, divided by the
// number of these climbs. Modes that only other starts reach show that random starts miss some.
func (s *search) rareShare() float64 {
	rare, minLogMass := 0, s.maxLogMass()-maxMassGap
	for i := range s.modes {
		if m := &s.modes[i]; m.randomClimbs <= 1 && m.logMass > minLogMass {
			rare++
		}
	}
	return float64(rare) / float64(max(s.randomClimbs, 1))
}

// heaviestUnscanned returns the mode of largest mass through which no lines have been scanned, or nil.
func (s *search) heaviestUnscanned() *mode {
	for _, b := range s.byMass() {
		if !b.scanned {
			return b
		}
	}
	return nil
}

// climbComponents maximises each component of the program's mixtures separately (Tape.Component), and queues the maxima
// as starts: a mode of one component is near a mode of the mixture. This finds narrow components whose centres are
// linear combinations of coordinates, for which Tape.Centres cannot solve.
func (s *search) climbComponents() {
	for k := range maxMixtureComponents {
		if s.t.NumSlots() > maxMixtureSlots {
			return
		}
		t, ok := s.t.Component(k)
		if !ok {
			return
		}
		points := t.EvaluatorPool()
		c := climber{dim: s.dim, grad: points.Gradient, budget: min(s.budget, maxMixtureGradients)}
		initialBudget := c.budget
		x := make([]float64, s.dim)
		for i := range uint32(maxRedraws) {
			if num.Finite(points.LogF(x)) {
				break
			}
			r := s.key.Stream(11, i, uint32(k))
			drawUniform(&r, x, startScales[0])
		}
		if f := c.climb(x); num.Finite(f) {
			s.queue = append(s.queue, x)
		}
		s.budget -= initialBudget - c.budget
	}
}

// queueCentres queues the points of Tape.Centres. Coordinates that a point lacks are those of the first mode, or 0 if
// there is none.
func (s *search) queueCentres() {
	for _, p := range s.centres {
		x := make([]float64, s.dim)
		if len(s.modes) > 0 {
			copy(x, s.modes[0].Mean)
		}
		for k, v := range p {
			if num.NotNaN(v) {
				x[k] = v
			}
		}
		s.queue = append(s.queue, x)
	}
}

// goodTuring estimates the probability that a climb from the next random start ends at a new mode, by [Good1953]: the
// number of modes reached by exactly one random start, divided by the number of climbs from random starts. It is NaN if
// there is no such climb.
func (s *search) goodTuring() float64 {
	if s.randomClimbs == 0 {
		return math.NaN()
	}
	once := 0
	for i := range s.modes {
		if s.modes[i].randomClimbs == 1 {
			once++
		}
	}
	return float64(once) / float64(s.randomClimbs)
}

// byMass returns the modes in descending order of mass.
func (s *search) byMass() []*mode {
	out := make([]*mode, len(s.modes))
	for i := range out {
		out[i] = &s.modes[i]
	}
	slices.SortStableFunc(out, func(a, b *mode) int { return cmp.Compare(b.logMass, a.logMass) })
	return out
}

// randomStart returns random start i. Start 0 is the origin; the ten kinds of the others alternate. Starts of density
// 0, which have no gradient, are redrawn.
func (s *search) randomStart(i uint32) []float64 {
	x, r := make([]float64, s.dim), s.key.Stream(0, i, 0)
	if i == 0 {
		return x
	}
	draw := func() {
		constantStart := func() float64 { return s.constantStarts[r.Intn(len(s.constantStarts))] }
		drawCentre := func(k int) (v float64) { // for coordinate k
			for range 10 {
				if v = s.centres[r.Intn(len(s.centres))][k]; num.NotNaN(v) {
					return v
				}
			}
			return 0
		}
		switch kind := i % 10; {
		case (kind == 2 || kind == 9) && s.prior != nil:
			s.prior.Draw(&r, x)
		case kind >= 3 && kind <= 5:
			drawUniform(&r, x, startScales[kind-2])
		case kind == 6 && len(s.constantStarts) > 0: // all coordinates near one constant
			v := constantStart()
			for k := range x {
				x[k] = v + num.Mul(.2, r.Float64()-.5)
			}
		case kind == 7 && len(s.centres) > 0: // independently for each coordinate, for products of mixtures
			for k := range x {
				x[k] = drawCentre(k) + num.Mul(.2, r.Float64()-.5)
			}
		case kind == 8 && len(s.modes) > 0: // a known mode with one coordinate moved
			copy(x, s.modes[r.Intn(len(s.modes))].Mean)
			x[r.Intn(s.dim)] += num.Mul(startScales[1+r.Intn(3)], num.Mul(2, r.Float64())-1)
		default:
			drawUniform(&r, x, startScales[0])
		}
	}
	draw()
	for k := 0; math.IsInf(s.points.LogF(x), -1) && k < maxRedraws; k++ {
		draw()
	}
	return x
}

// climbFrom climbs from x, in place, and counts the climb for the mode where it ends. It adds new modes to the list. A
// point is a mode if the negative Hessian is positive definite.
func (s *search) climbFrom(x []float64, fromRandomStart bool) {
	if f := s.points.LogF(x); f > s.bestLogF {
		s.bestLogF, s.bestStart = f, slices.Clone(x)
	}
	f := s.climb(x)
	if math.IsInf(f, -1) {
		return
	}
	modeIndex := slices.IndexFunc(s.modes, func(b mode) bool { return near(&b.Base, x) && math.Abs(b.logF-f) < 1 })
	if modeIndex < 0 {
		root, ok := s.polish(x, &f)
		b := mode{Base: density.Base{Mean: x, Root: root}, logF: f}
		if !ok || !b.Normalise() {
			return
		}
		b.logMass = b.logF - b.Log(b.Mean)
		// Both distances must be small, because a narrow mode may be within a wide one.
		sameMode := func(o mode) bool { return near(&o.Base, x) && near(&b.Base, o.Mean) }
		if modeIndex = slices.IndexFunc(s.modes, sameMode); modeIndex < 0 {
			modeIndex = len(s.modes)
			s.modes = append(s.modes, b)
		}
	}
	s.climbs++
	s.modes[modeIndex].climbs++
	if fromRandomStart {
		s.randomClimbs++
		s.modes[modeIndex].randomClimbs++
	}
}

// polish continues a climb that has ended at x in coordinates z, x + root z, in which the negative Hessian at x is the
// identity. It repeats this until the log density gains less than .01. Without it a climb stops before its maximum if
// scales differ by many orders of magnitude. It updates x and logF and returns the last root (laplaceRoot); ok is false
// if the negative Hessian is not positive definite.
func (s *search) polish(x []float64, logF *float64) (root []float64, ok bool) {
	for range maxPolishes {
		if root, ok = laplaceRoot(&s.climber, x); !ok {
			return nil, false
		}
		origin, point, slope := slices.Clone(x), make([]float64, s.dim), make([]float64, s.dim)
		c := climber{dim: s.dim, budget: min(s.budget, maxPolishGradients), grad: func(z, out []float64) float64 {
			copy(point, origin)
			addRootTimes(root, 1, z, point)
			logF := s.points.Gradient(point, slope)
			rootTTimes(root, slope, out)
			return logF
		}}
		s.budget -= c.budget
		z := make([]float64, s.dim)
		top := c.climb(z)
		s.budget += c.budget
		if !(top > *logF) {
			break
		}
		gain := top - *logF
		addRootTimes(root, 1, z, x)
		if *logF = top; gain < .01 {
			break
		}
	}
	return root, ok
}

// scanDistances are the distances at which lines are evaluated: from a mode, in its standard deviations, and from 0, in
// the units of the tape.
var scanDistances = func() (out []float64) {
	for v := 3.; v < 2000; v *= 1.2 {
		out = append(out, v)
	}
	return out
}()

// scanLines queues the local maxima of the log density on lines through a mode, parallel to each coordinate, and on the
// diagonal on which all coordinates are equal.
func (s *search) scanLines(b *mode) {
	peaks := s.lineMaxima(make([]float64, s.dim), 0, 1, func(v float64, x []float64) {
		for k := range x {
			x[k] = v
		}
	})
	for i := range min(s.dim, maxScannedLines) {
		row := b.Root[i*s.dim : i*s.dim+i+1]
		sd := math.Sqrt(num.Dot(row, row))
		peaks = append(peaks, s.lineMaxima(slices.Clone(b.Mean), b.Mean[i], sd, func(v float64, x []float64) { x[i] = v })...)
	}
	s.queuePeaks(peaks)
}

// peak is a local maximum on a grid or line, with its log density.
type peak struct {
	logF float64
	x    []float64
}

// queuePeaks queues the highest peaks as starts, except those near a known mode.
func (s *search) queuePeaks(peaks []peak) {
	slices.SortStableFunc(peaks, func(a, b peak) int { return cmp.Compare(b.logF, a.logF) })
	for _, p := range peaks[:min(len(peaks), maxPeaks)] {
		if !slices.ContainsFunc(s.modes, func(b mode) bool { return near(&b.Base, p.x) }) {
			s.queue = append(s.queue, p.x)
		}
	}
}

// lineMaxima evaluates the log density on a line, at mean +- sd times scanDistances, at +- scanDistances and at
// constantStarts, and returns the local maxima. moveTo moves x to the point of the line with parameter v.
func (s *search) lineMaxima(x []float64, mean, sd float64, moveTo func(v float64, x []float64)) (out []peak) {
	var v []float64
	for _, d := range scanDistances {
		v = append(v, mean+num.Mul(sd, d), mean-num.Mul(sd, d))
		if d < 2*largestScale {
			v = append(v, d, -d)
		}
	}
	v = append(append(v, mean, 0), s.constantStarts...)
	slices.Sort(v)
	v = slices.Compact(v)
	f := make([]float64, len(v))
	for i, v := range v {
		moveTo(v, x)
		if f[i] = s.points.LogF(x); !num.Finite(f[i]) {
			f[i] = math.Inf(-1)
		}
	}
	for i := range f {
		if (i == 0 || f[i] > f[i-1]) && (i == len(f)-1 || f[i] >= f[i+1]) && num.Finite(f[i]) {
			moveTo(v[i], x)
			out = append(out, peak{f[i], slices.Clone(x)})
		}
	}
	return out
}

// gridSides are the numbers of grid points on each side of 0 along an axis, by dimension.
var gridSides = [...]int{1: 2000, 2: 60, 3: 20}

// scanGrid evaluates a target with one, two or three coordinates on a grid and queues the local maxima. Along each axis
// the points are sinh(u)/3 for equidistant u from -8 to 8, so they are dense near 0 and extend to about 500, twice the
// largest box of starts.
func (s *search) scanGrid() {
	if s.dim >= len(gridSides) {
		return
	}
	side := gridSides[s.dim]
	var axis []float64
	for i := -side; i <= side; i++ {
		u := num.Mul(8, float64(i)/float64(side))
		axis = append(axis, (num.Exp(u)-num.Exp(-u))/6)
	}
	n := len(axis)
	total := 1
	for range s.dim {
		total *= n
	}
	if num.Mul(float64(total), s.t.EvalTime()) > maxGridTime {
		return
	}
	f, x := make([]float64, total), make([]float64, s.dim)
	gridPoint := func(i int) []float64 {
		for k := range x {
			x[k] = axis[i%n]
			i /= n
		}
		return x
	}
	for i := range f {
		if f[i] = s.points.LogF(gridPoint(i)); !num.Finite(f[i]) {
			f[i] = math.Inf(-1)
		}
	}

	// Local maxima: points above their neighbours along each axis.
	var peaks []peak
	for i := range f {
		isMaximum := num.Finite(f[i])
		for k, step := 0, 1; k < s.dim && isMaximum; k, step = k+1, step*n {
			axisIndex := i / step % n
			isMaximum = (axisIndex == 0 || f[i] > f[i-step]) && (axisIndex == n-1 || f[i] >= f[i+step])
		}
		if isMaximum {
			peaks = append(peaks, peak{f[i], slices.Clone(gridPoint(i))})
		}
	}
	s.queuePeaks(peaks)
}

// modeNormals returns the Laplace approximations of the modes whose log mass is within maxMassGap of the largest, in
// descending order of mass. If no climb ended at a mode it returns a normal distribution with standard deviation 1/2
// around the best start.
func (s *search) modeNormals() (out []density.Base) {
	if len(s.modes) == 0 {
		root := make([]float64, s.dim*s.dim)
		for i := range s.dim {
			root[i*s.dim+i] = .5
		}
		return []density.Base{{Mean: s.bestStart, Root: root}}
	}
	ranked := s.byMass()
	for _, b := range ranked[:min(len(ranked), maxModeComponents)] {
		if b.logMass > ranked[0].logMass-maxMassGap {
			out = append(out, b.Base)
		}
	}
	return out
}

// pooledNormal returns the normal distribution with the mean and the covariance of an equal mixture of the Laplace
// approximations, without modes of negligible mass. It replaces one component for each mode if there are too many
// modes, or if random starts still find new ones, as for a product of mixtures; otherwise ok is false.
func (s *search) pooledNormal() (pooled density.Base, ok bool) {
	heavy, minHeavyLogMass := 0, s.maxLogMass()-maxMassGap
	for i := range s.modes {
		if s.modes[i].logMass > minHeavyLogMass {
			heavy++
		}
	}
	if heavy <= maxModeComponents && (len(s.modes) <= fewModes || s.goodTuring() <= .25) {
		return pooled, false
	}
	n, mean, cov := 0., make([]float64, s.dim), make([]float64, s.dim*s.dim)
	minLogMass := s.byMass()[0].logMass - 2*maxMassGap
	for i := range s.modes {
		if b := &s.modes[i]; b.logMass > minLogMass {
			n++
			num.Axpy(1, b.Mean, mean)
		}
	}
	for i := range mean {
		mean[i] /= n
	}
	for k := range s.modes {
		b := &s.modes[k]
		if b.logMass <= minLogMass {
			continue
		}
		for i := range s.dim {
			for j := range i + 1 {
				v := num.Dot(b.Root[i*s.dim:i*s.dim+j+1], b.Root[j*s.dim:j*s.dim+j+1])
				v += num.Mul(b.Mean[i]-mean[i], b.Mean[j]-mean[j])
				cov[i*s.dim+j] += v / n
			}
		}
	}
	for i := range s.dim {
		for j := range i {
			cov[j*s.dim+i] = cov[i*s.dim+j]
		}
	}
	pooled = density.Base{Mean: mean, Root: cov}
	return pooled, num.Cholesky(cov, s.dim, nil) && pooled.Normalise()
}

// modeList returns the modes for reports, in descending order of mass.
func (s *search) modeList() (out []models.Mode) {
	for _, b := range s.byMass() {
		out = append(out, models.Mode{LogMass: b.logMass, Starts: b.climbs})
	}
	return out
}

// drawUniform sets each coordinate of x to a uniform draw between -scale and scale.
func drawUniform(s *rng.Stream, x []float64, scale float64) {
	for k := range x {
		x[k] = num.Mul(scale, num.Mul(2, s.Float64())-1)
	}
}
