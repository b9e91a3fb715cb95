package smc

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/models"
)

// posterior has what an island records for the moments of the posterior and for the second estimate of log Z, by the
// power posterior ([AISEL] eqs 9 to 11). All fields are 0 for smc and arm-tempered.
type posterior struct {
	Beta                           float64 // inverse temperature of the last recorded rung
	Slope, SlopeVariance           float64 // mean and variance over the particles of d log f/d beta at Beta
	PathLogZ, TrapezoidError       float64 // integral of Slope by the trapezoidal rule (nats), and its approximate error
	Tau                            float64 // sum of squared steps of beta (see Tau)
	AcceptanceSum, AcceptanceCount float64 // sum of the mean acceptance probabilities of moves, and their number
	Effective                      float64 // effective sample size at the top, before resampling there
	NoiseSum, NoisePairs           float64 // sum of squared differences of pairs of log estimates at posterior draws; their number
	// Three blocks: m = sum W x for all coordinates x, then sum W x^2, then sum (W (x - m) / (1 - W))^2.
	Sums []float64
}

// observeSlopes records d log f/d beta of the particles at a rung, given their log weights, and adds the trapezoid from
// the previous rung.
func (d *posterior) observeSlopes(beta float64, slope, logw []float64) {
	mean, square := 0., 0.
	for r, x := range slope {
		if w := num.Exp(logw[r]); w > 0 {
			mean += num.Mul(w, x)
		}
	}
	for r, x := range slope {
		if w := num.Exp(logw[r]); w > 0 {
			square += num.Mul(w, (x-mean)*(x-mean))
		}
	}
	if step := beta - d.Beta; beta > 0 {
		d.PathLogZ += num.Mul(step, float64((mean+d.Slope)/2))
		d.TrapezoidError += num.Mul(step*step, float64((square-d.SlopeVariance)/12))
		d.Tau += num.Mul(step, step)
	}
	d.Beta, d.Slope, d.SlopeVariance = beta, mean, square
}

// observeAcceptance records the mean acceptance probability of moves, NaN if there were none.
func (d *posterior) observeAcceptance(mean float64) {
	if num.NotNaN(mean) {
		d.AcceptanceSum += mean
		d.AcceptanceCount++
	}
}

// observeMoments records the moments of the n named numbers, or coordinates, of the particles.
func (d *posterior) observeMoments(n int, can models.RowCapabilities, logw []float64) {
	d.Sums = make([]float64, 3*n)
	for r, w := range logw {
		can.AddMoments(d.Sums[:n], d.Sums[n:2*n], r, num.Exp(w))
	}
	values, square := make([]float64, n), make([]float64, n)
	for r, w := range logw {
		w = num.Exp(w)
		clear(values)
		can.AddMoments(values, square, r, 1)
		for i, x := range values {
			e := num.Mul(w, x-d.Sums[i]) / (1 - w)
			d.Sums[2*n+i] += num.Mul(e, e)
		}
	}
}

// observeNoise records two estimates of the log likelihood at one draw from the posterior.
func (d *posterior) observeNoise(first, second float64) {
	e := first - second
	d.NoiseSum += num.Mul(e, e)
	d.NoisePairs++
}

// forPosterior are the hooks of aisel and is2. They set the proposals of the pilot and record the posterior.
type forPosterior struct{ *lane }

func (l forPosterior) begun()      { l.measure() }
func (l forPosterior) beforeMove() { l.propose() }
func (l forPosterior) afterMove()  { l.measure() }

func (l forPosterior) reweighted() {
	if l.Rung == l.top() {
		squares := 0.
		for _, w := range l.lw {
			squares += num.Exp(2 * w)
		}
		l.Posterior.Effective = stats.KishESS(1, squares)
	}
}

// measure records the slopes at the rung and the acceptance probability of the moves there.
func (l forPosterior) measure() {
	if p := l.v.Can.Points; p != nil {
		l.Posterior.observeAcceptance(p.AcceptanceRate())
	}
	slope := make([]float64, l.Size)
	if c := l.v.Can.Slopes; c != nil {
		c.SlopeAt(l.v.Rung, slope, l.a)
	} else {
		l.density(0, l.cur)
		l.density(l.top(), slope)
		for r, x := range l.cur {
			slope[r] -= x
		}
	}
	l.Posterior.observeSlopes(l.ladder[l.Rung], slope, l.lw)
}

// noiseDraws is the number of posterior draws of an island at which the noise of estimates is measured; purposeNoise is
// the purpose of their random numbers.
const noiseDraws, purposeNoise = 10, estimators.PurposeAugment + 1

// ended records the moments of the posterior, and the noise of estimates at particles drawn by weight.
func (l forPosterior) ended() {
	if !l.Last {
		l.measure()
	}
	if l.v.Can.AddMoments != nil {
		l.Posterior.observeMoments(models.AverageCount(l.Model, l.pop), l.v.Can, l.lw)
	}
	estimate := l.v.Can.Estimate
	if estimate == nil {
		return
	}
	at := l.at(l.Rung, purposeNoise)
	s := at.Row(0)
	resample.New("systematic").Counts(l.lw, noiseDraws, &s, l.counts)
	for r, n := range l.counts {
		for i := range n {
			at.Step = 1 + uint32(i)
			s := at.Row(r)
			l.Posterior.observeNoise(estimate(&s, r), estimate(&s, r))
			l.Evals += 2
		}
	}
}

// allReachedTop reports whether all islands have recorded the target (beta = 1). They may still move there (last).
func allReachedTop(records []*islandRecord) bool {
	return !slices.ContainsFunc(records, func(d *islandRecord) bool { return d.Posterior.Beta < 1 })
}

// addPosterior adds the moments of the posterior and its diagnostics. Means over islands are weighted by Zhat.
func (s *smc) addPosterior(res *estimators.Result, records []*islandRecord) {
	n := float64(len(records))
	z, power := make([]float64, len(records)), make([]float64, len(records))
	var rule, tau, chance, tried, noise, pairs, squares float64
	for j, d := range records {
		z[j], power[j] = num.Exp(d.LogZ-(res.LogZ-s.Model.LogZ0())), d.Posterior.PathLogZ
		rule += d.Posterior.TrapezoidError / n
		tau += d.Posterior.Tau / n
		chance += d.Posterior.AcceptanceSum
		tried += d.Posterior.AcceptanceCount
		noise += d.Posterior.NoiseSum
		pairs += d.Posterior.NoisePairs
		squares += num.Mul(z[j], z[j]) / d.Posterior.Effective
	}

	// Effective sample size, and log Z along the path.
	res.Diagnose(estimators.DiagESS, stats.KishESS(n, squares))
	if s.Moves == 0 { // one step
		tau = 1
	} else if len(s.ladder) > 2 { // one trapezoid is no estimate
		mean, v := stats.MeanVar(power)
		res.Diagnose(estimators.DiagLogZPower, mean+s.Model.LogZ0())
		res.Diagnose(estimators.DiagLogZPowerSE, math.Sqrt(v/n))
		res.Diagnose(estimators.DiagPowerRule, rule)
	}

	// Acceptance of moves, and the predicted loss by noise.
	res.Diagnose(estimators.DiagAcceptance, chance/tried)
	if pairs > 0 {
		sigma2 := noise / num.Mul(2, pairs)
		res.Diagnose(estimators.DiagNoise, sigma2)
		res.Diagnose(estimators.DiagTau, tau)
		res.Diagnose(estimators.DiagNoiseLoss, num.Exp(-num.Mul(tau, sigma2)))
	}
	if m := models.CapabilitiesOf(s.Model).Likelihood; m != nil {
		res.Diagnose(estimators.DiagInner, float64(m.Draws()))
	}

	// Moments of the posterior, with errors between islands.
	dim := len(records[0].Posterior.Sums) / 3
	for i := range dim {
		var m estimators.Moment
		for j, d := range records {
			m.Mean += num.Mul(z[j], d.Posterior.Sums[i]) / n
			m.SD += num.Mul(z[j], d.Posterior.Sums[dim+i]) / n
		}
		m.SD = math.Sqrt(max(m.SD-num.Mul(m.Mean, m.Mean), 0))
		m.SE = islandSE(records, z, m.Mean, i)
		if island := records[0]; len(records) == 1 && island.Resampled == 0 {
			// Particles that were never resampled are independent: [AISEL] eq. 8, sum W^2 (x - mean)^2, with the mean
			// of the other particles, because a heavy particle pulls the mean of all towards itself.
			m.SE = math.Sqrt(island.Posterior.Sums[2*dim+i])
		}
		res.Posterior = append(res.Posterior, m)
	}
}

// islandSE returns the standard error of the posterior mean of coordinate i, from independent islands with weights z
// ([AISEL] eq. 7). It is NaN for one island, because copies of particles are not independent.
func islandSE(records []*islandRecord, z []float64, mean float64, i int) (se float64) {
	n := float64(len(records))
	for j, d := range records {
		e := num.Mul(z[j], d.Posterior.Sums[i]-mean)
		se += num.Mul(e, e)
	}
	return math.Sqrt(se / num.Mul(n, n-1))
}
