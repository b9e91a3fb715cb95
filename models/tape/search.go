package tape

import (
	"cmp"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/rng"
	ops "logzlab/core/tape"
	"logzlab/models"
	"logzlab/models/density"
)

// Sizes of the search for modes.
const (
	leastStarts    = 40    // climbs that the search makes at least
	mostStarts     = 240   // and at most
	enoughSeen     = .05   // expected share of climbs that would end at a new mode, below which the search ends
	manyModes      = 8     // modes of a target of which a search that still finds new ones has seen too little
	polishings     = 4     // times that a climb goes on in coordinates of its end, at most
	polishSteps    = 200   // gradients that each of these takes at most
	mostPlaces     = 40    // points at which differences in the program are 0 that are starts
	mostHints      = 48    // starts of a coordinate that constants of the program give, four for each constant
	mostScans      = 3     // modes through which lines are scanned
	mostComponents = 8     // components of mixtures that are climbed on alone
	componentSteps = 1000  // gradients of each of these climbs
	componentSlots = 50000 // numbers of a tape up to which there are such climbs
	mostScanned    = 60    // coordinates along which a mode is scanned
	mostLow        = 10.   // nats by which a mode's mass may lie below that of the largest one to get a part of the base
	searchWork     = 8e8   // nanoseconds that climbs may plan to take
	searchMost     = 6e4   // gradients that climbs may take
	gridWork       = 2e8   // nanoseconds that the grid in one to three dimensions may plan to take
	mostPeaks      = 24    // peaks of a grid, or of the scans of a mode, from which climbs start
	outerScale     = 250.  // half the side of the largest box of starts
)

// startScales are half the sides of the boxes around 0 in which climbs start: the smallest is that of Stan.
var startScales = [...]float64{2, 10, 50, outerScale}

// basin is a mode of the target: the normal distribution by its curvature, its log density, and the number of climbs
// that ended there.
type basin struct {
	density.Base
	top     float64
	mass    float64 // log of the integral of the normal density through the top (Laplace's method)
	starts  int
	scanned bool // lines through it have been scanned
}

// search looks for the modes of a tape by climbs. Their starts are points in boxes of several scales around 0, draws of
// the program's prior, the constants of the program (centres of mixtures and data are among them), and every rise of the density on lines through the modes found and on a grid. Random starts go
// on until the expected share of climbs that would end at a new mode is small ([Good1953]).
type search struct {
	t      *ops.Tape
	points *ops.Points
	key    rng.Key
	dim    int
	climber
	hints  []float64
	places [][]float64 // points of Tape.Differences
	prior  *prior      // nil: the program states none that can be drawn from
	basins []basin
	queue  [][]float64 // starts that were found by scans

	climbs      int   // climbs that ended at a mode
	random      int   // of these, climbs from random starts
	seen        []int // of each basin, the climbs from random starts that ended there
	evaluations int
	best        float64 // log density of the best start
	bestAt      []float64
}

func newSearch(t *ops.Tape, points *ops.Points, key rng.Key) *search {
	dim := t.Dim()
	s := &search{t: t, points: points, key: key, dim: dim, hints: hintsOf(t.Constants()),
		places: t.Differences(mostPlaces), best: math.Inf(-1), bestAt: make([]float64, dim)}
	gradient := 4 * t.Work()
	s.climber = climber{dim: dim, slope: points.Slope, left: int(max(min(searchWork/gradient, searchMost), 300))}
	if p, err := priorOf(t); err == nil {
		s.prior = p
	}
	return s
}

// hintsOf are starts for a coordinate by the constants of a program: each constant beyond the smallest box with both
// signs, and the logarithms of positive ones, since the coordinate of a positive parameter is its logarithm. Of many
// constants, which are mostly data, it takes quantiles.
func hintsOf(constants []float64) (out []float64) {
	add := func(v float64) {
		for _, v := range [2]float64{v, -v} {
			if math.Abs(v) > startScales[0] && math.Abs(v) < 1e6 && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	sorted := slices.Clone(constants)
	slices.Sort(sorted)
	few := mostHints / 4
	for i := range min(len(sorted), few) {
		v := sorted[i]
		if len(sorted) > few {
			v = sorted[i*(len(sorted)-1)/(few-1)]
		}
		add(v)
		if v > 0 {
			add(num.Log(v))
		}
	}
	return out
}

// run finds the modes.
func (s *search) run() {
	s.grid()
	scanned := 0
	for i := uint32(0); i < mostStarts && s.left > 0; i++ {
		s.climbFrom(s.start(i), true)
		if i == 0 {
			s.addPlaces()
			s.addComponents()
		}
		for len(s.queue) > 0 && s.left > 0 {
			x := s.queue[0]
			s.queue = s.queue[1:]
			s.climbFrom(x, false)
		}
		if i >= leastStarts/2 && scanned < mostScans {
			if b := s.unscanned(); b != nil {
				b.scanned = true
				scanned++
				s.scan(b)
			}
		}
		if i+1 >= leastStarts && (s.climbs == 0 || s.unseen() <= enoughSeen) {
			break
		}
	}
}

// unscanned is the mode of most mass through which no lines have been scanned, nil if there is none.
func (s *search) unscanned() *basin {
	for _, b := range s.ranked() {
		if !b.scanned {
			return b
		}
	}
	return nil
}

// addComponents climbs on each component of mixtures in the program alone (Tape.Component), and queues where the climbs
// end: a mode of one component is near a mode of the mixture, however its parameters are rotated.
func (s *search) addComponents() {
	for k := range mostComponents {
		if s.t.Slots() > componentSlots {
			return
		}
		t, ok := s.t.Component(k)
		if !ok {
			return
		}
		points := t.Points()
		c := climber{dim: s.dim, slope: points.Slope, left: min(s.left, componentSteps)}
		before := c.left
		x := make([]float64, s.dim)
		for i := range uint32(pilotDraws) {
			if num.Finite(points.LogF(x)) {
				break
			}
			r := s.key.Stream(11, i, uint32(k))
			scatter(&r, x, startScales[0])
		}
		if f := c.climb(x); num.Finite(f) {
			s.queue = append(s.queue, x)
		}
		s.left -= before - c.left
		s.evaluations += before - c.left
	}
}

// addPlaces queues the places at which differences in the program are 0. What is not known of them is that of the
// first mode, or 0.
func (s *search) addPlaces() {
	for _, p := range s.places {
		x := make([]float64, s.dim)
		if len(s.basins) > 0 {
			copy(x, s.basins[0].Mean)
		}
		for k, v := range p {
			if num.Known(v) {
				x[k] = v
			}
		}
		s.queue = append(s.queue, x)
	}
}

// unseen is the expected share of further climbs from random starts that end at a mode not yet found, by [Good1953]:
// the number of modes that were reached once, in climbs. It is NaN before there is a climb.
func (s *search) unseen() float64 {
	if s.random == 0 {
		return math.NaN()
	}
	once := 0
	for _, n := range s.seen {
		if n == 1 {
			once++
		}
	}
	return float64(once) / float64(s.random)
}

// ranked lists the basins, those of most mass first.
func (s *search) ranked() []*basin {
	out := make([]*basin, len(s.basins))
	for i := range out {
		out[i] = &s.basins[i]
	}
	slices.SortStableFunc(out, func(a, b *basin) int { return cmp.Compare(b.mass, a.mass) })
	return out
}

// start is the random start of number i: the kinds take turns.
func (s *search) start(i uint32) []float64 {
	x, r := make([]float64, s.dim), s.key.Stream(0, i, 0)
	if i == 0 {
		return x
	}
	draw := func() {
		hint := func() float64 { return s.hints[r.Intn(len(s.hints))] }
		place := func(k int) (v float64) { // of one coordinate
			for range 10 {
				if v = s.places[r.Intn(len(s.places))][k]; num.Known(v) {
					return v
				}
			}
			return 0
		}
		switch kind := i % 10; {
		case kind == 2 && s.prior != nil:
			s.prior.Draw(&r, x)
		case kind >= 3 && kind <= 5:
			scatter(&r, x, startScales[kind-2])
		case kind == 6 && len(s.hints) > 0: // all coordinates at one constant
			v := hint()
			for k := range x {
				x[k] = v + num.Mul(.2, r.Float64()-.5)
			}
		case kind == 7 && len(s.places) > 0: // each coordinate at a place of its own, as for products of mixtures
			for k := range x {
				x[k] = place(k) + num.Mul(.2, r.Float64()-.5)
			}
		case kind == 8 && len(s.basins) > 0: // a mode with one coordinate elsewhere
			copy(x, s.basins[r.Intn(len(s.basins))].Mean)
			x[r.Intn(s.dim)] += num.Mul(startScales[1+r.Intn(3)], num.Mul(2, r.Float64())-1)
		case kind == 9 && s.prior != nil:
			s.prior.Draw(&r, x)
		default:
			scatter(&r, x, startScales[0])
		}
	}
	draw()
	for k := 0; math.IsInf(s.points.LogF(x), -1) && k < pilotDraws; k++ { // a density of 0 says nothing of where to climb
		draw()
		s.evaluations++
	}
	return x
}

// climbFrom climbs from x and notes the mode where the climb ends, if there is one: a point where the curvature is
// that of a maximum.
func (s *search) climbFrom(x []float64, random bool) {
	if f := s.points.LogF(x); f > s.best {
		s.best, s.bestAt = f, slices.Clone(x)
	}
	before := s.left
	defer func() { s.evaluations += before - s.left }()
	f := s.climb(x)
	if math.IsInf(f, -1) {
		return
	}
	at := slices.IndexFunc(s.basins, func(b basin) bool { return near(&b.Base, x) && math.Abs(b.top-f) < 1 })
	if at < 0 {
		root, ok := s.polish(x, &f)
		b := basin{Base: density.Base{Mean: x, Root: root}, top: f}
		if !ok || !b.Normalise() {
			return
		}
		b.mass = b.top - b.Log(b.Mean)
		same := func(o basin) bool { return near(&o.Base, x) && near(&b.Base, o.Mean) } // a narrow one may lie in a wide one
		if at = slices.IndexFunc(s.basins, same); at < 0 {
			at = len(s.basins)
			s.basins, s.seen = append(s.basins, b), append(s.seen, 0)
		}
	}
	s.climbs++
	s.basins[at].starts++
	if random {
		s.random++
		s.seen[at]++
	}
}

// polish goes on with a climb that has ended at x, in coordinates in which the curvature there is round, until that
// gains nothing: where scales differ by many orders of magnitude a climb ends before its top. It returns the factor of
// the covariance that the curvature means; ok is false where the curvature is not that of a maximum.
func (s *search) polish(x []float64, f *float64) (root []float64, ok bool) {
	for range polishings {
		if root, ok = around(&s.climber, x); !ok {
			return nil, false
		}
		from, at, slope := slices.Clone(x), make([]float64, s.dim), make([]float64, s.dim)
		c := climber{dim: s.dim, left: min(s.left, polishSteps), slope: func(z, out []float64) float64 {
			copy(at, from)
			push(root, 1, z, at)
			f := s.points.Slope(at, slope)
			pull(root, slope, out)
			return f
		}}
		s.left -= c.left
		z := make([]float64, s.dim)
		top := c.climb(z)
		s.left += c.left
		if !(top > *f) {
			break
		}
		gain := top - *f
		push(root, 1, z, x)
		if *f = top; gain < .01 {
			break
		}
	}
	return root, ok
}

// scanSteps are distances from a mode in units of its standard deviation, and from 0 in those of the tape.
var scanSteps = func() (out []float64) {
	for v := 3.; v < 2000; v *= 1.2 {
		out = append(out, v)
	}
	return out
}()

// scan walks along lines through a mode, coordinate by coordinate, and along the diagonal on which all coordinates are
// equal. Each rise of the log density after a fall gets a start.
func (s *search) scan(b *basin) {
	x := slices.Clone(b.Mean)
	peaks := s.peaks(func(v float64) float64 {
		for k := range x {
			x[k] = v
		}
		return s.points.LogF(x)
	}, 0, 1, func(v float64) []float64 {
		at := make([]float64, s.dim)
		for k := range at {
			at[k] = v
		}
		return at
	})
	for i := range min(s.dim, mostScanned) {
		row := b.Root[i*s.dim : i*s.dim+i+1]
		copy(x, b.Mean)
		peaks = append(peaks, s.peaks(func(v float64) float64 {
			x[i] = v
			return s.points.LogF(x)
		}, b.Mean[i], math.Sqrt(num.Dot(row, row)), func(v float64) []float64 {
			at := slices.Clone(b.Mean)
			at[i] = v
			return at
		})...)
	}
	s.take(peaks)
}

// peak is a start and its log density.
type peak struct {
	f float64
	x []float64
}

// take queues the highest peaks as starts.
func (s *search) take(peaks []peak) {
	slices.SortStableFunc(peaks, func(a, b peak) int { return cmp.Compare(b.f, a.f) })
	for _, p := range peaks[:min(len(peaks), mostPeaks)] {
		if !slices.ContainsFunc(s.basins, func(b basin) bool { return near(&b.Base, p.x) }) {
			s.queue = append(s.queue, p.x)
		}
	}
}

// peaks evaluates a line at a mean plus multiples of a standard deviation, at distances from 0 and at the hints, and
// lists the local maxima.
func (s *search) peaks(logF func(v float64) float64, mean, sd float64, at func(v float64) []float64) (out []peak) {
	var v []float64
	for _, d := range scanSteps {
		v = append(v, mean+num.Mul(sd, d), mean-num.Mul(sd, d))
		if d < 2*outerScale {
			v = append(v, d, -d)
		}
	}
	v = append(append(v, mean, 0), s.hints...)
	slices.Sort(v)
	v = slices.Compact(v)
	f := make([]float64, len(v))
	for i, v := range v {
		if f[i] = logF(v); !num.Finite(f[i]) {
			f[i] = math.Inf(-1)
		}
	}
	s.evaluations += len(v)
	for i := range f {
		if (i == 0 || f[i] > f[i-1]) && (i == len(f)-1 || f[i] >= f[i+1]) && num.Finite(f[i]) {
			out = append(out, peak{f[i], at(v[i])})
		}
	}
	return out
}

// gridSizes are the points of a grid on each side of 0, by the number of dimensions.
var gridSizes = [...]int{1: 2000, 2: 60, 3: 20}

// grid evaluates a target of one, two or three coordinates on a grid whose points lie closer near 0, out to twice the
// largest box of starts, and queues its local maxima.
func (s *search) grid() {
	if s.dim >= len(gridSizes) {
		return
	}
	side := gridSizes[s.dim]
	var axis []float64
	for i := -side; i <= side; i++ {
		u := num.Mul(8, float64(i)/float64(side)) // sinh(8)/3 is 497
		axis = append(axis, (num.Exp(u)-num.Exp(-u))/6)
	}
	n := len(axis)
	total := 1
	for range s.dim {
		total *= n
	}
	if num.Mul(float64(total), s.t.Work()) > gridWork {
		return
	}
	f, x := make([]float64, total), make([]float64, s.dim)
	place := func(i int) []float64 {
		for k := range x {
			x[k] = axis[i%n]
			i /= n
		}
		return x
	}
	for i := range f {
		if f[i] = s.points.LogF(place(i)); !num.Finite(f[i]) {
			f[i] = math.Inf(-1)
		}
	}
	s.evaluations += total

	// Points above all their neighbours.
	var peaks []peak
	for i := range f {
		highest := num.Finite(f[i])
		for k, step := 0, 1; k < s.dim && highest; k, step = k+1, step*n {
			at := i / step % n
			highest = (at == 0 || f[i] > f[i-step]) && (at == n-1 || f[i] >= f[i+step])
		}
		if highest {
			peaks = append(peaks, peak{f[i], slices.Clone(place(i))})
		}
	}
	s.take(peaks)
}

// parts are normal distributions around the modes of enough mass, the largest first; around the best start where no
// climb ended at a mode.
func (s *search) parts() (out []density.Base) {
	if len(s.basins) == 0 {
		root := make([]float64, s.dim*s.dim)
		for i := range s.dim {
			root[i*s.dim+i] = .5
		}
		return []density.Base{{Mean: s.bestAt, Root: root}}
	}
	ranked := s.ranked()
	for _, b := range ranked[:min(len(ranked), pilotModes)] {
		if b.mass > ranked[0].mass-mostLow {
			out = append(out, b.Base)
		}
	}
	return out
}

// envelope is a normal distribution with the mean and the covariance of all modes together, those of enough mass
// counting the same. It replaces the parts where there are more modes than parts of a base, or where climbs still find
// new ones, as for a product of mixtures; ok is false elsewhere.
func (s *search) envelope() (e density.Base, ok bool) {
	if len(s.basins) <= pilotModes && (len(s.basins) <= manyModes || s.unseen() <= .25) {
		return e, false
	}
	n, mean, cov := 0., make([]float64, s.dim), make([]float64, s.dim*s.dim)
	least := s.ranked()[0].mass - 2*mostLow
	for i := range s.basins {
		if b := &s.basins[i]; b.mass > least {
			n++
			num.Axpy(1, b.Mean, mean)
		}
	}
	for i := range mean {
		mean[i] /= n
	}
	for k := range s.basins {
		b := &s.basins[k]
		if b.mass <= least {
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
	e = density.Base{Mean: mean, Root: cov}
	return e, num.Cholesky(cov, s.dim, nil) && e.Normalise()
}

// modes lists what was found.
func (s *search) modes() (out []models.Mode) {
	for _, b := range s.ranked() {
		out = append(out, models.Mode{LogMass: b.mass, Starts: b.starts})
	}
	return out
}

// scatter draws every coordinate evenly between -scale and scale; Stan draws its starts so, with a scale of 2.
func scatter(s *rng.Stream, x []float64, scale float64) {
	for k := range x {
		x[k] = num.Mul(scale, num.Mul(2, s.Float64())-1)
	}
}
