package auto

import (
	"fmt"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/temper"
)

// run returns the run of a road.
func (r road) run(c estimators.Config) (estimators.Method, error) {
	info, set := anneal.AIS, map[string]int{"chains": r.chains, "temperatures": r.rungs}
	switch {
	case r.temper:
		info, set["sweeps"], set["init_sweeps"] = temper.RTS, r.sweeps, initialSweeps
	case r.thereAndBack:
		info = anneal.AISBAR
	}
	v := spec.Values{"schedule": "friction"}

	for _, q := range info.Params {
		if x, sized := set[q.Name]; sized {
			v[q.Name] = fmt.Sprint(x)
		} else if v[q.Name] == "" {
			v[q.Name] = q.Default
		}
	}
	c.Readers, c.Values = []estimators.Reader{{Info: info, Values: v}}, v

	// Tempering that may grow starts with fewer sweeps than planned.
	if r.temper {
		if r.maxSize > 0 {
			v["sweeps"] = fmt.Sprint(ceilWithin(temperStartShare*float64(r.sweeps), 1, float64(r.sweeps)))
			v["burn_in"] = fmt.Sprint(max(20, r.sweeps/10))
		}
		c.PathStats = penaliseLags(c.PathStats)
		var o temper.Options
		if r.maxSize > 0 {
			o.Most, o.Expected = r.maxSize, r.sweeps
			o.ExtraSweeps = func(found *estimators.Result, used, kept int) int {
				return min(r.extraSize(info, []*estimators.Result{found}, c.Target, used), r.maxSize-kept)
			}
		}
		return temper.WithOptions(c, o)
	}

	var o anneal.Options
	if r.fromData {
		o.ChainsBack, o.BurnIn = r.back()
	}
	if !r.thereAndBack {
		o.ExtraChains = func(found []*estimators.Result, chains int) int { return r.extraSize(info, found, c.Target, chains) }
	}
	return anneal.WithOptions(c, o)
}
