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

// turned stops the record at the last moment of a phase before the last sixth of it, some way through its change.
func turned(s *Canvas, scene string, phase int, done float64) {
	is := s.scenes[scene].(*culling).record(s.run.walls[0], &s.run)
	i := len(is.moments) * 5 / 6
	for i > 1 && is.moments[i].phase != phase {
		i--
	}
	s.hold = 100
	is.review = review{on: is.moments[i].id, began: 100 - done*lengths[phase], stopped: true}
}

func init() {
	for name, of := range map[string]string{"plane": "plane", "arm": "arm", "digits": "digits", "lattice": "lattice",
		"forming": "forming", "growing": "growing", "linreg": "linreg", "functions": "functions"} {
		for i, phase := range []int{reweighting, resampling, moving} {
			for j, done := range []float64{0.3, 0.7, 1} {
				n := "cull" + name + string(rune('a'+i)) + string(rune('0'+j))
				shows[n] = func() (string, []*frame.Frame) { return "resampling", culled()[of] }
				acts[n] = func(s *Canvas) { turned(s, "resampling", phase, done) }
			}
		}
	}
	for name, of := range filters {
		for i, phase := range []int{reweighting, resampling, moving} {
			for j, done := range []float64{0.3, 0.7, 1} {
				n := "cull" + name + string(rune('a'+i)) + string(rune('0'+j))
				shows[n] = func() (string, []*frame.Frame) { return "filter", real()[of] }
				acts[n] = func(s *Canvas) { turned(s, "filter", phase, done) }
			}
		}
	}
}
