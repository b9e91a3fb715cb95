package program

import (
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/stan/tape"
)

// centring is the family of partially non-centred coordinates of a program: for each coordinate whose prior has
// parameters as location and scale it has two numbers p and h (see Builder.Reparametrise in models/stan/tape). Log Z is
// the same for all p and h, but for some of them chains mix better, and a normal base is closer to the target.
type centring struct {
	program *tape.Tape
	family  *tape.Tape // the program with additional coordinates p and h for each reparametrised coordinate
	coords  []int      // the reparametrised coordinates
}

// newCentring reads the family from a note of the tape; ok is false if there is none.
func newCentring(t *tape.Tape) (c centring, ok bool) {
	family, err := tape.Read([]byte(t.Note(tape.NoteNonCentred)))
	if err != nil {
		return c, false
	}
	c = centring{t, family, family.ReparametrisedCoordinates()}
	n := len(c.coords)
	return c, n > 0 && family.Dim() == t.Dim()+2*n && len(family.OutputNames()) == len(t.OutputNames())+1+3*n
}

// Limits of the search for coordinates. Effective shares are effective sample sizes of importance sampling from the
// base of a pilot, as a share of the draws.
const (
	centringDraws  = 8   // draws over which likelihoodTerms averages
	sufficientESS  = .4  // effective share from which the search stops
	poorESS        = .05 // effective share below which the draws of the pilot may miss the target
	centringRounds = 2   // rounds of likelihoodTerms
)

// bestPilot compares p, a pilot in the coordinates of the program, with pilots in other coordinates of the family, and
// returns the one whose base is closest to the target. No pilot is complete yet. If the base of p is close enough it
// returns p. Otherwise it tries coordinates in which each parameter is centred as far as the data inform it, by draws
// of the best pilot so far (likelihoodTerms), and fully non-centred ones. The latter come first if the draws of p are
// of little use.
func (c centring) bestPilot(p *pilot) *pilot {
	var tried [][]float64 // values of p and h, which determine a pilot
	try := func(values []float64) {
		same := func(other []float64) bool { return slices.Equal(other, values) }
		if values == nil || p.essOfDraws() >= sufficientESS || slices.ContainsFunc(tried, same) {
			return
		}
		tried = append(tried, values)
		t, err := c.family.FixLast(values)
		if err != nil {
			return
		}
		if q := newPilot(t); q.closerToTarget(p) {
			p = q
		}
	}
	nonCentred := make([]float64, 2*len(c.coords))
	if p.essOfDraws() < poorESS {
		try(nonCentred)
	}
	for range centringRounds {
		before := p
		if try(c.likelihoodTerms(p)); p == before {
			break
		}
	}
	if p.t == c.program {
		try(nonCentred)
	}
	return p
}

// likelihoodTerms returns p and h for each reparametrised coordinate x, by a normal approximation of all terms of the
// log density except the prior of x, which is normal with mean m and standard deviation s: p is the precision of the
// approximation, and h is p times its mean,
//
//	p = -d^2 log f/dx^2 - 1/s^2,  h = p x + d log f/dx + (x - m)/s^2,
//
// averaged over draws of a pilot. If p is not positive the data do not inform x, and both are 0. The result is nil if
// these numbers are not finite at any draw.
func (c centring) likelihoodTerms(p *pilot) []float64 {
	dim, names := c.program.Dim(), len(c.program.OutputNames())
	program := c.program.EvaluatorPool()
	nonCentred, err := c.family.FixLast(make([]float64, 2*len(c.coords)))
	if err != nil {
		return nil
	}
	points, shown := nonCentred.EvaluatorPool(), make([]float64, len(nonCentred.OutputNames()))
	prior := func(i int) (m, s float64) { return shown[names+1+3*i], shown[names+2+3*i] }
	sums, used := make([]float64, 2*len(c.coords)), 0
	slope, slopeUp, slopeDown := make([]float64, dim), make([]float64, dim), make([]float64, dim)
	drawCount := len(p.chainDraws) / dim
	for r := range min(centringDraws, drawCount) {
		x := c.toProgram(p, p.chainDraws[(r*drawCount/min(centringDraws, drawCount))*dim:][:dim])
		if f := program.Gradient(x, slope); !num.Finite(f) || !num.AllFinite(slope) {
			continue
		}

		// Find z with x = m + s z by iteration, since m and s may depend on other reparametrised coordinates.
		z := slices.Clone(x)
		for _, k := range c.coords {
			z[k] = 0
		}
		for range 6 {
			points.Outputs(z, shown)
			for i, k := range c.coords {
				if m, s := prior(i); s > 0 {
					z[k] = (x[k] - m) / s
				} else {
					z[k] = x[k]
				}
			}
		}
		points.Outputs(z, shown)
		finite := true
		terms := make([]float64, len(sums))
		for i, k := range c.coords {
			m, s := prior(i)
			if !(s > 0) {
				continue
			}
			step, value := num.Mul(1e-3, s), x[k]
			x[k] = value + step
			program.Gradient(x, slopeUp)
			x[k] = value - step
			program.Gradient(x, slopeDown)
			x[k] = value
			priorPrecision := 1 / num.Mul(s, s)
			precision := max((slopeDown[k]-slopeUp[k])/num.Mul(2, step)-priorPrecision, 0)
			terms[2*i] = precision
			if precision > 0 {
				terms[2*i+1] = num.Mul(precision, value) + slope[k] + num.Mul(value-m, priorPrecision)
			}
			finite = finite && num.Finite(terms[2*i]) && num.Finite(terms[2*i+1])
		}
		if finite {
			used++
			num.Axpy(1, terms, sums)
		}
	}
	if used == 0 {
		return nil
	}
	for i := range sums {
		sums[i] /= float64(used)
	}
	return sums
}

// toProgram returns the point x of the program for a draw of a pilot in any coordinates of the family.
func (c centring) toProgram(p *pilot, draw []float64) []float64 {
	x := slices.Clone(draw)
	if p.t == c.program {
		return x
	}
	shown := make([]float64, len(p.t.OutputNames()))
	p.t.EvaluatorPool().Outputs(draw, shown)
	for i, k := range c.coords {
		x[k] = shown[len(c.program.OutputNames())+1+3*i+2]
	}
	return x
}

// essOfDraws returns the effective share by drawQuality.
func (p *pilot) essOfDraws() float64 {
	ess, _ := p.drawQuality()
	return ess
}

// closerToTarget reports whether the base of p is closer to the target than that of q, a pilot in other coordinates:
// its effective share is at least as large, and its estimate of log Z is lower by at most 1.
func (p *pilot) closerToTarget(q *pilot) bool {
	ess, logZ := p.drawQuality()
	essOther, logZOther := q.drawQuality()
	return num.Finite(logZ) && logZ > logZOther-1 && !(ess < essOther)
}

// drawQuality returns the effective share of importance sampling from the base, and its estimate of log Z.
func (p *pilot) drawQuality() (ess, logZ float64) {
	if !p.qualityKnown {
		logW := logWeights(&p.base, p.t.Dim(), p.points.LogF, rng.NewKey(0, "nearer", p.t.Dim()), 9)
		p.drawESS, p.qualityKnown = 0, true
		if p.logSumWeights = num.LogSumExp(logW); num.Finite(p.logSumWeights) {
			p.drawESS = essShare(logW, p.logSumWeights)
		}
	}
	return p.drawESS, p.logSumWeights - num.Log(floorDraws)
}
