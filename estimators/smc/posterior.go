package smc

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/stats"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// posterior holds an island's sums for the power posterior; all 0 where nobody wants it.
type posterior struct {
	beta, slope, curve float64 // of the last measurement, with the mean and variance of d log f/d beta there
	power, rule        float64 // its integral by trapezoids, and about their error
	tau                float64 // of the rungs passed
	chance, tried      float64 // sum of mean acceptances, and their number
	effective          float64 // sample size at the end, before particles are resampled there
	noise, pairs       float64 // sum of squared differences of pairs of estimates at posterior draws, and their number
	// Of each coordinate x of the posterior the mean m = sum W x, then sum W x^2, and sum (W (x - m) / (1 - W))^2.
	sums []float64
}

func (d *posterior) numbers() []*float64 {
	return []*float64{&d.beta, &d.slope, &d.curve, &d.power, &d.rule, &d.tau, &d.chance, &d.tried,
		&d.effective, &d.noise, &d.pairs}
}

func (d *posterior) append(w *wire.Writer) {
	for _, x := range d.numbers() {
		w.Float(*x)
	}
	w.Floats(d.sums)
}

func readPosterior(r *wire.Reader) (d posterior) {
	for _, x := range d.numbers() {
		*x = r.Float()
	}
	d.sums = r.Floats()
	return d
}

// measure takes the mean and variance of d log f/d beta at a rung, and the trapezoid from the rung before.
func (l *lane) measure() {
	if !l.givesPosterior {
		return
	}
	if p, ok := l.pop.(models.Steered); ok {
		if a := p.Accepted(); num.Known(a) {
			l.chance += a
			l.tried++
		}
	}

	// The slope at each particle.
	beta := l.ladder[l.rung]
	slope := make([]float64, l.Size)
	if c, ok := l.pop.(models.Curved); ok {
		c.Slope(l.v.Rung, slope, l.a)
	} else {
		l.density(0, l.cur)
		l.density(len(l.ladder)-1, slope)
		for r, x := range l.cur {
			slope[r] -= x
		}
	}

	// Mean and variance by weight.
	mean, square := 0., 0.
	for r, x := range slope {
		if w := num.Exp(l.lw[r]); w > 0 {
			mean += num.Mul(w, x)
		}
	}
	for r, x := range slope {
		if w := num.Exp(l.lw[r]); w > 0 {
			square += num.Mul(w, (x-mean)*(x-mean))
		}
	}

	// The trapezoid, and the correction of its rule.
	if d := beta - l.beta; l.rung > 0 {
		l.power += num.Mul(d, float64((mean+l.slope)/2))
		l.rule += num.Mul(d*d, float64((square-l.curve)/12))
		l.tau += num.Mul(d, d)
	}
	l.beta, l.slope, l.curve = beta, mean, square
}

// looks is the number of posterior draws of an island at which the noise of estimates is measured; purposeLook is the
// purpose of their random numbers.
const looks, purposeLook = 10, estimators.PurposeAugment + 1

// count takes the effective sample size.
func (l *lane) count() {
	if !l.givesPosterior {
		return
	}
	squares := 0.
	for _, w := range l.lw {
		squares += num.Exp(2 * w)
	}
	l.effective = stats.ESS(1, squares)
}

// judge takes the posterior and the noise of estimates at the end.
func (l *lane) judge() {
	if !l.givesPosterior {
		return
	}

	// Moments of the named numbers, or of the coordinates.
	if p, ok := l.pop.(models.Averaged); ok {
		d := models.Averages(l.Model, l.pop)
		l.sums = make([]float64, 3*d)
		for r, w := range l.lw {
			p.AddTo(l.sums[:d], l.sums[d:2*d], r, num.Exp(w))
		}
		one, square := make([]float64, d), make([]float64, d)
		for r, w := range l.lw {
			w = num.Exp(w)
			clear(one)
			p.AddTo(one, square, r, 1)
			for i, x := range one {
				e := num.Mul(w, x-l.sums[i]) / (1 - w)
				l.sums[2*d+i] += num.Mul(e, e)
			}
		}
	}

	// The noise of likelihoods, by pairs of estimates at particles drawn by weight.
	e, ok := l.pop.(models.Estimated)
	if !ok {
		return
	}
	at := l.at(l.rung, purposeLook)
	s := at.Row(0)
	resample.New("systematic").Counts(l.lw, looks, &s, l.counts)
	for r, n := range l.counts {
		for i := range n {
			at.Step = 1 + uint32(i)
			s := at.Row(r)
			d := e.Estimate(&s, r) - e.Estimate(&s, r)
			l.noise += num.Mul(d, d)
			l.pairs++
			l.evals += 2
		}
	}
}

// measured reports whether islands have come to the end of the last rung, where they may still move (last).
func measured(known []*islandRecord) bool {
	return !slices.ContainsFunc(known, func(d *islandRecord) bool { return d.beta < 1 })
}

// addPosterior adds what the islands tell of the posterior. Sums over islands are weighted by their Zhat.
func (s *smc) addPosterior(res *estimators.Result, known []*islandRecord) {
	n := float64(len(known))
	z, power := make([]float64, len(known)), make([]float64, len(known))
	var rule, tau, chance, tried, noise, pairs, squares float64
	for j, d := range known {
		z[j], power[j] = num.Exp(d.logZ-(res.LogZ-s.Model.LogZ0())), d.power
		rule += d.rule / n
		tau += d.tau / n
		chance += d.chance
		tried += d.tried
		noise += d.noise
		pairs += d.pairs
		squares += num.Mul(z[j], z[j]) / d.effective
	}

	// Effective samples, and log Z along the path.
	res.Diagnose(estimators.DiagESS, stats.ESS(n, squares))
	if s.moves == 0 { // one step
		tau = 1
	} else if len(s.ladder) > 2 { // one trapezoid tells nothing
		mean, v := stats.MeanVar(power)
		res.Diagnose(estimators.DiagLogZPower, mean+s.Model.LogZ0())
		res.Diagnose(estimators.DiagLogZPowerSE, math.Sqrt(v/n))
		res.Diagnose(estimators.DiagPowerRule, rule)
	}

	// Acceptance of moves, and the price of noise.
	res.Diagnose(estimators.DiagAcceptance, chance/tried)
	if pairs > 0 {
		sigma2 := noise / num.Mul(2, pairs)
		res.Diagnose(estimators.DiagNoise, sigma2)
		res.Diagnose(estimators.DiagTau, tau)
		res.Diagnose(estimators.DiagNoiseLoss, num.Exp(-num.Mul(tau, sigma2)))
	}
	if m, ok := s.Model.(models.Refined); ok {
		res.Diagnose(estimators.DiagInner, float64(m.Draws()))
	}

	// Moments of the posterior, with errors between islands.
	dim := len(known[0].sums) / 3
	for i := range dim {
		var m estimators.Moment
		for j, d := range known {
			m.Mean += num.Mul(z[j], d.sums[i]) / n
			m.SD += num.Mul(z[j], d.sums[dim+i]) / n
		}
		m.SD = math.Sqrt(max(m.SD-num.Mul(m.Mean, m.Mean), 0))
		m.SE = byIslands(known, z, m.Mean, i)
		if only := known[0]; len(known) == 1 && only.resampled == 0 {
			// Particles that were never resampled are independent: [AISEL] eq 8, sum W^2 (x - mean)^2. Each x is
			// compared with the mean of the other particles, as a heavy one pulls the mean of all to itself.
			m.SE = math.Sqrt(only.sums[2*dim+i])
		}
		res.Posterior = append(res.Posterior, m)
	}
}

// byIslands is the standard error of the posterior mean of coordinate i from independent islands, which have weights z:
// NaN for one island, as copies of particles are not independent.
func byIslands(known []*islandRecord, z []float64, mean float64, i int) (se float64) {
	n := float64(len(known))
	for j, d := range known {
		e := num.Mul(z[j], d.sums[i]-mean)
		se += num.Mul(e, e)
	}
	return math.Sqrt(se / num.Mul(n, n-1))
}
