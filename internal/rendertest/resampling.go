package rendertest

import (
	"sync"

	"logzlab/core/frame"
)

// WeightedRuns returns frames of short runs with weights, computed once.
var WeightedRuns = sync.OnceValue(func() map[string][]*frame.Frame {
	small := []string{"particles", "60", "islands", "2", "temperatures", "12"}
	field := []*frame.Frame{{Model: "mixture2", Field: ThreeGaussians()}}
	return map[string][]*frame.Frame{
		"plane":  append(field, RunFrames("smc", "mixture2", append(small, "ess", "0.7", "schedule", "power:3")...)...),
		"arm":    RunFrames("arm-tempered", "mixture2", small...),
		"digits": RunFrames("smc", "bmm-digits", "particles", "24", "islands", "2", "temperatures", "9"),
		"lattice": RunFrames("smc", "ising16", "particles", "24", "islands", "2", "temperatures", "9", "resample",
			"systematic"),
		"forming":   RunFrames("rm", "rbm-pcd-20", "particles", "24", "islands", "2"),
		"growing":   RunFrames("arm", "rbm-pcd-20", "particles", "24", "islands", "2"),
		"functions": RunFrames("rm", "gpc-1d", "particles", "24", "islands", "2"),
		"linreg":    RunFrames("aisel", "linreg-line", small...),
	}
})

// Filters maps names of Shows to runs in Real whose likelihoods a particle filter estimates.
var Filters = map[string]string{"filter": "sv", "filterlong": "long", "filterstate": "lgssm"}
