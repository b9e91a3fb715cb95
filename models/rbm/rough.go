package rbm

import (
	"bytes"
	"slices"
	"sync"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/models"
)

// A sequence fitted to samples. With units i > n absent, the marginal of the target over x_1..x_n and h has the factor
// exp(sum_{i>n} B_i(h)), B_i(h) = softplus(c_i + W_i h), whereas f_n has exp(sum_{i>n} a_i.h). Particles must
// compensate for the residuals r_i(h) = B_i(h) - a_i.h by weights and moves. So
//
//   - a_i is the ridge regression of B_i on h over samples of the target, which shrinks to W_i times the base rate,
//     and equals it if there are too few samples for the number of hidden units, and
//   - units are ordered from the last one to the first: each time the one that minimises the variance of sum_{i>n}
//     r_i(h) over the samples, so that residuals cancel.
//
// The samples need not be exact, because the last density of any sequence is the target. They should cover all modes of
// the target, including those of small weight. Most chains therefore start from random hidden units, and the samples
// are not weighted.

// Sizes of a run for approximate samples, in models.RoughLanes lanes.
const (
	roughChains      = 16 // chains of a lane
	roughSteps       = 300
	roughMinSamples  = 2  // smallest number of samples of a chain; the last is from its last sweep
	roughMaxSamples  = 10 // largest number of samples of a chain
	roughSpacing     = 5  // sweeps between two samples of a chain
	roughAnnealEvery = 3  // every third lane is annealed, the others start from random hidden units

	samplesPerUnit = 16 // samples for each hidden unit that a regression needs

	orderWork = 2e9 // largest number of multiplications of balancedOrder: above 2,282 units it uses fewer samples
)

// samplesPerChain returns the number of samples of a chain that the regression needs. If that is more than
// roughMaxSamples, there is no regression, and roughMinSamples are enough.
func (m *Model) samplesPerChain() int {
	chains := models.RoughLanes * roughChains
	if n := (samplesPerUnit*m.J + chains - 1) / chains; n <= roughMaxSamples {
		return max(n, roughMinSamples)
	}
	return roughMinSamples
}

// RoughSamples runs the chains of a lane for roughSteps sweeps, annealed in even steps from the base rates, or at the
// target from random hidden units. It returns the hidden units of all samples, encoded as bits.
func (m *Model) RoughSamples(lane int) []byte {
	// The word "trial" selects the random numbers. A different word would change results.
	at := rng.At{Key: rng.NewKey(0, "trial", m.M), Slot: uint32(lane * roughChains)}
	annealed := lane%roughAnnealEvery == 0
	rows := kernel.NewRows(m.net, roughChains)
	for r := range roughChains {
		s := at.Row(r)
		v, h, _, _ := rows.Row(r)
		start, p := h, func(int) float64 { return .5 }
		if annealed {
			start, p = v, func(i int) float64 { return num.Sigmoid(float64(m.net.Base[i])) }
		}
		for i := range start {
			if s.Float64() < p(i) {
				start[i] = 1
			}
		}
		rows.Rebuild(r)
	}

	// Samples are taken from the last sweeps.
	var w wire.Writer
	for step := 1; step <= roughSteps+(m.samplesPerChain()-1)*roughSpacing; step++ {
		beta := 1.0
		if annealed {
			beta = min(float64(step)/roughSteps, 1)
		}
		for r := range roughChains {
			rows.Scale[r], rows.BaseScale[r] = float32(num.Mul(beta, m.unit)), float32(1-beta)
		}
		at.Step++
		rows.Sweep(at, 0, roughChains, m.M, !annealed)
		if late := step - roughSteps; late >= 0 && late%roughSpacing == 0 {
			for r := range roughChains {
				_, h, _, _ := rows.Row(r)
				w.Bits(h)
			}
		}
	}
	return w.B
}

// fittedSequence caches the sequence fitted to the latest samples; all lanes of a run in one process share it.
type fittedSequence struct {
	mu      sync.Mutex
	samples []byte
	last    *sequence

	fittedLogZ []float64 // exact log Z_n of the sequence, nil if unknown
}

// FillSampled returns the sequence fitted to the samples of all lanes.
func (m *Model) FillSampled(lanes [][]byte) models.Sequence {
	samples := bytes.Join(lanes, nil)
	m.seq.mu.Lock()
	defer m.seq.mu.Unlock()
	if m.seq.last == nil || !bytes.Equal(samples, m.seq.samples) {
		in := wire.Reader{B: samples}
		h := make([][]uint8, models.RoughLanes*roughChains*m.samplesPerChain())
		for s := range h {
			h[s] = make([]uint8, m.J)
			in.Bits(h[s])
		}
		m.seq.samples, m.seq.last = samples, m.fitSequence(h)
		m.seq.last.logZ = m.seq.fittedLogZ
	}
	return m.seq.last
}

// fitSequence returns the sequence fitted to samples of the hidden units, each of length J: the fills a_i, the order,
// and the stages without moves.
func (m *Model) fitSequence(samples [][]uint8) *sequence {
	h := unitsOn(samples)
	var g *regression
	if len(h) >= samplesPerUnit*m.J {
		g = newRegression(h, m.J)
	}

	// The residual of each unit after its fill, a regression on the hidden units.
	fills := make([]float64, m.M*m.J)
	residuals, influence := make([][]float64, m.M), make([]float64, m.M)
	for i := range m.M {
		w := m.w[i*m.J : (i+1)*m.J]
		r := make([]float64, len(h))
		meanRate := 0.0
		for s, x := range h {
			sum := int64(m.c[i])
			for _, j := range x {
				sum += int64(w[j])
			}
			f, slope := num.SoftplusSlope(num.Mul(float64(sum), m.unit))
			r[s] = f
			meanRate += slope
		}
		meanRate /= float64(len(h))
		fill := fills[i*m.J : (i+1)*m.J]
		for j, w := range w {
			u := num.Mul(float64(w), m.unit)
			fill[j] = num.Mul(u, m.rates[i])
			influence[i] += num.Mul(u, u)
		}
		influence[i] *= num.Mul(meanRate, 1-meanRate)
		if g != nil {
			g.refine(fill, r)
		} else {
			subtractFit(h, fill, r)
		}
		residuals[i] = r
		meter.Pulse(float64(len(h)) * float64(m.J+pulseSoftplus))
	}

	// The order in which residuals cancel.
	s := &sequence{}
	s.setOrder(m, balancedOrder(residuals))
	s.packFill(func(u, j int) float64 { return fills[u*m.J+j] / m.unit })

	// Skip the moves of a stage while the units added since the last moves have little influence.
	s.skips = make([]bool, m.M)
	unmovedInfluence := 0.0
	for n := 1; n < m.M; n++ {
		unmovedInfluence += influence[s.order[n-1]]
		if s.skips[n] = unmovedInfluence < moveThreshold; !s.skips[n] {
			unmovedInfluence = 0
		}
	}
	return s
}

// unitsOn lists the units that are on in each sample: sums over lists avoid unpredictable branches.
func unitsOn(samples [][]uint8) [][]int32 {
	lists := make([][]int32, len(samples))
	for s, x := range samples {
		for j, on := range x {
			if on != 0 {
				lists[s] = append(lists[s], int32(j))
			}
		}
	}
	return lists
}

// pulseSoftplus is the cost of a softplus and a sigmoid, in units of other operations.
const pulseSoftplus = 40

// moveThreshold is the total influence p (1-p) |W_i|^2 of new units, in nats^2, after which particles are moved. It is
// the variance that they add to the inputs of all hidden units.
const moveThreshold = 1

// regression is the ridge regression of functions of h on h over samples.
type regression struct {
	h    [][]int32 // units that are on in each sample
	mean []float64 // sample mean of h
	chol []float64 // Cholesky factor of cov(h) + ridge I, ridge = J/(4S): the variance of a unit is at most 1/4
}

// newRegression returns the regression for samples h of a layer of units units. The ridge makes it positive definite.
func newRegression(h [][]int32, units int) *regression {
	g := &regression{h: h, mean: make([]float64, units), chol: make([]float64, units*units)}
	n := float64(len(h))
	for _, x := range h {
		for i, j := range x {
			g.mean[j]++
			row := g.chol[int(j)*units:]
			for _, k := range x[:i+1] {
				row[k]++
			}
		}
	}
	for j := range g.mean {
		g.mean[j] /= n
	}
	for j := range units {
		for k := range j + 1 {
			g.chol[j*units+k] = g.chol[j*units+k]/n - num.Mul(g.mean[j], g.mean[k])
		}
		g.chol[j*units+j] += float64(units) / (4 * n)
	}
	num.Cholesky(g.chol, units, nil) // positive definite because of the ridge
	return g
}

// refine adds to a the regression of y - a.h on h, and replaces y by the centred residual.
func (g *regression) refine(a, y []float64) {
	subtractFit(g.h, a, y)
	cov := make([]float64, len(a))
	for s, x := range g.h {
		for _, j := range x {
			cov[j] += y[s]
		}
	}
	for j := range cov { // y has mean 0
		cov[j] /= float64(len(g.h))
	}
	num.SolveLower(g.chol, len(a), cov)
	num.SolveUpperT(g.chol, len(a), cov)
	for j, x := range cov {
		a[j] += x
	}
	subtractFit(g.h, cov, y)
}

// subtractFit subtracts a.h and then the mean from y.
func subtractFit(h [][]int32, a, y []float64) {
	mean := 0.0
	for s, x := range h {
		residual := y[s]
		for _, j := range x {
			residual -= a[j]
		}
		y[s] = residual
		mean += residual
	}
	mean /= float64(len(y))
	for s := range y {
		y[s] -= mean
	}
}

// balancedOrder returns an order of the units such that, after every place in the order, the sum of the residuals of
// the later units varies little over the samples. residuals holds a row of centred residuals for each unit. The order
// is built from the last place to the first: the next unit is the one with the smallest |sum + residual|^2, where sum
// is the sum of the residuals of the units chosen before.
func balancedOrder(residuals [][]float64) []int32 {
	residuals = subsample(residuals)
	remaining, cost := make([]int32, len(residuals)), make([]float64, len(residuals))
	for i, r := range residuals {
		remaining[i], cost[i] = int32(i), num.Dot(r, r)
	}
	order := make([]int32, 0, len(residuals))
	for len(remaining) > 0 {
		best := 0
		for k, u := range remaining {
			if cost[u] < cost[remaining[best]] {
				best = k
			}
		}
		chosen := remaining[best]
		remaining = append(remaining[:best], remaining[best+1:]...)
		order = append(order, chosen)

		// Add the cross term of the new unit to the cost of all others.
		added := residuals[chosen]
		k := 0
		for ; k+4 <= len(remaining); k += 4 { // |sum + lack_u|^2 has the term 2 lack_u.sum
			u := remaining[k : k+4]
			d0, d1, d2, d3 := num.Dot4(added, residuals[u[0]], residuals[u[1]], residuals[u[2]], residuals[u[3]])
			for i, d := range [4]float64{d0, d1, d2, d3} {
				cost[u[i]] += num.Mul(2, d)
			}
		}
		for _, u := range remaining[k:] {
			cost[u] += num.Mul(2, num.Dot(added, residuals[u]))
		}
		meter.Pulse(float64(len(remaining)) * float64(len(added)))
	}
	slices.Reverse(order)
	return order
}

// subsample returns as many samples of every row as orderWork allows, the same for all rows.
func subsample(residuals [][]float64) [][]float64 {
	n, rows := len(residuals[0]), float64(len(residuals))
	maxSamples := int(orderWork * 2 / (rows * rows))
	if maxSamples >= n {
		return residuals
	}
	out := make([][]float64, len(residuals))
	for i, r := range residuals {
		for k := range max(maxSamples, 1) {
			out[i] = append(out[i], r[k*n/max(maxSamples, 1)])
		}
	}
	return out
}
