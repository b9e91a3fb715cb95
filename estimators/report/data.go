package report

import (
	"math"

	"logzlab/core/num"
	"logzlab/models"
)

// Data is the mean log-likelihood (nats) of the data rows that accompany a model: mean log f - log Z, or an interval of it
// if log Z is not exact.
type Data struct {
	Rows   int    `json:"rows"`
	Mean   Number `json:"mean_log_likelihood"`   // if log Z is exact, else null
	Lower  Number `json:"lower"`                 // lower end, from an upper bound of log Z
	Upper  Number `json:"upper"`                 // upper end, from a lower bound of log Z
	Source string `json:"source,omitempty"`      // source of Lower and Upper: ByExact, ByBounds or ByBar
	Pseudo Number `json:"pseudo_log_likelihood"` // mean log pseudo-likelihood of the rows
	// LogP holds log-likelihoods of at most 1000 rows under the annealed model of the method raise.
	LogP []Number `json:"logp,omitempty"`
}

// Values of Data.Source.
const (
	ByExact  = "exact"     // exact log Z
	ByBounds = "bounds"    // bounds of log Z
	ByBar    = "error_bar" // lower end from the estimate plus dataBars error bars, as log Z has no upper bound
)

// dataBars is the number of standard errors of log Z between the estimate of the likelihood and its lower end if log Z
// has no upper bound.
const dataBars = 3

// Rows has the means over the data rows of a model from which Likelihood computes the likelihood, for all methods.
type Rows struct {
	n            int
	logf, pseudo float64 // mean log f and mean log pseudo-likelihood
}

// MeasureRows computes the means over the data rows of a model, as long as shouldContinue returns true. It returns nil if
// the model has no data rows.
func MeasureRows(m models.Model, shouldContinue func() bool) *Rows {
	data := models.CapabilitiesOf(m).Data
	if data == nil {
		return nil
	}
	return &Rows{data.DataCount(), models.MeanLogF(m, 0, data.DataCount()), data.MeanLogPseudoLikelihood(shouldContinue)}
}

// Likelihood returns the likelihood of the rows for log Z between lower and upper, which may be NaN. If they are equal,
// log Z is exact.
func (d *Rows) Likelihood(lower, upper float64) *Data {
	out := &Data{Rows: d.n, Mean: NaN, Lower: Number(d.logf - upper), Upper: Number(d.logf - lower),
		Source: ByBounds, Pseudo: Number(d.pseudo)}
	if lower == upper {
		out.Mean, out.Source = out.Lower, ByExact
	}
	return out
}

// AddData adds the likelihood of the rows to a report. If log Z is not exact, the likelihood is an interval from the
// bounds of log Z that do not come from data. Without an upper bound of log Z, the lower end is from the error bar, unless
// the verdict is stop.
func (r *Report) AddData(d *Rows) {
	lower, upper := float64(r.Lower), math.NaN()
	if r.Floor != nil && !(lower > float64(r.Floor.LogZ)) {
		lower = float64(r.Floor.LogZ)
	}
	byBar := !r.firmUpper() && r.Verdict.Level != Stop
	switch {
	case byBar:
		upper = float64(r.LogZ) + num.Mul(dataBars, float64(r.SE))
	case r.firmUpper():
		upper = float64(r.Upper)
	}
	if t := r.Truth; t != nil {
		lower, upper = float64(t.LogZ), float64(t.LogZ)
	}
	data := d.Likelihood(lower, upper)
	if byBar && data.Source != ByExact && IsNumber(data.Lower) {
		data.Source = ByBar
	}
	if r.Data != nil {
		data.LogP = r.Data.LogP
	}
	r.Data = data
}
