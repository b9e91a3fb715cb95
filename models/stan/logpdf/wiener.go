package logpdf

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// Wiener is the log density of the time at which a Wiener process first reaches its upper bound. The bounds are alpha
// apart; the process starts at time tau, at the distance beta alpha above the lower bound, with drift delta. The
// integral over time is below 1, because the process may reach the lower bound first.
var Wiener = family("wiener", "++0ur", func(c calc, y vec, p []vec) vec {
	alpha, delta := p[0], p[3]
	t, w := c.sub(y, p[1]), c.sub(k(1), p[2])
	drift := c.sub(c.mul(delta, alpha, w), c.mul(c.square(delta), t, half))
	u := c.div(t, c.square(alpha))
	late := c.step(c.sub(u, k(wienerSwitch)))
	both := c.add(c.mul(late, wienerLargeTime(c, c.Map(tape.Max, u, k(wienerSwitch)), w)),
		c.mul(c.sub(k(1), late), wienerSmallTime(c, c.min(u, k(wienerSwitch)), w)))
	return c.add(drift, c.mul(c.log(alpha), k(-2)), both)
}, nil, nil)

// wienerSwitch is the time, in units of alpha^2, at which the large-time series replaces the small-time series: the
// terms left out of both are below 1e-16 there.
const wienerSwitch = .3

// wienerSmallTime is the log density of a first passage at u without drift, in units of alpha, by the method of images.
func wienerSmallTime(c calc, u, w vec) vec {
	sum := w
	for j := -3; j <= 3; j++ {
		if j == 0 {
			continue
		}
		n := k(float64(j))
		far := c.div(c.mul(c.add(w, n), k(-2*float64(j))), u)
		sum = c.add(sum, c.mul(c.add(w, k(2*float64(j))), c.exp(far)))
	}
	first := c.div(c.mul(c.square(w), half), u)
	return c.subAll(c.log(sum), first, c.mul(c.add(log2Pi, c.mul(c.log(u), k(3))), half))
}

// wienerLargeTime is wienerSmallTime computed by a Fourier series, which converges fast for large u.
func wienerLargeTime(c calc, u, w vec) vec {
	var sum vec
	for j := 1.; j <= 5; j++ {
		wave := c.mul(c.exp(c.mul(u, k(-num.Mul(num.Mul(j, math.Pi), num.Mul(j, math.Pi))/2))),
			c.Map(tape.Sin, c.mul(w, k(num.Mul(j, math.Pi)))), k(j))
		if sum == nil {
			sum = wave
		} else {
			sum = c.add(sum, wave)
		}
	}
	return c.add(c.log(sum), k(logPi))
}
