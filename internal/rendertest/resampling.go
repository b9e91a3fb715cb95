package rendertest

import (
	"sync"

	"logzlab/core/frame"
)

// Culled returns frames of short runs with weights, computed once.
var Culled = sync.OnceValue(func() map[string][]*frame.Frame {
	small := []string{"particles", "60", "islands", "2", "temperatures", "12"}
	field := []*frame.Frame{{Model: "mixture2", Field: ThreeGaussians()}}
	return map[string][]*frame.Frame{
		"plane":  append(field, Really("smc", "mixture2", append(small, "ess", "0.7", "schedule", "power:3")...)...),
		"arm":    Really("arm-tempered", "mixture2", small...),
		"digits": Really("smc", "bmm-digits", "particles", "24", "islands", "2", "temperatures", "9"),
		"lattice": Really("smc", "ising16", "particles", "24", "islands", "2", "temperatures", "9", "resample",
			"systematic"),
		"forming":   Really("rm", "rbm-pcd-20", "particles", "24", "islands", "2"),
		"growing":   Really("arm", "rbm-pcd-20", "particles", "24", "islands", "2"),
		"functions": Really("rm", "gpc-1d", "particles", "24", "islands", "2"),
		"linreg":    Really("aisel", "linreg-line", small...),
	}
})

// Filters maps names of Shows to runs in Real whose likelihoods a particle filter estimates.
var Filters = map[string]string{"filter": "sv", "filterlong": "long", "filterstate": "lgssm"}
