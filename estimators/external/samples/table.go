package samples

import (
	"slices"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/problem"
)

// table is a file of samples in columns.
type table struct {
	*source
	*csv.Stream
	plain []string // names of the columns without what programs write differently
}

// openTable finds the names of the columns.
func openTable(f *source) (*table, error) {
	s := csv.OpenStream(f.Name, f.Data, f.meter)
	if s == nil {
		return nil, noSamples(f.Name)
	}
	return &table{source: f, Stream: s}, nil
}

func noSamples(name string) error { return problem.New("%s: there are no samples in it", name) }

// plain is a name of a column without what programs write differently.
func plain(name string) string { return differently.Replace(strings.ToLower(name)) }

var differently = strings.NewReplacer("_", "", "-", "", " ", "", "(", "", ")", "")

// column is the first column that has one of some plain names, -1 without.
func (t *table) column(names ...string) int {
	if t.plain == nil { // made once, as a header may have thousands of names
		for _, n := range t.Names {
			t.plain = append(t.plain, plain(n))
		}
	}
	for _, want := range names {
		if j := slices.Index(t.plain, plain(want)); j >= 0 {
			return j
		}
	}
	return -1
}
