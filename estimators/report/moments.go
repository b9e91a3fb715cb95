package report

import "logzlab/estimators"

// Moment is what is known of a coordinate of a posterior.
type Moment struct {
	Mean Number `json:"mean"`
	SD   Number `json:"sd"`
	SE   Number `json:"se"` // of the mean
}

func moments(list []estimators.Moment) (out []Moment) {
	for _, m := range list {
		out = append(out, Moment{Number(m.Mean), Number(m.SD), Number(m.SE)})
	}
	return out
}
