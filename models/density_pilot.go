package models

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/rng"
)

// The pilot that finds the steps of a Space.
const (
	pilotGrid   = 17
	pilotChains = 16
	pilotMoves  = 60 // transitions at each point of the grid
)

// stepAt is the step of the kernel at beta.
func (m *Space) stepAt(beta float64) float64 {
	switch {
	case m.k.Step != nil:
		return m.k.Step(beta)
	case m.k.Name == "ess": // needs none
		return 1
	}
	prec := m.prec.get(m.pilot)
	i := 0
	for i < pilotGrid-2 && beta > pilotBeta(i+1) {
		i++
	}
	lo, hi := pilotBeta(i), pilotBeta(i+1)
	return 1 / math.Sqrt(prec[i]+float64((beta-lo)/(hi-lo)*(prec[i+1]-prec[i])))
}

// pilotBeta is point g of the grid; most are where narrow targets change fastest.
func pilotBeta(g int) float64 { return float64(float64(g*g) / ((pilotGrid - 1) * (pilotGrid - 1))) }

// pilot adapts log step by stochastic approximation ([Robbins1951]) with gains
// 2 t^-0.6, and takes its mean over the second half. The first step is a fraction of the
// spread of the base.
func (m *Space) pilot() *[pilotGrid]float64 {
	prec := new([pilotGrid]float64)
	target, k := 0.234, m.k
	if m.d.Dim < 3 {
		target = 0.44
	}
	switch m.k.Name {
	case "hmc":
		target = 0.65
	case "slice": // of a proposal that walks: about the spread of a coordinate
		k.Name = "mh"
	}
	p := (&Space{info: m.info, d: m.d, k: k}).rows(pilotChains)
	at := rng.At{Key: rng.NewKey(0, "pilot", m.d.Dim)}
	p.Draw(at)
	logStep := num.Log(spread(p.x)) - float64(0.25*num.Log(float64(m.d.Dim)))
	for g := range prec {
		beta := pilotBeta(g)
		mean := 0.0
		for t := 1; t <= pilotMoves; t++ {
			at.Step++
			step, sum := num.Exp(logStep), 0.0
			for r := range pilotChains {
				s := at.Row(r)
				p.move(p, &s, r, beta, step)
				sum += chance(p.gain)
			}
			logStep += float64(2 * num.Exp(-float64(0.6*num.Log(float64(t)))) * (float64(sum/pilotChains) - target))
			if t > pilotMoves/2 {
				mean += logStep
			}
		}
		logStep = mean / (pilotMoves / 2)
		prec[g] = num.Exp(-float64(2 * logStep))
	}
	return prec
}

// spread is the root mean square of x, 1 if it is not a positive number.
func spread(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v * v)
	}
	if s := math.Sqrt(sum / float64(len(x))); s > 0 && s-s == 0 {
		return s
	}
	return 1
}
