package run

import (
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

// SideRuns are runs beside an experiment, after it. They find log Z of a machine without a drawing, where no exact
// value is known: log p of the drawing needs it; or log Z of the model that this one is compared with. Their results
// are kept for the next experiment that needs them.
type SideRuns struct {
	Known   map[string]*report.Report // of methods that are over, by their links
	Lacking []string                  // methods that the run which follows is for
	Job     *engine.Job               // of that run, nil before it
	Since   float64                   // when it began, in seconds of the run
}

// mostFree bounds the results that are kept.
const mostFree = 50

func (f *SideRuns) Keep(r *report.Report) {
	if len(f.Known) >= mostFree {
		clear(f.Known)
	}
	f.Known[r.Link] = r
}

// Awaited reports whether a run without the drawing follows or is under way.
func (f *SideRuns) Awaited() bool { return len(f.Lacking) > 0 }

// progress is the share of that run that is done.
func (f *SideRuns) progress() float64 {
	if f.Job == nil {
		return 0
	}
	return f.Job.Progress()
}

// Look finds what is known of the methods of an experiment, and notes what is lacking.
func (f *SideRuns) Look(s *spec.Spec, names catalog.Names, against string, m models.Model) (known []*report.Report) {
	f.Lacking = nil
	for _, method := range s.Methods {
		other := Beside(s.Only(names, method), names, against, m)
		if other == nil {
			return nil
		}
		if r := f.Known[other.Link()]; r != nil {
			known = append(known, r)
		} else {
			f.Lacking = append(f.Lacking, method)
		}
	}
	return known
}

// Beside is what else an experiment about m needs, nil for nothing: itself without its drawing, or on the model that it
// is compared with.
func Beside(s *spec.Spec, names catalog.Names, against string, m models.Model) *spec.Spec {
	switch {
	case report.LacksFree(m):
		return report.WithoutDrawing(s, s.Methods...)
	case against != "":
		s = s.Only(names, s.Methods...)
		state.SetModel(s, against)
		s.Prune(names)
		return s
	}
	return nil
}
