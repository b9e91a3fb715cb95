package report

import (
	"maps"
	"math"

	"logzlab/core/spec"
	"logzlab/estimators/verdict"
	"logzlab/models"
)

// FreeEstimate is LogP.Source if log Z of the free RBM is an estimate.
const FreeEstimate = "estimate"

// LogP is the log probability of a drawing, a set of fixed pixels, under an RBM: log Z with these units clamped minus log Z
// of the free RBM, whose units are not clamped (nats). The standard error combines those of both.
type LogP struct {
	LogP   Number `json:"logp"`
	SE     Number `json:"se"`
	Free   Number `json:"free"`    // log Z of the free RBM
	FreeSE Number `json:"free_se"` // standard error of Free, 0 if exact
	Source string `json:"source"`  // source of Free: as in Truth.Source, or FreeEstimate

	level string // level of the verdict on Free if it is an estimate, else ""
}

// WithoutDrawing returns the experiment with the given methods and without its drawing (the parameter clamp).
func WithoutDrawing(s *spec.Spec, methods ...string) *spec.Spec {
	free := *s
	free.Methods, free.Set = methods, maps.Clone(s.Set)
	delete(free.Set, "clamp")
	return &free
}

// SetFree sets the reports of the experiment without its drawing, for log Z of the free RBM if it is not known exactly.
func (j *Reports) SetFree(reports []*Report) {
	j.freeReports = map[string]*Report{}
	for _, r := range reports {
		j.freeReports[r.Method] = r
	}
	j.done = map[string]*Report{}
}

// LacksFree reports whether the model has a drawing and log Z of its free RBM is not known exactly.
func LacksFree(m models.Model) bool {
	unclamped := models.CapabilitiesOf(m).Exact.Unclamped
	return unclamped != nil && unclamped() == nil
}

// logP returns the log probability of the drawing, nil if the model has none. Numbers that are not known yet are NaN.
func (j *Reports) logP(r *Report) *LogP {
	unclamped := models.CapabilitiesOf(j.job.Model).Exact.Unclamped
	if unclamped == nil {
		return nil
	}
	nan := Number(math.NaN())
	p := &LogP{LogP: nan, SE: nan, Free: nan, FreeSE: nan}
	if t := unclamped(); t != nil {
		p.Free, p.FreeSE, p.Source = Number(t.LogZ), 0, t.Source
	} else if f := j.freeReports[r.Method]; f != nil && f.Truth != nil { // its exact value was computed after its run
		p.Free, p.FreeSE, p.Source = f.Truth.LogZ, 0, f.Truth.Source
	} else if f != nil {
		p.Free, p.FreeSE, p.Source, p.level = f.LogZ, f.SE, FreeEstimate, f.Verdict.Level
	}
	p.LogP = r.LogZ - p.Free
	p.SE = Number(math.Hypot(float64(r.SE), float64(p.FreeSE)))
	return p
}

// check judges whether log Z of the free RBM can be trusted; ok is false if it is not an estimate.
func (p *LogP) check() (c VerdictCheck, ok bool) {
	if p == nil || p.level == "" {
		return c, false
	}
	return VerdictCheck{Name: "Without the drawing", Value: p.Free, Text: p.level, Needs: Trust, OK: p.level == Trust,
		Bad: p.level == Stop, Meaning: "log p is a difference of two estimates, and the one without the drawing has a problem.",
		Advice: "Run the same without the drawing, and do what its checks say."}, true
}

// OneIn returns exp(-log p) as a phrase: one sample of the model in so many contains the drawing, on average.
func (p *LogP) OneIn() error { return verdict.ExpPhrase(-float64(p.LogP)) }
