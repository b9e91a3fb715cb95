package stan

import (
	"logzlab/models/stan/lang"
	"logzlab/models/stan/tape"
)

// nonCentred is the tape with every x ~ normal(m, s) whose scale depends on parameters written as x = m + s z, which
// unbends a funnel where the data say little of x ([Papaspiliopoulos2007]). Other families with a location and a scale
// go so too. nil: there is no such statement.
func (r *run) nonCentred(p *Program, out *Compiled) *tape.Tape {
	m := &priorMaker{run: r, out: out, places: map[tape.Scalar]origin{}, blocks: map[tape.Scalar][2]int{}}
	m.find(p)
	changes := make([]*tape.LocationScale, r.dim)
	for _, s := range r.drawn {
		n := len(s.args)
		if s.cut || n < 2 || !mirrored[s.family] && s.family != "lognormal" {
			continue
		}
		for i, x := range s.left {
			c := &tape.LocationScale{Location: lang.ElementOf(s.args[n-2].X, i)[0], Scale: lang.ElementOf(s.args[n-1].X, i)[0]}
			if _, known := c.Scale.Const(); known {
				continue
			}
			if at, ok := m.places[x]; ok && changes[at.at] == nil && at.open(s.family) {
				changes[at.at] = c
			}
		}
	}
	return r.B.Reparametrise(changes)
}

// open reports whether a coordinate is the argument of a family itself, or its log where that is lognormal.
func (o origin) open(family string) bool {
	lo := o.lo
	if family == "lognormal" {
		if !same(lo, tape.Consts(0)) {
			return false
		}
		lo = nil
	}
	return len(lo)+len(o.hi)+len(o.offset)+len(o.times) == 0
}
