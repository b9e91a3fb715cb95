package report

import (
	"fmt"
	"maps"
	"math"

	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/models"
)

// LogP is the log probability of a drawing: log Z with its pixels fixed less log Z of the free machine (nats). Its
// error bar joins those of both.
type LogP struct {
	LogP   Number `json:"logp"`
	SE     Number `json:"se"`
	Free   Number `json:"free"`    // log Z of the free machine
	FreeSE Number `json:"free_se"` // 0 where it is exact
	Source string `json:"source"`  // of the free log Z: as in truth.source, or "estimate"
}

// WithoutDrawing is the experiment of some methods without its drawing.
func WithoutDrawing(s *spec.Spec, methods ...string) *spec.Spec {
	free := *s
	free.Methods, free.Set = methods, maps.Clone(s.Set)
	delete(free.Set, "clamp")
	return &free
}

// Freed gives the reports of the same experiment without its drawing, for a free log Z that is not known exactly.
func (j *Reports) Freed(reports []*Report) {
	j.free = map[string]*Report{}
	for _, r := range reports {
		j.free[r.Method] = r
	}
	j.done = map[string]*Report{}
}

// Lacks reports whether log p of a drawing waits for the free log Z.
func (j *Reports) Lacks() bool {
	d, ok := j.job.Model.(models.Clamped)
	return ok && d.Free() == nil
}

// logP is nil unless the model has a drawing, and without numbers while they are not known.
func (j *Reports) logP(r *Report) *LogP {
	d, ok := j.job.Model.(models.Clamped)
	if !ok {
		return nil
	}
	nan := Number(math.NaN())
	p := &LogP{nan, nan, nan, nan, ""}
	if t := d.Free(); t != nil {
		p.Free, p.FreeSE, p.Source = Number(t.LogZ), 0, t.Source
	} else if f := j.free[r.Method]; f != nil {
		p.Free, p.FreeSE, p.Source = f.LogZ, f.SE, "estimate"
	}
	p.LogP = r.LogZ - p.Free
	p.SE = Number(math.Hypot(float64(r.SE), float64(p.FreeSE)))
	return p
}

// OneIn is how many samples of the model there are for one that has the drawing, e^-logp, in two digits.
func (p *LogP) OneIn() string {
	tens := -float64(p.LogP) / math.Ln10
	if tens >= 6 {
		return fmt.Sprintf("10^%.0f", tens)
	}
	x := math.Pow(10, max(tens, 0))
	unit := math.Pow(10, max(math.Floor(math.Log10(x))-1, 0))
	return format.Grouped(math.Round(x/unit)*unit, 0)
}
