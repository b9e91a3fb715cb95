package density

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Size of the tuning run that finds the steps of a Space: points of the grid of beta, chains, and transitions of a
// chain at each point.
const (
	tuneGrid   = 17
	tuneChains = 16
	tuneMoves  = 60 // transitions
)

// hmcLeaps is the mean number of leapfrog steps of hmc, and the initial one of the tuning run.
const hmcLeaps = 3

// tuned is the result of the tuning run at each point of its grid.
type tuned struct {
	precision [tuneGrid]float64 // step^-2
	leaps     [tuneGrid]int
}

// StepAt returns the step of the kernel at beta, and the mean number of leapfrog steps at the nearest grid point.
func (m *Space) StepAt(beta float64) (step float64, leaps int) {
	switch {
	case m.k.Step != nil:
		return m.k.Step(beta), m.k.Leaps
	case m.k.Name == "ess": // ess has no step
		return 1, 0
	}
	t := m.tuning.Get(m.findSteps)
	i := 0
	for i < tuneGrid-2 && beta > tuneBeta(i+1) {
		i++
	}
	lo, hi := tuneBeta(i), tuneBeta(i+1)
	nearest := i
	if beta-lo > hi-beta {
		nearest = i + 1
	}
	return 1 / math.Sqrt(t.precision[i]+num.Mul((beta-lo)/(hi-lo), t.precision[i+1]-t.precision[i])), t.leaps[nearest]
}

// tuneBeta returns point g of the grid, which is denser near 0, where narrow targets change fastest.
func tuneBeta(g int) float64 { return float64(float64(g*g) / ((tuneGrid - 1) * (tuneGrid - 1))) }

// findSteps makes the tuning run. At each beta it adapts log step by stochastic approximation ([Robbins1951]) with
// gains 2 t^-0.6 and averages log step over the second half of the transitions. The initial step is proportional to the
// spread of the base. If the number of leapfrog steps is tuned too, the step is adapted again to the chosen number.
func (m *Space) findSteps() *tuned {
	t := new(tuned)

	// Target acceptance rate.
	target, k := 0.234, m.k
	if m.d.Dim < 3 {
		target = 0.44
	}
	switch m.k.Name {
	case "hmc", "hmc_tuned":
		target = 0.65
	case "slice": // tuned as mh: the step is then about the spread of a coordinate
		k.Name = "mh"
	}

	// Chains of the tuning run, and the initial step.
	p := (&Space{info: m.info, d: m.d, k: k}).rows(tuneChains)
	if k.Leaps == 0 {
		p.meanLeaps = hmcLeaps
	}
	at := rng.At{Key: rng.NewKey(0, "pilot", m.d.Dim)}
	noise := at.Key.Stream(1, 0, 0)
	p.commonNoise = &noise
	p.Draw(at)
	logStep := num.Log(rms(p.x)) - num.Mul(0.25, num.Log(float64(m.d.Dim)))

	// Tune each beta, starting from the previous step.
	for g := range t.precision {
		beta := tuneBeta(g)
		logStep = p.adapt(&at, beta, logStep, target)
		if m.k.Leaps == 0 {
			p.meanLeaps = p.bestLeaps(&at, beta, num.Exp(logStep))
			logStep = p.adapt(&at, beta, logStep, target)
		}
		t.precision[g], t.leaps[g] = num.Exp(-num.Mul(2, logStep)), p.meanLeaps
	}
	return t
}

// adapt adapts log step at beta to the target acceptance rate and returns its mean over the second half of the
// transitions.
func (p *pointRows) adapt(at *rng.At, beta, logStep, target float64) float64 {
	mean := 0.0
	for t := 1; t <= tuneMoves; t++ {
		at.Step++
		step, sum := num.Exp(logStep), 0.0
		for r := range tuneChains {
			s := at.Row(r)
			p.move(p, &s, r, beta, step)
			sum += acceptProb(p.logAccept)
		}
		logStep += num.Mul(2*num.Exp(-num.Mul(0.6, num.Log(float64(t)))), float64(sum/tuneChains)-target)
		if t > tuneMoves/2 {
			mean += logStep
		}
	}
	return mean / (tuneMoves / 2)
}

// bestLeaps returns the mean number of leapfrog steps, among powers of 2 up to 32, with the largest expected squared
// jump per gradient. A proposal at distance d that is accepted with probability a contributes a d^2.
func (p *pointRows) bestLeaps(at *rng.At, beta, step float64) (best int) {
	largest := 0.0
	before := make([]float64, p.m.d.Dim)
	for leaps := 1; leaps <= 32; leaps *= 2 {
		p.meanLeaps = leaps
		jump := 0.0
		for range tuneMoves / 4 {
			at.Step++
			for r := range tuneChains {
				s := at.Row(r)
				copy(before, p.row(r))
				p.move(p, &s, r, beta, step)
				if a := acceptProb(p.logAccept); a > 0 { // otherwise the proposal may be NaN
					for i, x := range p.proposal {
						jump += num.Mul(a, (x-before[i])*(x-before[i]))
					}
				}
			}
		}
		if jump /= float64(leaps + 1); jump > largest || best == 0 {
			best, largest = leaps, jump
		}
	}
	return best
}

// rms returns the root mean square of x, or 1 if it is 0 or not finite.
func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += num.Mul(v, v)
	}
	if s := math.Sqrt(sum / float64(len(x))); s > 0 && num.Finite(s) {
		return s
	}
	return 1
}
