package auto

import (
	"fmt"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/temper"
)

// run returns the run of a strategy.
func (s strategy) run(c estimators.Config) (estimators.Method, error) {
	info, set := anneal.AIS, map[string]int{"chains": s.chains, "temperatures": s.rungs}
	switch {
	case s.temper:
		info, set["sweeps"], set["init_sweeps"] = temper.RTS, s.sweeps, initialSweeps
	case s.bothWays:
		info = anneal.AISBAR
	}
	v := spec.Defaults(info.Params)
	v["schedule"] = "friction"
	for name, size := range set {
		v[name] = fmt.Sprint(size)
	}
	c.Readers, c.Values = []estimators.Reader{{Info: info, Values: v}}, v

	// Tempering that may grow starts with fewer sweeps than planned.
	if s.temper {
		if s.maxSize > 0 {
			v["sweeps"] = fmt.Sprint(ceilWithin(temperStartShare*float64(s.sweeps), 1, float64(s.sweeps)))
			v["burn_in"] = fmt.Sprint(max(20, s.sweeps/10))
		}
		c.PathStats = penaliseLags(c.PathStats)
		var o temper.Options
		if s.maxSize > 0 {
			o.MaxSweeps, o.ExpectedSweeps = s.maxSize, s.sweeps
			o.ExtraSweeps = func(found *estimators.Result, used, kept int) int {
				return min(s.extraSize(info, []*estimators.Result{found}, c.Target, used), s.maxSize-kept)
			}
		}
		return temper.WithOptions(c, o)
	}

	var o anneal.Options
	if s.fromData {
		o.ChainsBack, o.BurnIn = s.back()
	}
	if !s.bothWays {
		o.ExtraChains = func(found []*estimators.Result, chains int) int { return s.extraSize(info, found, c.Target, chains) }
	}
	return anneal.WithOptions(c, o)
}
