package render

import (
	"sync"

	"logzlab/core/frame"
)

// culled are frames of short runs whose particles are weighed.
var culled = sync.OnceValue(func() map[string][]*frame.Frame {
	small := []string{"particles", "60", "islands", "2", "temperatures", "12"}
	field := []*frame.Frame{{Model: "mixture2", Field: threeHills()}}
	return map[string][]*frame.Frame{
		"plane":  append(field, really("smc", "mixture2", append(small, "ess", "0.7", "schedule", "power:3")...)...),
		"arm":    really("arm-tempered", "mixture2", small...),
		"digits": really("smc", "bmm-digits", "particles", "24", "islands", "2", "temperatures", "9"),
		"lattice": really("smc", "ising16", "particles", "24", "islands", "2", "temperatures", "9", "resample",
			"systematic"),
		"forming":   really("rm", "rbm-pcd-20", "particles", "24", "islands", "2"),
		"growing":   really("arm", "rbm-pcd-20", "particles", "24", "islands", "2"),
		"functions": really("rm", "gpc-1d", "particles", "24", "islands", "2"),
		"linreg":    really("aisel", "linreg-line", small...),
	}
})

// filters are frames of short runs whose likelihoods a filter estimates.
var filters = map[string]string{"filter": "sv", "filterlong": "long", "filterstate": "lgssm"}
