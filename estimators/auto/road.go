package auto

import (
	"fmt"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/temper"
)

// run makes the run of a road.
func (r road) run(c estimators.Config) (estimators.Method, error) {
	info, set := anneal.AIS, map[string]int{"chains": r.chains, "temperatures": r.rungs}
	switch {
	case r.temper:
		info, set["sweeps"], set["init_sweeps"] = temper.RTS, r.sweeps, autoInitial
	case r.both:
		info = anneal.AISBAR
	}
	v := spec.Values{"schedule": "friction"}

	// Sizes of this road; other parameters keep their defaults.
	for _, q := range info.Params {
		if x, sized := set[q.Name]; sized {
			v[q.Name] = fmt.Sprint(x)
		} else if v[q.Name] == "" {
			v[q.Name] = q.Default
		}
	}
	c.Readers, c.Values = []estimators.Reader{{Info: info, Values: v}}, v

	// Tempering, at first with fewer sweeps where more may follow.
	if r.temper {
		if r.most > 0 {
			v["sweeps"] = fmt.Sprint(clamped(temperFirst*float64(r.sweeps), 1, float64(r.sweeps)))
			v["burn_in"] = fmt.Sprint(max(20, r.sweeps/10))
		}
		c.PathStats = slower(c.PathStats)
		var o temper.Options
		if r.most > 0 {
			o.Most, o.Expected = r.most, r.sweeps
			o.ExtraSweeps = func(found *estimators.Result, used, kept int) int {
				return min(r.missing(info, []*estimators.Result{found}, c.Target, used), r.most-kept)
			}
		}
		return temper.WithOptions(c, o)
	}

	// Annealing, with chains back from data, and more chains until the error bar is small enough.
	var o anneal.Options
	if r.data {
		o.ChainsBack, o.BurnIn = r.back()
	}
	if !r.both {
		o.ExtraChains = func(found []*estimators.Result, chains int) int { return r.missing(info, found, c.Target, chains) }
	}
	return anneal.WithOptions(c, o)
}
