package report

import (
	"math"

	"logzlab/models"
)

// Data says how likely the data rows beside a model are, by what is known of log Z: in nats, means over the rows.
type Data struct {
	Rows   int    `json:"rows"`
	Mean   Number `json:"mean_log_likelihood"`   // mean log f less log Z, where log Z is exact
	Lower  Number `json:"lower"`                 // by the upper bound of log Z
	Upper  Number `json:"upper"`                 // by the lower bound of log Z
	Pseudo Number `json:"pseudo_log_likelihood"` // see models.Likely
	// LogP are log-likelihoods of data under the annealed model of raise: up to 1000.
	LogP []Number `json:"logp,omitempty"`
}

// DataOf is Data of a model whose log Z lies between lower and upper, either of which may be NaN; both are the exact
// value where that is known. nil for a model without data of its own.
func DataOf(m models.Model, lower, upper float64, going func() bool) *Data {
	l, ok := m.(models.Likely)
	if !ok || l.Data() == 0 {
		return nil
	}
	logf, pseudo := l.MeanLogF(going)
	d := &Data{Rows: l.Data(), Mean: NaN, Lower: Number(logf - upper), Upper: Number(logf - lower), Pseudo: Number(pseudo)}
	if lower == upper {
		d.Mean = d.Lower
	}
	return d
}

// WithData adds the likelihood of the data rows to a report of a run on m: exact wherever log Z is, else between the
// bounds of log Z that do not come from data.
func (r *Report) WithData(m models.Model, going func() bool) {
	lower, upper := float64(r.Lower), math.NaN()
	if r.Floor != nil && !(lower > float64(r.Floor.LogZ)) {
		lower = float64(r.Floor.LogZ)
	}
	if r.firmUpper() {
		upper = float64(r.Upper)
	}
	if t := r.Truth; t != nil {
		lower, upper = float64(t.LogZ), float64(t.LogZ)
	}
	if d := DataOf(m, lower, upper, going); d != nil {
		if r.Data != nil {
			d.LogP = r.Data.LogP
		}
		r.Data = d
	}
}
