package samples

import (
	"slices"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/problem"
)

// table is a file of samples in columns, with a reader of its rows.
type table struct {
	*source
	*csv.Stream
	plain []string // names of the columns by plainName; nil until column is called
}

// openTable reads the header of a table. It returns an error if the file has no rows.
func openTable(f *source) (*table, error) {
	s := csv.OpenStream(f.Name, f.Data, f.meter)
	if s == nil {
		return nil, errNoSamples(f.Name)
	}
	return &table{source: f, Stream: s}, nil
}

// errNoSamples is the error of a file without samples.
func errNoSamples(name string) error { return problem.New("%s: there are no samples in it", name) }

// plainName returns a column name in lower case without separators, which differ between programs.
func plainName(name string) string { return separators.Replace(strings.ToLower(name)) }

// separators removes characters that separate words.
var separators = strings.NewReplacer("_", "", "-", "", " ", "", "(", "", ")", "")

// column returns the index of the first column with one of the given names, compared by plainName; -1 if there is none.
// Earlier names have precedence.
func (t *table) column(names ...string) int {
	if t.plain == nil { // computed only once, because a header may have thousands of names
		for _, n := range t.Names {
			t.plain = append(t.plain, plainName(n))
		}
	}
	for _, name := range names {
		if j := slices.Index(t.plain, plainName(name)); j >= 0 {
			return j
		}
	}
	return -1
}
