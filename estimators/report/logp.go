package report

import (
	"maps"
	"math"

	"logzlab/core/spec"
	"logzlab/estimators/verdict"
	"logzlab/models"
)

// FreeEstimate is LogP.Source if the free log Z is estimated by a run.
const FreeEstimate = "estimate"

// LogP is the log probability of a drawing: log Z with its pixels clamped minus log Z of the free RBM (nats). Its
// standard error combines both.
type LogP struct {
	LogP   Number `json:"logp"`
	SE     Number `json:"se"`
	Free   Number `json:"free"`    // log Z of the free RBM
	FreeSE Number `json:"free_se"` // 0 if it is exact
	Source string `json:"source"`  // source of the free log Z: as in truth.source, or "estimate"

	level string // level of the verdict on the estimate of the free log Z
}

// WithoutDrawing returns the experiment of some methods without its drawing.
func WithoutDrawing(s *spec.Spec, methods ...string) *spec.Spec {
	free := *s
	free.Methods, free.Set = methods, maps.Clone(s.Set)
	delete(free.Set, "clamp")
	return &free
}

// Freed sets the reports of the same experiment without its drawing, for a free log Z that is not known exactly.
func (j *Reports) Freed(reports []*Report) {
	j.free = map[string]*Report{}
	for _, r := range reports {
		j.free[r.Method] = r
	}
	j.done = map[string]*Report{}
}

// LacksFree reports whether log p of a model's drawing needs an estimate of the free log Z.
func LacksFree(m models.Model) bool {
	unclamped := models.CapabilitiesOf(m).Exact.Unclamped
	return unclamped != nil && unclamped() == nil
}

// logP returns nil if the model has no drawing; its numbers are NaN while they are not known.
func (j *Reports) logP(r *Report) *LogP {
	unclamped := models.CapabilitiesOf(j.job.Model).Exact.Unclamped
	if unclamped == nil {
		return nil
	}
	nan := Number(math.NaN())
	p := &LogP{LogP: nan, SE: nan, Free: nan, FreeSE: nan}
	if t := unclamped(); t != nil {
		p.Free, p.FreeSE, p.Source = Number(t.LogZ), 0, t.Source
	} else if f := j.free[r.Method]; f != nil && f.Truth != nil { // computed after its run
		p.Free, p.FreeSE, p.Source = f.Truth.LogZ, 0, f.Truth.Source
	} else if f != nil {
		p.Free, p.FreeSE, p.Source, p.level = f.LogZ, f.SE, FreeEstimate, f.Verdict.Level
	}
	p.LogP = r.LogZ - p.Free
	p.SE = Number(math.Hypot(float64(r.SE), float64(p.FreeSE)))
	return p
}

// check judges whether the free log Z can be trusted, if it is an estimate.
func (p *LogP) check() (c VerdictCheck, ok bool) {
	if p == nil || p.level == "" {
		return c, false
	}
	return VerdictCheck{Name: "Without the drawing", Value: p.Free, Text: p.level, Needs: Trust, OK: p.level == Trust,
		Bad: p.level == Stop, Means: "log p is a difference of two estimates, and the one without the drawing has a problem.",
		Do: "Run the same without the drawing, and do what its checks say."}, true
}

// OneIn returns the mean number of samples of the model for one that contains the drawing, exp(-log p), as a phrase.
func (p *LogP) OneIn() error { return verdict.Large(-float64(p.LogP)) }
