package rendertest

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/models/latent"
)

// RunFrames returns the frames of a short run of a method, encoded and decoded.
func RunFrames(method, model string, set ...string) []*frame.Frame {
	params, _ := catalog.Names{}.MethodParams(method)
	v, kind := spec.Defaults(params), spec.Defaults(catalog.Names{}.ModelParams(model))
	for i := 0; i+1 < len(set); i += 2 {
		if _, ok := v[set[i]]; ok {
			v[set[i]] = set[i+1]
		} else {
			kind[set[i]] = set[i+1]
		}
	}
	m, err := catalog.Kinds.Open(model, kind, func(file string) ([]byte, error) {
		return os.ReadFile(modelFile(file))
	}, nil)
	if model == "long" {
		m, err = longSeries().Open(model, "", kind, nil)
	}
	if err != nil {
		panic(err)
	}
	info, _ := catalog.Method(method)
	run, err := estimators.Open(estimators.Config{Readers: []estimators.Reader{{Info: *info, Values: v}}, Values: v,
		Model: m, Key: rng.NewKey(1, method, 0)})
	if err != nil {
		panic(err)
	}
	var fs []*frame.Frame
	round, err := run.Next(nil, nil)
	for round != nil && err == nil {
		var partials, states [][]byte
		for lane := range round.Lanes {
			u := round.Unit(lane)
			u.Watched, u.EveryFrame = true, true
			for f := range run.Lane(u) {
				f.Method = method
				if g, err := frame.Decode(f.Append(nil)); err != nil {
					panic(err)
				} else if len(g.Beta) > 0 || g.Growth != nil {
					fs = append(fs, g)
				}
			}
			partials, states = append(partials, u.Partial), append(states, u.State)
		}
		round, err = run.Next(partials, states)
	}
	if err != nil {
		panic(err)
	}
	return fs
}

// longSeries returns a series of returns with periods of high volatility.
func longSeries() (p latent.SVParams) {
	r := rand.New(rand.NewPCG(1, 5))
	h := 0.0
	for range 700 {
		h = 0.97*h + 0.2*r.NormFloat64()
		p.Y = append(p.Y, math.Exp(h/2)*r.NormFloat64())
	}
	return p
}

// RealRuns returns the frames of short runs of methods (RunFrames) by name, computed once.
var RealRuns = sync.OnceValue(func() map[string][]*frame.Frame {
	few := []string{"particles", "40", "islands", "2", "temperatures", "12"}
	small := slices.Clip(append(few, "schedule", "power:4"))
	return map[string][]*frame.Frame{
		"sv": RunFrames("aisel", "sv-60", append(small, "inner", "30")...),
		"long": RunFrames("aisel", "long", "particles", "10", "islands", "2", "temperatures", "6", "schedule", "power:4",
			"inner", "30"),
		"lgssm":  RunFrames("aisel", "lgssm-40", append(small, "likelihood", "filter", "inner", "60")...),
		"kalman": RunFrames("smc", "lgssm-40", small...),
		"linreg": RunFrames("aisel", "linreg-line", small...),
		"pilot":  RunFrames("aisel", "linreg-line", few...), // a pilot of 100 chains, before a run of 80 particles
		"is2":    RunFrames("is2", "sv-60", "particles", "60", "islands", "2", "inner", "30"),
	}
})
