package temper

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators"
)

// adapted is log Zhat as one island adapts it. After a sweep of its chains, c_k the mean of their q(k|x),
//
//	log Zhat_k += gain c_k/(K r_k),  then minus the base's  ([RTS] eq. 19),
//
// r the prior over rungs. The gain is the nats by which a rung rises that holds all chains. First it fills the ladder,
// whatever the method: log Zhat starts at 0, and a rung is passed only when those above and below are as high as their
// log Z. The top's log Zhat is a sum of differences between rungs, and a sweep adds at most the gain to it, so the gain
// rises until no rung is starved, and is then halved each time that no rung is starved again, down to the method's
// first gain.
type adapted struct {
	zhat      []float64 // log Zhat, 0 at the base
	occupancy []float64 // sums of c_k/(K r_k) over the sweeps counted
	counted   int
	sweeps    int
	gain      float64
	period    int
	since     int       // sweeps since the method's first gain
	relaxed   float64   // the sum of gain/K over them: the error left in log Zhat by filling falls as e^-relaxed
	fallsFrom int       // that sweep, by since, at which the gain began to fall as 1/sweeps, if it has
	t0        float64   // of wangLandau
	half      float64   // log Zhat of the target half-way
	guesses   []float64 // log Zhat after some numbers of sweeps, see nextGuess
}

// Periods of the gain.
const (
	rising    = iota // the gain rises until no rung is starved
	levelling        // and is halved down to the method's first
	searching        // the method's gain, until the rungs are visited evenly
	falling          // the gain falls as 1/sweeps: log Zhat settles
)

const (
	gainRise = .25 // by which the gain rises with each sweep, in nats
	starved  = .2  // of the mean occupancy, below which a rung is starved
	flat     = .2  // largest distance of a rung from the mean occupancy, as a share of it
)

func newAdapted(rungs int) *adapted {
	return &adapted{zhat: make([]float64, rungs), occupancy: make([]float64, rungs), gain: gainRise}
}

// update moves log Zhat after a sweep, and then the gain. c are the shares of the chains over K r_k; for uniform r they
// sum to 1.
func (l *adapted) update(c []float64, rule gainRule, chains int) {
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

// fill moves the gain while the ladder is filled.
func (l *adapted) fill(rule gainRule) {
	switch low, _ := l.extremes(); {
	case low >= starved:
		l.empty()
		l.period = levelling
		if l.gain /= 2; l.gain <= rule.first {
			l.gain, l.period = rule.first, searching
		}
	case l.period == rising:
		l.gain += gainRise
	}
}

// extremes are the smallest and the largest c_k/r_k of the sweeps counted.
func (l *adapted) extremes() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range l.occupancy {
		low, high = min(low, x), max(high, x)
	}
	scale := float64(len(l.occupancy)) / float64(l.counted)
	return num.Mul(low, scale), num.Mul(high, scale)
}

func (l *adapted) empty() {
	l.counted = 0
	for k := range l.occupancy {
		l.occupancy[k] = 0
	}
}

// isFlat reports whether the sweeps counted visited all rungs evenly.
func (l *adapted) isFlat() bool {
	low, high := l.extremes()
	return low >= 1-flat && high <= 1+flat
}

// fall begins the last period; t0 is wangLandau's.
func (l *adapted) fall(t0 float64) {
	l.period, l.fallsFrom, l.t0 = falling, l.since, t0
	l.empty()
}

// gainRule is how a method lowers the gain: its first value, in nats, and its update after each sweep.
type gainRule struct {
	first float64
	next  func(l *adapted, chains int)
}

// nextGuess is the number of sweeps after which log Zhat is kept for pictures, after it was kept at s: 1, 2, 4, 7, 11,
// 17, 26 and so on, growing by half.
func nextGuess(s int) int { return s + s/2 + 1 }

func (l *adapted) Append(w *wire.Writer) {
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

func readAdapted(r *wire.Reader) *adapted {
	l := &adapted{counted: r.Int(), sweeps: r.Int(), period: r.Int(), since: r.Int(), fallsFrom: r.Int(), gain: r.Float(),
		relaxed: r.Float(), t0: r.Float(), half: r.Float(), zhat: r.Floats(), occupancy: r.Floats(), guesses: r.Floats()}
	estimators.MustDecode(r)
	return l
}
