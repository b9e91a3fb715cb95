package temper

import (
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// RTSStationary is RTS by the moves between rungs ([RTS] appendix G). A chain at rung k is moved there and then chooses
// its next rung, so
//
//	P_kl = mean of q(l|x) over the states x that moves at rung k led to
//
// estimates the transition matrix of the rung, and the stationary vector of P replaces c in eq. 12. The estimate does
// not depend on where the chains began, but treats the rung alone as a Markov chain. Rungs from which no chain moved
// get the mean of all rows. Until the run is over it reports the estimate of rts.
var RTSStationary = estimators.Info{
	Name: "rts-stationary", Label: "RTS by moves", Short: "tempering, moves", Path: estimators.Tempered,
	Provenance: estimators.OnRungs,
	About: "Rao-Blackwellized tempered sampling that counts the moves from rung to rung and computes how often each rung " +
		"is visited in the long run.",
	Params: Run.Params, Checks: Checks,
	Overlaps: true,
	Reads:    &Reader{Needs: []*Statistic{Conditionals, Overlap, Transitions}, Read: readStationary, CheckRungs: checkTransitionMemory},
}

// maxTransitions is the largest number of matrix entries kept for all rows.
const maxTransitions = 4_000_000

// checkTransitionMemory rejects runs whose matrices would take too much memory.
func checkTransitionMemory(rungs int, v spec.Values) error {
	var p runParams
	v.Fill(&p)
	rows := p.Chains
	if rows < minChains { // batches of sqrt n sweeps
		n := max(p.Sweeps, 1)
		rows *= (n + batchSize(n) - 1) / batchSize(n)
	}
	if rungs*rungs*rows > maxTransitions {
		return problem.New("rts-stationary keeps %d x %d numbers for each of %d rows of chains, more than %d in all; "+
			"use fewer chains or temperatures", rungs, rungs, rows, maxTransitions)
	}
	return nil
}

func readStationary(t *Record, _ spec.Values) *estimators.Result {
	k := len(t.Ladder)
	if len(t.Transitions) == 0 { // until the run is over
		return readRTS(t, nil)
	}
	p, from := transitionMatrix(t.Transitions, k)
	pi := stationary(p, k)
	z, levels := make([]float64, k), t.levels()
	for i := range z {
		z[i] = levels[i] + (num.Log(pi[i]) - num.Log(pi[0]))
	}
	res := t.fromRows(z, stationaryParts(t.Transitions, p, from, pi), nil)
	res.Overlap = t.Overlap
	t.occupancy(res, t.Conditionals)
	return res
}

// transitionMatrix returns the matrix P, and the number of moves from each rung.
func transitionMatrix(rows [][]float64, k int) (p, from []float64) {
	p, from = make([]float64, k*k), make([]float64, k)
	for _, row := range rows {
		add(p, row)
	}
	mean, all := make([]float64, k), 0.0
	for i := range k {
		add(mean, p[i*k:(i+1)*k])
		for _, x := range p[i*k : (i+1)*k] {
			from[i] += x
		}
		all += from[i]
	}
	for i := range k {
		for l := range k {
			if from[i] > 0 {
				p[i*k+l] /= from[i]
			} else {
				p[i*k+l] = mean[l] / all
			}
		}
	}
	return p, from
}

// stationary returns pi with pi P = pi, summing to 1, for a K x K transition matrix, by state elimination without
// subtractions ([Grassmann1985]), which keeps the relative accuracy of small entries.
func stationary(p []float64, k int) []float64 {
	a := slices.Clone(p)
	for n := k - 1; n > 0; n-- {
		sum := 0.0
		for l := range n {
			sum += a[n*k+l]
		}
		for i := range n {
			a[i*k+n] /= sum
			for l := range n {
				a[i*k+l] += num.Mul(a[i*k+n], a[n*k+l])
			}
		}
	}
	pi, total := make([]float64, k), 1.0
	pi[0] = 1
	for n := 1; n < k; n++ {
		for i := range n {
			pi[n] += num.Mul(pi[i], a[i*k+n])
		}
		total += pi[n]
	}
	for i := range pi {
		pi[i] /= total
	}
	return pi
}

// stationaryParts returns the influence of rows on log(pi_k/pi_1): to first order pi changes by pi dP (I - P + 1
// pi)^-1.
func stationaryParts(rows [][]float64, p, from, pi []float64) mbar.Influence {
	k := len(pi)
	z := make([]float64, k*k)
	for i := range k {
		for l := range k {
			z[i*k+l] = pi[l] - p[i*k+l]
		}
		z[i*k+i]++
	}

	// The first-order change of pi by the change of P in each row.
	out := make(mbar.Influence, len(rows))
	whole := num.Invert(z, k)
	for r, row := range rows {
		change, part := make([]float64, k), make([]float64, k)
		for i := range k {
			if from[i] == 0 {
				continue
			}
			n, moves := 0.0, row[i*k:(i+1)*k]
			for _, x := range moves {
				n += x
			}
			w := pi[i] / from[i]
			for l, x := range moves {
				change[l] += num.Mul(w, x-num.Mul(n, p[i*k+l]))
			}
		}

		// The change of log pi, relative to the first rung.
		for i, c := range change {
			for l := range part {
				part[l] += num.Mul(c, z[i*k+l])
			}
		}
		for l := range part {
			part[l] /= pi[l]
		}
		first := part[0]
		for l := range part {
			part[l] -= first
		}
		if out[r] = part; !whole {
			out[r] = nil
		}
	}
	return slices.DeleteFunc(out, func(u []float64) bool { return u == nil })
}
