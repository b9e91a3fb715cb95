package report

import "logzlab/estimators"

// Moment is what is known of a parameter, or of a coordinate without a name, of a posterior.
type Moment struct {
	Name string `json:"name,omitempty"`
	Mean Number `json:"mean"`
	SD   Number `json:"sd"`
	SE   Number `json:"se"` // of the mean
}

// moments are those of numbers with these names, nil for coordinates without.
func moments(list []estimators.Moment, names []string) (out []Moment) {
	for i, m := range list {
		out = append(out, Moment{Mean: Number(m.Mean), SD: Number(m.SD), SE: Number(m.SE)})
		if len(names) == len(list) {
			out[i].Name = names[i]
		}
	}
	return out
}
