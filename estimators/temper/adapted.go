package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators"
)

// adaptedWeights is log Zhat as one island adapts it. After each sweep, with c_k the mean of q(k|x) over its chains,
//
//	log Zhat_k += gain c_k/(K r_k),  then minus the base's  ([RTS] eq. 19),
//
// where r is the prior over rungs. The gain is the number of nats by which a rung rises if all chains are there. Every
// method first fills the ladder: log Zhat starts at 0, and chains pass a rung only when log Zhat of the rungs above and
// below is close to their log Z. log Zhat of the top is a sum of differences between rungs, and a sweep adds at most
// the gain to it. So the gain rises until no rung is starved, and is then halved each time that no rung is starved
// again, down to the first gain of the method.
type adaptedWeights struct {
	zhat      []float64 // log Zhat, 0 at the base
	occupancy []float64 // sums of c_k/(K r_k) over the sweeps counted
	counted   int
	sweeps    int
	gain      float64
	period    int
	since     int       // sweeps since the gain first had the method's first value
	relaxed   float64   // sum of gain/K over these sweeps: the error that filling left in log Zhat falls as e^-relaxed
	fallsFrom int       // value of since at which the gain began to fall as 1/sweeps, if it has
	t0        float64   // t0 of wangLandau
	half      float64   // log Zhat of the target half-way
	guesses   []float64 // log Zhat after certain numbers of sweeps: see nextGuess
}

// Periods of the gain.
const (
	rising    = iota // the gain rises until no rung is starved
	levelling        // the gain is halved down to the method's first value
	searching        // the method sets the gain, until the rungs are visited evenly
	falling          // the gain falls as 1/sweeps: log Zhat settles
)

const (
	gainRise     = .25 // nats by which the gain rises with each sweep
	starvedBelow = .2  // a rung is starved below this fraction of the mean occupancy
	flatWithin   = .2  // largest relative distance of an evenly visited rung from the mean occupancy
)

func newAdaptedWeights(rungs int) *adaptedWeights {
	return &adaptedWeights{zhat: make([]float64, rungs), occupancy: make([]float64, rungs), gain: gainRise}
}

// update moves log Zhat after a sweep, and then the gain. c holds the shares of the chains over K r_k; for uniform r
// they sum to 1.
func (l *adaptedWeights) update(c []float64, rule gainRule, chains int) {
	for k, x := range c {
		l.zhat[k] += num.Mul(l.gain, x)
		l.occupancy[k] += x
	}
	base := l.zhat[0]
	for k := range l.zhat {
		l.zhat[k] -= base
	}
	l.sweeps++
	l.counted++
	if l.period < searching {
		l.fill(rule)
		return
	}
	l.since++
	l.relaxed += l.gain / float64(len(c))
	rule.next(l, chains)
}

// fill updates the gain while the ladder is being filled.
func (l *adaptedWeights) fill(rule gainRule) {
	switch low, _ := l.extremes(); {
	case low >= starvedBelow:
		l.empty()
		l.period = levelling
		if l.gain /= 2; l.gain <= rule.first {
			l.gain, l.period = rule.first, searching
		}
	case l.period == rising:
		l.gain += gainRise
	}
}

// extremes returns the smallest and the largest c_k/r_k over the counted sweeps.
func (l *adaptedWeights) extremes() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range l.occupancy {
		low, high = min(low, x), max(high, x)
	}
	scale := float64(len(l.occupancy)) / float64(l.counted)
	return num.Mul(low, scale), num.Mul(high, scale)
}

func (l *adaptedWeights) empty() {
	l.counted = 0
	for k := range l.occupancy {
		l.occupancy[k] = 0
	}
}

// isFlat reports whether the counted sweeps visited all rungs evenly.
func (l *adaptedWeights) isFlat() bool {
	low, high := l.extremes()
	return low >= 1-flatWithin && high <= 1+flatWithin
}

// fall begins the last period. t0 is the constant of wangLandau.
func (l *adaptedWeights) fall(t0 float64) {
	l.period, l.fallsFrom, l.t0 = falling, l.since, t0
	l.empty()
}

// gainRule is how a method lowers the gain: the first value (nats), and the update after each sweep.
type gainRule struct {
	first float64
	next  func(l *adaptedWeights, chains int)
}

// nextGuess returns the number of sweeps after which log Zhat is stored for pictures, after it was stored at s: 1, 2,
// 4, 7, 11, 17, 26 and so on, growing by half.
func nextGuess(s int) int { return s + s/2 + 1 }

func (l *adaptedWeights) Append(w *wire.Writer) {
	for _, x := range [...]int{l.counted, l.sweeps, l.period, l.since, l.fallsFrom} {
		w.Int(x)
	}
	for _, x := range [...]float64{l.gain, l.relaxed, l.t0, l.half} {
		w.Float(x)
	}
	w.Floats(l.zhat)
	w.Floats(l.occupancy)
	w.Floats(l.guesses)
}

func readAdaptedWeights(r *wire.Reader) *adaptedWeights {
	l := &adaptedWeights{counted: r.Int(), sweeps: r.Int(), period: r.Int(), since: r.Int(), fallsFrom: r.Int(), gain: r.Float(),
		relaxed: r.Float(), t0: r.Float(), half: r.Float(), zhat: r.Floats(), occupancy: r.Floats(), guesses: r.Floats()}
	estimators.MustDecode(r)
	return l
}
