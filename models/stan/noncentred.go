package stan

import (
	"logzlab/models/stan/lang"
	"logzlab/models/stan/tape"
)

// nonCentred returns the tape with every x ~ normal(m, s) whose scale depends on parameters replaced by x = m + s z,
// which removes a funnel if the data contain little information on x ([Papaspiliopoulos2007]). Other location-scale
// families are treated alike. It returns nil if there is no such statement.
func (r *lowerer) nonCentred(p *Program, out *Compiled) *tape.Tape {
	m := &samplerBuilder{lowerer: r, out: out, origins: map[tape.Scalar]elementOrigin{}, blocks: map[tape.Scalar][2]int{}}
	m.findOrigins(p)
	changes := make([]*tape.LocationScale, r.dim)
	for _, s := range r.priorStatements {
		n := len(s.args)
		if s.truncated || n < 2 || !symmetricFamilies[s.family] && s.family != "lognormal" {
			continue
		}
		for i, x := range s.outcome {
			c := &tape.LocationScale{Location: lang.ElementOf(s.args[n-2].X, i)[0], Scale: lang.ElementOf(s.args[n-1].X, i)[0]}
			if _, known := c.Scale.Const(); known {
				continue
			}
			if at, ok := m.origins[x]; ok && changes[at.coordinate] == nil && at.isDirect(s.family) {
				changes[at.coordinate] = c
			}
		}
	}
	return r.B.Reparametrise(changes)
}

// isDirect reports whether a coordinate is the outcome of a family itself, or its log for lognormal.
func (o elementOrigin) isDirect(family string) bool {
	lo := o.lo
	if family == "lognormal" {
		if !sameBound(lo, tape.Consts(0)) {
			return false
		}
		lo = nil
	}
	return len(lo)+len(o.hi)+len(o.offset)+len(o.multiplier) == 0
}
