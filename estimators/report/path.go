package report

import "logzlab/core/schedule"

// PathKnot is g at an inverse temperature: the variance of d log f_beta/d beta under f_beta. Joint is g of the joint
// density if variables are summed out and it was measured, else nil.
type PathKnot struct {
	Beta  Number  `json:"beta"`
	G     Number  `json:"g"`
	Joint *Number `json:"g_joint,omitempty"`
}

// pathKnots returns g at each inverse temperature of the statistics of a path.
func pathKnots(p *schedule.PathStats) (out []PathKnot) {
	for i, b := range p.Betas {
		knot := PathKnot{Beta: Number(b), G: Number(p.Var[i])}
		if p.Joint != nil {
			joint := Number(p.Joint[i])
			knot.Joint = &joint
		}
		out = append(out, knot)
	}
	return out
}
