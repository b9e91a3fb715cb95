package report

import "logzlab/estimators"

// Moment is the mean and standard deviation of a parameter under the posterior; Name is empty for coordinates without
// names.
type Moment struct {
	Name string `json:"name,omitempty"`
	Mean Number `json:"mean"`
	SD   Number `json:"sd"`
	SE   Number `json:"se"` // standard error of the mean
}

// moments converts a list of moments. names are the names of the coordinates; they are left out if their number differs
// from that of the moments.
func moments(list []estimators.Moment, names []string) (out []Moment) {
	for i, m := range list {
		out = append(out, Moment{Mean: Number(m.Mean), SD: Number(m.SD), SE: Number(m.SE)})
		if len(names) == len(list) {
			out[i].Name = names[i]
		}
	}
	return out
}
