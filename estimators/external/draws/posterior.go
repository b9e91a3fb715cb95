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

// Program is a model from whose posterior the draws were made.
type Program interface {
	Names() []string // names of the numbers of a draw
	Dim() int        // number of unconstrained coordinates
	// Free sets u to the unconstrained coordinates of a draw x; coordinates that the draw does not determine come from
	// s.
	Free(x []float64, s *rng.Stream, u []float64) error
	LogF(u []float64) float64 // log density of coordinates, with all constants
	Underdetermined() bool    // a draw does not determine all coordinates
	Improper() string         // names of parameters without a prior
}

// ModeSearcher is implemented by programs that can search for modes without draws.
type ModeSearcher interface {
	// Unvisited returns the log of the mass around modes that none of the points, given as rows of coordinates, is
	// near; -Inf if there are no such modes.
	Unvisited(points []float64) float64
}

// WithProgram returns options for draws from the posterior of a program; files are those that define the program and
// its data.
func WithProgram(p Program, o external.Options, files []samples.File) external.Options {
	return o.WithDraws(p.Names(), files, func(s *samples.Set, methods []string, o external.Options, m *meter.Meter) (
		[]*external.Report, error) {
		return judge(p, s, methods, o, m)
	})
}

// posterior holds the draws in unconstrained coordinates.
type posterior struct {
	set    *samples.Set
	p      Program
	names  []string // of the numbers of a draw
	dim    int
	origin []float64 // subtracted from coordinates, so that moments keep their precision
	chains []drawChain
	sameAs []int // index of the first equal draw, for each draw of all chains
	// independent says that draws are treated as independent.
	independent bool
}

// drawChain is a chain in unconstrained coordinates.
type drawChain struct {
	from   *samples.DrawChain
	n      int
	u      []float64
	logF   []float64
	halves [2][]int // indices of the draws of each half
}

// drawKey is the random key for reading draws.
var drawKey = rng.NewKey(1, "read", 0)

// Phases of random numbers: undetermined coordinates, and draws from the normal distribution of each half.
const (
	phaseFree = iota
	phaseDraw
)

// newPosterior computes the coordinates and log densities of all draws.
func newPosterior(p Program, s *samples.Set, o external.Options, m *meter.Meter) (*posterior, error) {
	work := 0.
	for _, from := range s.Draws {
		work += float64(len(from.Lines))
	}
	m.Expect(work * drawOps)

	// Coordinates and log densities of the draws; find equal draws.
	d := &posterior{set: s, p: p, names: p.Names(), dim: p.Dim(),
		independent: o.Independent}
	first := map[string]int{}
	for c, from := range s.Draws {
		e := drawChain{from: from, n: len(from.Lines)}
		if e.n < minDraws {
			return nil, problem.New("%s has %d draws in a chain; needed are %d or more", from.File, e.n, minDraws)
		}
		for i := range e.n {
			stream := drawKey.Stream(phaseFree, uint32(c), uint32(i))
			if err := d.add(&e, i, &stream); err != nil {
				return nil, err
			}
			if err := m.Did(drawOps); err != nil {
				return nil, err
			}
			key := bitsKey(d.draw(&e, i))
			if _, seen := first[key]; !seen {
				first[key] = len(d.sameAs)
			}
			d.sameAs = append(d.sameAs, first[key])
		}
		d.chains = append(d.chains, e)
	}

	// There must be enough draws for the fit; note repeated draws.
	total := len(d.sameAs)
	if need := 2 * (d.dim + 2); total < need {
		return nil, problem.New("%d draws are too few for a normal distribution of %d coordinates, which half of them "+
			"fits; needed are %d or more", total, d.dim, need)
	}
	if n := len(first); n < total {
		s.Notes = append(s.Notes, problem.New("%d of %d draws differ; those that repeat count as one with a weight", n,
			total))
	}
	return d, d.split()
}

// add appends the coordinates of the i-th draw of a chain.
func (d *posterior) add(e *drawChain, i int, stream *rng.Stream) error {
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

// draw returns the numbers of a draw.
func (d *posterior) draw(e *drawChain, i int) []float64 {
	return e.from.X[i*len(d.names) : (i+1)*len(d.names)]
}

// point returns the coordinates of a draw.
func (d *posterior) point(e *drawChain, i int) []float64 { return e.u[i*d.dim : (i+1)*d.dim] }

// bitsKey returns a map key that is the same for equal numbers.
func bitsKey(x []float64) string {
	var key []byte
	for _, v := range x {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	return string(key)
}

// minDraws is the smallest number of draws in a chain; drawOps is about the number of operations for a draw;
// 1/repeatDivisor is the share of repeated draws that may be due to chance.
const minDraws, drawOps, repeatDivisor = 8, 1e4, 50

// split halves the chains: by time or, if many draws recur later, by the draws themselves. Recurring draws were
// resampled by weights, in random order; if both halves contained them, the normal distribution would be fitted to the
// draws it is compared with, and log Z would be biased low.
func (d *posterior) split() error {
	back, before, distinct := 0, 0, map[int]uint32{} // number of recurring draws, and hashes
	for c := range d.chains {
		e := &d.chains[c]
		for i := range e.n {
			at := before + i
			first := d.sameAs[at]
			if first < at && (i == 0 || first != d.sameAs[at-1]) {
				back++
			}
			if first == at {
				distinct[at] = hashDraw(d.draw(e, i))
			}
		}
		before += e.n
	}

	// Assign distinct draws to the halves in turn, in the order of their hashes.
	half := map[int]int{}
	for rank, at := range slices.SortedFunc(maps.Keys(distinct), func(a, b int) int {
		return cmp.Or(cmp.Compare(distinct[a], distinct[b]), a-b)
	}) {
		half[at] = rank % 2
	}

	// Split each chain by time, or by the draws if many recur.
	before = 0
	for c := range d.chains {
		e := &d.chains[c]
		for i := range e.n {
			h := half[d.sameAs[before+i]]
			if back <= len(d.sameAs)/repeatDivisor { // recurring by chance, for example because numbers are rounded
				h = min(2*i/e.n, 1)
			}
			e.halves[h] = append(e.halves[h], i)
		}
		if min(len(e.halves[0]), len(e.halves[1])) < minDraws/2 {
			return problem.New("%s has too few draws that differ; needed are %d or more in a chain", e.from.File, minDraws)
		}
		before += e.n
	}
	return nil
}

// hashDraw returns a hash of a draw, which gives draws a pseudo-random order.
func hashDraw(x []float64) (h uint32) {
	for _, v := range x {
		bits := math.Float64bits(v)
		for _, part := range []uint32{uint32(bits), uint32(bits >> 32)} {
			h = (h ^ part) * 16777619
			h ^= h >> 15
		}
	}
	return h
}

// bridge estimates log Z by bridge sampling with a normal distribution fitted to one half of the draws and compared
// with the other half, for both choices. With mirror, the target density is averaged over a point and its mirror image
// at the mean.
func (d *posterior) bridge(mirror bool) (both [2]estimators.BridgeSolution, err error) {
	for h := range both {
		var fit []float64
		for c := range d.chains {
			for _, i := range d.chains[c].halves[h] {
				fit = append(fit, d.point(&d.chains[c], i)...)
			}
		}
		q, ok := d.fitNormal(fit)
		if !ok {
			return both, problem.New("the draws have no covariance to which a normal distribution could be fitted: a number "+
				"never changes, or two always change together; give %d or more draws that differ", 2*(d.dim+2))
		}

		// Log weights of the other half.
		var chains [][]float64
		var drawn []float64
		for c := range d.chains {
			var w []float64
			for _, i := range d.chains[c].halves[1-h] {
				w = append(w, d.logWeight(q, mirror, d.point(&d.chains[c], i), d.chains[c].logF[i]))
			}
			chains = append(chains, w)
		}

		// Log weights of as many draws from the normal distribution.
		x := make([]float64, d.dim)
		for c, e := range chains {
			for i := range e {
				s := drawKey.Stream(phaseDraw+uint32(h), uint32(c), uint32(i))
				q.DrawBase(&s, x)
				drawn = append(drawn, d.logWeight(q, mirror, x, d.logF(x)))
			}
		}
		both[h] = estimators.SolveBridge(chains, drawn, func(series [][]float64) float64 { return d.seOfMean(series, 1-h) })
	}
	return both, nil
}

// fittedNormal is a normal density with its mean.
type fittedNormal struct {
	density.Density
	mean []float64
}

// fitNormal returns the normal density with the mean and covariance of points.
func (d *posterior) fitNormal(points []float64) (q fittedNormal, ok bool) {
	n := len(points) / d.dim
	on := density.Moments(points, nil, d.dim)
	for _, x := range on[:d.dim] {
		q.mean = append(q.mean, x/float64(n))
	}
	q.Density, _, ok = density.Density{Dim: d.dim}.Refit(on, n, 1, 0, 1)
	return q, ok
}

// logF returns the log density at coordinates relative to the origin.
func (d *posterior) logF(v []float64) float64 {
	u := make([]float64, len(v))
	for i, x := range v {
		u[i] = d.origin[i] + x
	}
	return d.p.LogF(u)
}

// logWeight returns log f/q at a point v with known log f(v).
func (d *posterior) logWeight(q fittedNormal, mirror bool, v []float64, logF float64) float64 {
	if mirror {
		image := make([]float64, len(v))
		for i, x := range v {
			image[i] = num.Mul(2, q.mean[i]) - x
		}
		logF = num.LogAddExp(logF, d.logF(image)) - math.Ln2
	}
	w := logF - q.LogBase(v)
	if !num.NotNaN(w) || w == math.Inf(1) {
		return math.Inf(-1)
	}
	return w
}

// seOfMean returns the standard error of the mean of a quantity of each draw of one half: the largest of the estimates
// from autocorrelation, from repeated draws and, if clearly larger, from the spread between chains.
func (d *posterior) seOfMean(series [][]float64, half int) float64 {
	all, mean := 0., 0.
	for _, x := range series {
		all += float64(len(x))
		mean += total(x)
	}
	mean /= all

	// The variance within and between chains, and the sums over equal draws.
	within, between := 0., 0.
	sums := make([]float64, len(d.sameAs)) // over equal draws
	before := 0
	for c, x := range series {
		n := float64(len(x))
		_, ofMean := external.Variances(x, d.independent)
		within += num.Mul(n*n, ofMean)
		off := total(x)/n - mean
		between += num.Mul(n*n, num.Mul(off, off))
		for i, at := range d.chains[c].halves[half] {
			sums[d.sameAs[before+at]] += x[i] - mean
		}
		before += d.chains[c].n
	}

	// The largest of the three; the variance between chains counts only if clearly larger.
	repeated := 0.
	for _, v := range sums {
		repeated += num.Mul(v, v)
	}
	within = max(within, repeated)
	if m := float64(len(series)); m > 1 {
		between *= m / (m - 1)
		if between > minRatio*within || m >= manyChains {
			within = max(within, between)
		}
	}
	return math.Sqrt(within) / all
}

// minRatio is the ratio by which the variance between chains must exceed that within them to count, unless there are at
// least manyChains.
const minRatio, manyChains = 4, 10

// total returns the sum of the values.
func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}
