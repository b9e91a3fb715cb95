package draws

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/estimators"
	"logzlab/estimators/external"
	"logzlab/estimators/external/samples"
	"logzlab/models/density"
)

// Program is a model whose posterior was drawn from.
type Program interface {
	Names() []string // of the numbers that a draw has
	Dim() int        // of coordinates without bounds
	// Free sets u to the coordinates of a draw; what they leave open comes from s.
	Free(x []float64, s *rng.Stream, u []float64) error
	LogF(u []float64) float64 // the log density of coordinates, all of it
	Turns() bool              // Free leaves something open
	Improper() string         // parameters without a prior
}

// Searched is implemented by programs whose modes can be looked for without the draws.
type Searched interface {
	// Unvisited is the log of the mass around modes that none of the points, rows of coordinates, is near; -Inf: none.
	Unvisited(points []float64) float64
}

// For is the options of a reading of draws of the posterior of a program, which files beside tell, with its data.
func For(p Program, o external.Options, beside []samples.File) external.Options {
	return o.With(p.Names(), beside, func(s *samples.Set, methods []string, o external.Options, m *meter.Meter) (
		[]*external.Report, error) {
		return judge(p, s, methods, o, m)
	})
}

// posterior is draws as coordinates.
type posterior struct {
	set    *samples.Set
	p      Program
	names  []string // of the numbers of a draw
	dim    int
	origin []float64 // from which coordinates count, so that moments keep their digits
	chains []path
	alike  []int // of each draw of all chains: the first that is the same
	// independent says that draws are taken for independent.
	independent bool
}

// path is a chain in coordinates.
type path struct {
	from   *samples.Drawn
	n      int
	u      []float64
	logF   []float64
	halves [2][]int // the draws of each
}

// drawKey makes the random numbers of a reading of draws.
var drawKey = rng.NewKey(1, "read", 0)

// Phases of these: the rest of coordinates, and draws of the normal distribution that each half fits.
const (
	phaseFree = iota
	phaseDraw
)

// newPosterior finds the coordinates of all draws, and their log densities.
func newPosterior(p Program, s *samples.Set, o external.Options, m *meter.Meter) (*posterior, error) {
	work := 0.
	for _, from := range s.Draws {
		work += float64(len(from.Lines))
	}
	m.Expect(work * drawOps)

	// Coordinates and log densities of the draws; repeated draws point to the first.
	d := &posterior{set: s, p: p, names: p.Names(), dim: p.Dim(),
		independent: o.Independent}
	first := map[string]int{}
	for c, from := range s.Draws {
		e := path{from: from, n: len(from.Lines)}
		if e.n < leastDraws {
			return nil, problem.New("%s has %d draws in a chain; needed are %d or more", from.File, e.n, leastDraws)
		}
		for i := range e.n {
			stream := drawKey.Stream(phaseFree, uint32(c), uint32(i))
			if err := d.add(&e, i, &stream); err != nil {
				return nil, err
			}
			if err := m.Did(drawOps); err != nil {
				return nil, err
			}
			key := keyOf(d.draw(&e, i))
			if _, seen := first[key]; !seen {
				first[key] = len(d.alike)
			}
			d.alike = append(d.alike, first[key])
		}
		d.chains = append(d.chains, e)
	}

	// Enough draws for the fit, and a word on repeats.
	total := len(d.alike)
	if need := 2 * (d.dim + 2); total < need {
		return nil, problem.New("%d draws are too few for a normal distribution of %d coordinates, which half of them "+
			"fits; needed are %d or more", total, d.dim, need)
	}
	if n := len(first); n < total {
		s.Said = append(s.Said, problem.New("%d of %d draws differ; those that repeat count as one with a weight", n,
			total))
	}
	return d, d.split()
}

// add finds the coordinates of the i-th draw of a chain.
func (d *posterior) add(e *path, i int, stream *rng.Stream) error {
	u := make([]float64, d.dim)
	if err := d.p.Free(d.draw(e, i), stream, u); err != nil {
		return problem.New("%s, line %d: %w", e.from.File, e.from.Lines[i], err)
	}
	f := d.p.LogF(u)
	if !num.Finite(f) {
		return problem.New("%s, line %d: the log density of the program is %v at this draw; are they draws of another "+
			"program, or with other data?", e.from.File, e.from.Lines[i], f)
	}
	if d.origin == nil {
		d.origin = append(d.origin, u...)
	}
	for j := range u {
		u[j] -= d.origin[j]
	}
	e.u, e.logF = append(e.u, u...), append(e.logF, f)
	return nil
}

// draw are the numbers of a draw of a chain.
func (d *posterior) draw(e *path, i int) []float64 {
	return e.from.X[i*len(d.names) : (i+1)*len(d.names)]
}

// point is a draw in coordinates.
func (d *posterior) point(e *path, i int) []float64 { return e.u[i*d.dim : (i+1)*d.dim] }

// keyOf is the same for equal numbers.
func keyOf(x []float64) string {
	var key []byte
	for _, v := range x {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	return string(key)
}

// Draws of a chain at least; operations that one takes, or so; and the part of all that may come back by chance.
const leastDraws, drawOps, fewBack = 8, 1e4, 50

// split halves the chains: by time, or, where many draws come back later, by the draws themselves. Such were drawn by
// their weights in no order; in both halves they would fit the normal distribution to what it is compared with, which
// makes log Z too low.
func (d *posterior) split() error {
	back, before, distinct := 0, 0, map[int]uint32{} // draws that come back, and hashes
	for c := range d.chains {
		e := &d.chains[c]
		for i := range e.n {
			at := before + i
			first := d.alike[at]
			if first < at && (i == 0 || first != d.alike[at-1]) {
				back++
			}
			if first == at {
				distinct[at] = hashOf(d.draw(e, i))
			}
		}
		before += e.n
	}

	// Distinct draws in the order of their hashes, dealt to the halves in turn.
	half := map[int]int{}
	for rank, at := range slices.SortedFunc(maps.Keys(distinct), func(a, b int) int {
		return cmp.Or(cmp.Compare(distinct[a], distinct[b]), a-b)
	}) {
		half[at] = rank % 2
	}

	// The halves of each chain: by time, or by the draws where many come back.
	before = 0
	for c := range d.chains {
		e := &d.chains[c]
		for i := range e.n {
			h := half[d.alike[before+i]]
			if back <= len(d.alike)/fewBack { // by chance, as numbers have few digits
				h = min(2*i/e.n, 1)
			}
			e.halves[h] = append(e.halves[h], i)
		}
		if min(len(e.halves[0]), len(e.halves[1])) < leastDraws/2 {
			return problem.New("%s has too few draws that differ; needed are %d or more in a chain", e.from.File, leastDraws)
		}
		before += e.n
	}
	return nil
}

// hashOf tells draws apart, in no order.
func hashOf(x []float64) (h uint32) {
	for _, v := range x {
		bits := math.Float64bits(v)
		for _, part := range []uint32{uint32(bits), uint32(bits >> 32)} {
			h = (h ^ part) * 16777619
			h ^= h >> 15
		}
	}
	return h
}

// bridged is log Z by bridge sampling with a normal distribution that one half of the draws fits and the other half
// does not know, each way round. With mirror the target is its mean at a point and at the mirror image of that.
func (d *posterior) bridged(mirror bool) (both [2]estimators.BridgeSolution, err error) {
	for h := range both {
		var fit []float64
		for c := range d.chains {
			for _, i := range d.chains[c].halves[h] {
				fit = append(fit, d.point(&d.chains[c], i)...)
			}
		}
		q, ok := d.normal(fit)
		if !ok {
			return both, problem.New("the draws have no covariance to which a normal distribution could be fitted: a number "+
				"never changes, or two always change together; give %d or more draws that differ", 2*(d.dim+2))
		}

		// Log weights of the half unknown to the fit.
		var chains [][]float64
		var drawn []float64
		for c := range d.chains {
			var w []float64
			for _, i := range d.chains[c].halves[1-h] {
				w = append(w, d.weight(q, mirror, d.point(&d.chains[c], i), d.chains[c].logF[i]))
			}
			chains = append(chains, w)
		}

		// As many fresh draws of the normal distribution, weighed alike.
		x := make([]float64, d.dim)
		for c, e := range chains {
			for i := range e {
				s := drawKey.Stream(phaseDraw+uint32(h), uint32(c), uint32(i))
				q.DrawBase(&s, x)
				drawn = append(drawn, d.weight(q, mirror, x, d.logF(x)))
			}
		}
		both[h] = estimators.SolveBridge(chains, drawn, func(series [][]float64) float64 { return d.seOf(series, 1-h) })
	}
	return both, nil
}

// normalOf is a normal density and its mean.
type normalOf struct {
	density.Density
	mean []float64
}

// normal is the normal density with mean and covariance of points.
func (d *posterior) normal(points []float64) (q normalOf, ok bool) {
	n := len(points) / d.dim
	on := density.Moments(points, nil, d.dim)
	for _, x := range on[:d.dim] {
		q.mean = append(q.mean, x/float64(n))
	}
	q.Density, _, ok = density.Density{Dim: d.dim}.Refit(on, n, 1, 0, 1)
	return q, ok
}

// logF is the log density at coordinates from the origin.
func (d *posterior) logF(v []float64) float64 {
	u := make([]float64, len(v))
	for i, x := range v {
		u[i] = d.origin[i] + x
	}
	return d.p.LogF(u)
}

// weight is log f/q at a point, where log f is known.
func (d *posterior) weight(q normalOf, mirror bool, v []float64, logF float64) float64 {
	if mirror {
		image := make([]float64, len(v))
		for i, x := range v {
			image[i] = num.Mul(2, q.mean[i]) - x
		}
		logF = num.LogAddExp(logF, d.logF(image)) - math.Ln2
	}
	w := logF - q.LogBase(v)
	if !num.Known(w) || w == math.Inf(1) {
		return math.Inf(-1)
	}
	return w
}

// seOf is the standard error of the mean of a number that each draw of one half has: by what chains remember, by draws
// that repeat, or by the spread between chains, where that is clearly more.
func (d *posterior) seOf(series [][]float64, half int) float64 {
	all, mean := 0., 0.
	for _, x := range series {
		all += float64(len(x))
		mean += total(x)
	}
	mean /= all

	// The spread within chains and between chains, and the sums of repeated draws.
	within, between := 0., 0.
	sums := make([]float64, len(d.alike)) // of draws that are the same
	before := 0
	for c, x := range series {
		n := float64(len(x))
		_, ofMean := external.Variances(x, d.independent)
		within += num.Mul(n*n, ofMean)
		off := total(x)/n - mean
		between += num.Mul(n*n, num.Mul(off, off))
		for i, at := range d.chains[c].halves[half] {
			sums[d.alike[before+at]] += x[i] - mean
		}
		before += d.chains[c].n
	}

	// The largest of the three; the spread between chains only where clear.
	repeated := 0.
	for _, v := range sums {
		repeated += num.Mul(v, v)
	}
	within = max(within, repeated)
	if m := float64(len(series)); m > 1 {
		between *= m / (m - 1)
		if between > clearlyMore*within || m >= manyChains {
			within = max(within, between)
		}
	}
	return math.Sqrt(within) / all
}

// Of chains: how many times more than the variance within them that between them must be to count, unless there are so
// many.
const clearlyMore, manyChains = 4, 10

func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}
