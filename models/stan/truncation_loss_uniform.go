package stan

import (
	"strconv"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/constraints"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
)

// noteUniformConstrained records a simplex, unit vector or correlation matrix without a prior: its density is 1 with
// respect to the measure of Stan's Jacobians, and the integral is not 1. Parameters in any other term are skipped.
func (r *lowerer) noteUniformConstrained(d *syntax.Decl, q *Parameter) {
	arrays := lang.Product(q.Dims[:d.Type.Depth])
	if arrays == 0 || q.Free == 0 {
		return
	}
	inner := q.Dims[d.Type.Depth:]
	log, ok := constraints.LogVolume(d.Constraint, inner)
	if !ok {
		return
	}
	c := &truncationLoss{uniform: true, size: inner[0]}
	if d.Constraint == syntax.RowStochastic {
		c.size = inner[1]
	}
	n := q.Free / arrays
	for i := range arrays {
		has := 0
		for k := q.First + i*n; k < q.First+(i+1)*n; k++ {
			switch {
			case r.stated.inSharedTerm[k] || r.stated.inJointDensity[k]:
				return
			case len(r.stated.families[k]) > 0:
				has++
			}
		}
		if has == 0 {
			c.logMass += log
		} else if has < n {
			c.unknown = true
		}
	}
	if c.unknown || c.logMass != 0 {
		r.losses[d.Sym] = c
	}
}

// uniformNote returns the note on a parameter whose only prior is its type.
func (c *truncationLoss) uniformNote(d *syntax.Decl) error {
	name, nats, add := d.Name, strconv.FormatFloat(c.logMass, 'g', 3, 64), strconv.FormatFloat(num.Mul(-1, c.logMass), 'g', 9, 64)
	switch {
	case c.unknown:
		return problem.New("some elements of %s have no prior except their type, and its normalising factor is not "+
			"known in advance", name)
	case d.Constraint == syntax.UnitVector:
		return problem.New("%s has no prior except its type, which is not normalised: the density exp(-x'x/2) of %d "+
			"coordinates x, whose direction it is; log Z minus log Z with the uniform prior is %s: add target += %s", name, c.size, nats, add)
	case d.Constraint == syntax.CorrMatrix:
		return problem.New("%s has no prior except its type, with density 1 over its correlations, which is not "+
			"normalised: write %s ~ lkj_corr(1), which is uniform, or add target += %s; log Z minus log Z with the "+
			"uniform prior is %s", name,
			name, add, nats)
	case d.Constraint == syntax.CholeskyCorr:
		return problem.New("%s has no prior except its type, with density 1 over the elements below its diagonal, "+
			"which is not normalised: log Z minus log Z with the normalised prior is %s; add target += %s, or write "+
			"%s ~ lkj_corr_cholesky(1), which is uniform over the correlations", name, nats, add, name)
	}
	return problem.New("%s has no prior except its type, with density 1 over all its elements but the last, which is "+
		"not normalised: write dirichlet(rep_vector(1, %d)), which is uniform, or add target += %s; log Z minus "+
		"log Z with the uniform prior is %s", name, c.size, add, nats)
}
