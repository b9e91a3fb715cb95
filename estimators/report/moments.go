package report

import "logzlab/estimators"

// Moment describes a parameter of a posterior, or a coordinate without a name.
type Moment struct {
	Name string `json:"name,omitempty"`
	Mean Number `json:"mean"`
	SD   Number `json:"sd"`
	SE   Number `json:"se"` // standard error of the mean
}

// moments converts a list; names are the names of its numbers, nil for coordinates without names.
func moments(list []estimators.Moment, names []string) (out []Moment) {
	for i, m := range list {
		out = append(out, Moment{Mean: Number(m.Mean), SD: Number(m.SD), SE: Number(m.SE)})
		if len(names) == len(list) {
			out[i].Name = names[i]
		}
	}
	return out
}
