package report

import (
	"math"

	"logzlab/core/num"
	"logzlab/models"
)

// Data says how likely the data rows beside a model are, by what is known of log Z: in nats, means over the rows.
type Data struct {
	Rows   int    `json:"rows"`
	Mean   Number `json:"mean_log_likelihood"`   // mean log f less log Z, where log Z is exact
	Lower  Number `json:"lower"`                 // by the upper bound of log Z
	Upper  Number `json:"upper"`                 // by the lower bound of log Z
	Source string `json:"source,omitempty"`      // what the ends are made of: ByExact, ByBounds or ByBar
	Pseudo Number `json:"pseudo_log_likelihood"` // see models.Data
	// LogP are log-likelihoods of data under the annealed model of raise: up to 1000.
	LogP []Number `json:"logp,omitempty"`
}

// What the ends of a likelihood are made of.
const (
	ByExact  = "exact"     // exact log Z
	ByBounds = "bounds"    // bounds of log Z
	ByBar    = "error_bar" // the lower end by the estimate and dataBars error bars, as no bound of log Z is above it
)

// dataBars is how many error bars of log Z its lower end is below the estimate of the likelihood, without bounds.
const dataBars = 3

// Rows are the data beside a model, measured once for all methods.
type Rows struct {
	n            int
	logf, pseudo float64 // means over the rows
}

// MeasureRows measures the data of a model; nil for one without data of its own.
func MeasureRows(m models.Model, going func() bool) *Rows {
	data := models.Can(m).Data
	if data == nil {
		return nil
	}
	return &Rows{data.Data(), models.MeanLogF(m, 0, data.Data()), data.MeanPseudo(going)}
}

// Between is the likelihood of the rows where log Z lies between lower and upper, either may be NaN; both are the
// exact value where that is known.
func (d *Rows) Between(lower, upper float64) *Data {
	out := &Data{Rows: d.n, Mean: NaN, Lower: Number(d.logf - upper), Upper: Number(d.logf - lower),
		Source: ByBounds, Pseudo: Number(d.pseudo)}
	if lower == upper {
		out.Mean, out.Source = out.Lower, ByExact
	}
	return out
}

// WithData adds the likelihood of the rows to a report: exact wherever log Z is, else between the bounds of log Z that
// do not come from data. Most runs have no upper one; the error bar is then the lower end, unless the verdict is stop.
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
