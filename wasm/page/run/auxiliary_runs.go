package run

import (
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

// AuxiliaryRuns are auxiliary runs after the run of an experiment. They find log Z of the model without its clamped
// pixels, for log p of a drawing, if no exact value is known; or log Z of the model to compare with. Their results are
// kept for later experiments.
type AuxiliaryRuns struct {
	Results   map[string]*report.Report // results of finished methods, by link
	Missing   []string                  // methods of the next auxiliary run
	Job       *engine.Job               // job of that run, nil before it begins
	StartTime float64                   // its start, in seconds of the run
}

// maxAuxiliary is the largest number of results that are kept.
const maxAuxiliary = 50

// Keep stores a result.
func (f *AuxiliaryRuns) Keep(r *report.Report) {
	if len(f.Results) >= maxAuxiliary {
		clear(f.Results)
	}
	f.Results[r.Link] = r
}

// Pending reports whether an auxiliary run follows or is in progress.
func (f *AuxiliaryRuns) Pending() bool { return len(f.Missing) > 0 }

// progress returns the share of the auxiliary run that is done.
func (f *AuxiliaryRuns) progress() float64 {
	if f.Job == nil {
		return 0
	}
	return f.Job.Progress()
}

// Find returns the known auxiliary results for the methods of an experiment, and notes the missing ones.
func (f *AuxiliaryRuns) Find(s *spec.Spec, names catalog.Names, against string, m models.Model) (found []*report.Report) {
	f.Missing = nil
	for _, method := range s.Methods {
		other := AuxiliarySpec(s.Only(names, method), names, against, m)
		if other == nil {
			return nil
		}
		if r := f.Results[other.Link()]; r != nil {
			found = append(found, r)
		} else {
			f.Missing = append(f.Missing, method)
		}
	}
	return found
}

// AuxiliarySpec returns the experiment of the auxiliary run: the same model without the drawing, or the model to
// compare with; nil if there is none.
func AuxiliarySpec(s *spec.Spec, names catalog.Names, against string, m models.Model) *spec.Spec {
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
