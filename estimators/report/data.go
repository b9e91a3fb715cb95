package report

import (
	"math"

	"logzlab/core/num"
	"logzlab/models"
)

// Data is the log-likelihood of the data rows that accompany a model, as far as log Z is known: in nats, means over
// rows.
type Data struct {
	Rows   int    `json:"rows"`
	Mean   Number `json:"mean_log_likelihood"`   // mean log f minus log Z, if log Z is exact
	Lower  Number `json:"lower"`                 // from the upper bound of log Z
	Upper  Number `json:"upper"`                 // from the lower bound of log Z
	Source string `json:"source,omitempty"`      // source of the ends: ByExact, ByBounds or ByBar
	Pseudo Number `json:"pseudo_log_likelihood"` // see models.Data
	// LogP holds log-likelihoods of data under the annealed model of raise, at most 1000.
	LogP []Number `json:"logp,omitempty"`
}

// Sources of the ends of a likelihood.
const (
	ByExact  = "exact"     // exact log Z
	ByBounds = "bounds"    // bounds of log Z
	ByBar    = "error_bar" // lower end from the estimate plus dataBars error bars, as log Z has no upper bound
)

// dataBars is the number of error bars of log Z between the estimate of the likelihood and its lower end, without
// bounds.
const dataBars = 3

// Rows are the data that accompany a model, measured once for all methods.
type Rows struct {
	n            int
	logf, pseudo float64 // means over the rows
}

// MeasureRows measures the data of a model. It returns nil if the model has no data of its own.
func MeasureRows(m models.Model, going func() bool) *Rows {
	data := models.CapabilitiesOf(m).Data
	if data == nil {
		return nil
	}
	return &Rows{data.DataCount(), models.MeanLogF(m, 0, data.DataCount()), data.MeanLogPseudoLikelihood(going)}
}

// Between returns the likelihood of the rows if log Z lies between lower and upper. Either may be NaN, and both are the
// exact value if it is known.
func (d *Rows) Between(lower, upper float64) *Data {
	out := &Data{Rows: d.n, Mean: NaN, Lower: Number(d.logf - upper), Upper: Number(d.logf - lower),
		Source: ByBounds, Pseudo: Number(d.pseudo)}
	if lower == upper {
		out.Mean, out.Source = out.Lower, ByExact
	}
	return out
}

// WithData adds the likelihood of the rows to a report: exact if log Z is exact, else between the bounds of log Z that
// do not come from data. Most runs have no upper bound; the lower end is then from the error bar, unless the verdict is
// stop.
func (r *Report) WithData(d *Rows) {
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
	all := d.Between(lower, upper)
	if byBar && all.Source != ByExact && IsNumber(all.Lower) {
		all.Source = ByBar
	}
	if r.Data != nil {
		all.LogP = r.Data.LogP
	}
	r.Data = all
}
