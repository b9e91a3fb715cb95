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

// Program is the model whose posterior the draws are from.
type Program interface {
	Names() []string // names of the numbers of a draw
	Dim() int        // number of unconstrained coordinates
	// Free sets u to the unconstrained coordinates of a draw x. Coordinates that the draw does not determine are random,
	// from the stream s.
	Free(x []float64, s *rng.Stream, u []float64) error
	LogF(u []float64) float64 // log of the unnormalised posterior density at u, with all constants
	Underdetermined() bool    // whether a draw leaves some coordinates undetermined
	Improper() string         // names of the parameters without a prior, "" if there are none
}

// ModeSearcher is implemented by programs that can search for modes without draws.
type ModeSearcher interface {
	// Unvisited searches for modes and returns the log of the posterior mass, before normalisation, around those modes
	// that have none of the points nearby; -Inf if there are no such modes. points is points x coordinates.
	Unvisited(points []float64) float64
}

// WithProgram returns options for reading draws from the posterior of program p. files are the files that define the
// program and its data, which the receipt lists.
func WithProgram(p Program, o external.Options, files []samples.File) external.Options {
	return o.WithDraws(p.Names(), files, func(s *samples.Set, methods []string, o external.Options, m *meter.Meter) (
		[]*external.Report, error) {
		return judge(p, s, methods, o, m)
	})
}

// posterior holds the draws in unconstrained coordinates.
type posterior struct {
	set     *samples.Set
	program Program
	names   []string // names of the numbers of a draw
	dim     int
	origin  []float64 // coordinates of the first draw; subtracted from all coordinates so that moments keep their precision
	chains  []drawChain
	sameAs  []int // by index of a draw in all chains together: index of the first draw that is equal to it
	// independent is set if the user asked to treat draws as independent.
	independent bool
}

// drawChain is a chain of n draws in unconstrained coordinates.
type drawChain struct {
	from   *samples.DrawChain
	n      int
	u      []float64 // draws x coordinates, minus the origin
	logF   []float64 // log density of each draw
	halves [2][]int  // indices, within the chain, of the draws of each half
}

// drawKey is the key of the random streams of this package.
var drawKey = rng.NewKey(1, "read", 0)

// Phases of random streams.
const (
	phaseFree = iota // undetermined coordinates of the draws
	phaseDraw        // phaseDraw + h: draws from the normal distribution that is fitted to half h
)

// newPosterior computes the coordinates and log densities of all draws and splits the draws into halves. It returns an
// error if there are too few draws, or if the program has no finite log density at one of them.
func newPosterior(p Program, s *samples.Set, o external.Options, m *meter.Meter) (*posterior, error) {
	drawCount := 0.
	for _, from := range s.Draws {
		drawCount += float64(len(from.Lines))
	}
	m.Expect(drawCount * drawOps)

	// Coordinates and log densities of the draws; find equal draws.
	d := &posterior{set: s, program: p, names: p.Names(), dim: p.Dim(),
		independent: o.Independent}
	firstIndex := map[string]int{}
	for c, from := range s.Draws {
		chain := drawChain{from: from, n: len(from.Lines)}
		if chain.n < minDraws {
			return nil, problem.New("%s has %d draws in a chain; needed are %d or more", from.File, chain.n, minDraws)
		}
		for i := range chain.n {
			stream := drawKey.Stream(phaseFree, uint32(c), uint32(i))
			if err := d.add(&chain, i, &stream); err != nil {
				return nil, err
			}
			if err := m.Did(drawOps); err != nil {
				return nil, err
			}
			key := bitsKey(d.draw(&chain, i))
			if _, exists := firstIndex[key]; !exists {
				firstIndex[key] = len(d.sameAs)
			}
			d.sameAs = append(d.sameAs, firstIndex[key])
		}
		d.chains = append(d.chains, chain)
	}

	// There must be enough draws to fit a normal distribution to half of them. A note says how many draws repeat.
	total := len(d.sameAs)
	if minTotal := 2 * (d.dim + 2); total < minTotal {
		return nil, problem.New("%d draws are too few for a normal distribution of %d coordinates, which half of them "+
			"fits; needed are %d or more", total, d.dim, minTotal)
	}
	if distinct := len(firstIndex); distinct < total {
		s.Notes = append(s.Notes, problem.New("%d of %d draws differ; those that repeat count as one with a weight", distinct,
			total))
	}
	return d, d.split()
}

// add appends the coordinates and the log density of the i-th draw of a chain to it.
func (d *posterior) add(chain *drawChain, i int, stream *rng.Stream) error {
	u := make([]float64, d.dim)
	if err := d.program.Free(d.draw(chain, i), stream, u); err != nil {
		return problem.New("%s, line %d: %w", chain.from.File, chain.from.Lines[i], err)
	}
	f := d.program.LogF(u)
	if !num.Finite(f) {
		return problem.New("%s, line %d: the log density of the program is %v at this draw; are they draws of another "+
			"program, or with other data?", chain.from.File, chain.from.Lines[i], f)
	}
	if d.origin == nil {
		d.origin = append(d.origin, u...)
	}
	for j := range u {
		u[j] -= d.origin[j]
	}
	chain.u, chain.logF = append(chain.u, u...), append(chain.logF, f)
	return nil
}

// draw returns the numbers of the i-th draw of a chain as they are in the file.
func (d *posterior) draw(chain *drawChain, i int) []float64 {
	return chain.from.X[i*len(d.names) : (i+1)*len(d.names)]
}

// point returns the coordinates of the i-th draw of a chain, minus the origin.
func (d *posterior) point(chain *drawChain, i int) []float64 { return chain.u[i*d.dim : (i+1)*d.dim] }

// bitsKey returns a map key that is the same for equal numbers.
func bitsKey(x []float64) string {
	var key []byte
	for _, v := range x {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	return string(key)
}

const (
	minDraws      = 8   // smallest number of draws in a chain
	drawOps       = 1e4 // approximate number of operations for a draw, for the progress
	repeatDivisor = 50  // draws may recur by chance in at most 1/repeatDivisor of all draws
)

// split divides each chain into two halves. If few draws recur, they are the first and the second half in time.
// Otherwise the draws were resampled by weights, in random order, and equal draws are put into the same half: if both
// halves contained them, the normal distribution would be fitted to draws of the half that it is compared with, and log
// Z would be biased low.
func (d *posterior) split() error {
	recurring, offset, hashes := 0, 0, map[int]uint32{} // hashes: by index of a distinct draw
	for c := range d.chains {
		chain := &d.chains[c]
		for i := range chain.n {
			index := offset + i
			first := d.sameAs[index]
			if first < index && (i == 0 || first != d.sameAs[index-1]) {
				recurring++
			}
			if first == index {
				hashes[index] = hashDraw(d.draw(chain, i))
			}
		}
		offset += chain.n
	}

	// Assign distinct draws to the halves alternately, in the order of their hashes.
	half := map[int]int{}
	for rank, index := range slices.SortedFunc(maps.Keys(hashes), func(a, b int) int {
		return cmp.Or(cmp.Compare(hashes[a], hashes[b]), a-b)
	}) {
		half[index] = rank % 2
	}

	// Split each chain by time, or by the halves of its distinct draws if many draws recur.
	offset = 0
	for c := range d.chains {
		chain := &d.chains[c]
		for i := range chain.n {
			halfIndex := half[d.sameAs[offset+i]]
			if recurring <= len(d.sameAs)/repeatDivisor { // draws recur by chance, for example because numbers are rounded
				halfIndex = min(2*i/chain.n, 1)
			}
			chain.halves[halfIndex] = append(chain.halves[halfIndex], i)
		}
		if min(len(chain.halves[0]), len(chain.halves[1])) < minDraws/2 {
			return problem.New("%s has too few draws that differ; needed are %d or more in a chain", chain.from.File, minDraws)
		}
		offset += chain.n
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

// bridge returns two estimates of log Z by bridge sampling. For estimate h, a normal distribution is fitted to half h
// of the draws, and the bridge uses the other half and as many draws from the normal distribution. If mirror is set,
// the target density at a point is replaced by the mean of the densities at the point and at its mirror image, with the
// mean of the normal distribution as the centre (Warp-III). It returns an error if the draws have no positive definite
// covariance.
func (d *posterior) bridge(mirror bool) (both [2]estimators.BridgeSolution, err error) {
	for h := range both {
		var fitPoints []float64
		for c := range d.chains {
			for _, i := range d.chains[c].halves[h] {
				fitPoints = append(fitPoints, d.point(&d.chains[c], i)...)
			}
		}
		q, ok := d.fitNormal(fitPoints)
		if !ok {
			return both, problem.New("the draws have no covariance to which a normal distribution could be fitted: a number "+
				"never changes, or two always change together; give %d or more draws that differ", 2*(d.dim+2))
		}

		// Log weights of the other half.
		var drawWeights [][]float64
		var normalWeights []float64
		for c := range d.chains {
			var w []float64
			for _, i := range d.chains[c].halves[1-h] {
				w = append(w, d.logWeight(q, mirror, d.point(&d.chains[c], i), d.chains[c].logF[i]))
			}
			drawWeights = append(drawWeights, w)
		}

		// Log weights of as many draws from the normal distribution.
		x := make([]float64, d.dim)
		for c, e := range drawWeights {
			for i := range e {
				s := drawKey.Stream(phaseDraw+uint32(h), uint32(c), uint32(i))
				q.DrawBase(&s, x)
				normalWeights = append(normalWeights, d.logWeight(q, mirror, x, d.logF(x)))
			}
		}
		both[h] = estimators.SolveBridge(drawWeights, normalWeights, func(series [][]float64) float64 { return d.seOfMean(series, 1-h) })
	}
	return both, nil
}

// fittedNormal is a normal density with its mean.
type fittedNormal struct {
	density.Density
	mean []float64
}

// fitNormal returns the normal density with the mean and covariance of points (points x coordinates); ok is false if
// the covariance is not positive definite.
func (d *posterior) fitNormal(points []float64) (q fittedNormal, ok bool) {
	n := len(points) / d.dim
	moments := density.Moments(points, nil, d.dim)
	for _, x := range moments[:d.dim] {
		q.mean = append(q.mean, x/float64(n))
	}
	q.Density, _, ok = density.Density{Dim: d.dim}.Refit(moments, n, 1, 0, 1)
	return q, ok
}

// logF returns the log density at coordinates relative to the origin.
func (d *posterior) logF(v []float64) float64 {
	u := make([]float64, len(v))
	for i, x := range v {
		u[i] = d.origin[i] + x
	}
	return d.program.LogF(u)
}

// logWeight returns log f(v)/q(v) at a point v, given logF = log f(v). If mirror is set, f(v) is averaged with the
// density at the mirror image of v. A weight that is not a number or infinite counts as 0, with logarithm -Inf.
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

// seOfMean returns the standard error of the mean of a quantity over one half of the draws. series has the quantity for
// each draw of that half, by chain. The result is the largest of three estimates: from the autocorrelation within
// chains; from repeated draws; and from the spread between chains, which counts only if its variance is more than
// minRatio times the larger of the first two or if there are manyChains chains.
func (d *posterior) seOfMean(series [][]float64, half int) float64 {
	count, mean := 0., 0.
	for _, x := range series {
		count += float64(len(x))
		mean += total(x)
	}
	mean /= count

	// The variance within and between chains, and the sums over equal draws.
	within, between := 0., 0.
	sums := make([]float64, len(d.sameAs))
	offset := 0
	for c, x := range series {
		n := float64(len(x))
		_, ofMean := external.Variances(x, d.independent)
		within += num.Mul(n*n, ofMean)
		deviation := total(x)/n - mean
		between += num.Mul(n*n, num.Mul(deviation, deviation))
		for i, index := range d.chains[c].halves[half] {
			sums[d.sameAs[offset+index]] += x[i] - mean
		}
		offset += d.chains[c].n
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
	return math.Sqrt(within) / count
}

// Conditions of seOfMean for the variance between chains.
const minRatio, manyChains = 4, 10

// total returns the sum of the values.
func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}
