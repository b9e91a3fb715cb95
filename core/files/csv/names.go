package csv

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"logzlab/core/problem"
)

// Column names, in lower case. Columns with rowNameHeaders are never features; nor are indexNames columns, which must
// contain distinct integers. A counterNames column is left out if it counts the rows. "y" is the label only if it comes
// first and no other column has one of labelNames, because it may be a coordinate.
var (
	labelNames     = []string{"label", "labels", "class", "target"}
	rowNameHeaders = []string{"", "rownames", "row.names", "row_names", "row names", "rowname", "row.name", "row_name", "...1"}
	indexNames     = []string{"index", "id", "row", "idx", "rowid", "row_id", "row id"}
	counterNames   = []string{"obs", "observation", "no", "no.", "nr", "nr.", "#", "n", "case", "sample", "record", "row_number",
		"row number", "rownumber", "rownum", "row_num"}
)

// GroupColumns are names of columns, as by PlainName, that identify the group of a row, such as a patient.
var GroupColumns = []string{"patient", "patientid", "subjectid", "subj", "person", "personid", "participant", "participantid",
	"herd", "district", "clinic", "hospital", "litter", "household", "animal", "groupid", "schoolid", "clusterid", "pid",
	"id"}

// PlainName returns a name in lower case without spaces and punctuation.
func PlainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(name))
}

// minCounted is the smallest number of rows for which a column counts as row numbers although its name alone does not
// say so.
const minCounted = 5

// Numbering returns the test that a column's numbers must pass for the column to be row numbers, given its name as
// spelled in the file; nil if the name rules that out. Names that end in the word Id, indexNames and GroupColumns
// require distinct integers. counterNames, and other names that end in id, such as humid, require numbers that count
// the rows.
func Numbering(name string) func([]float64) bool {
	switch stem, id := strings.CutSuffix(strings.ToLower(name), "id"); {
	case containsFold(indexNames, name), slices.Contains(GroupColumns, PlainName(name)), id && strings.HasSuffix(name, "Id"),
		id && strings.HasSuffix(name, "ID") && name != strings.ToUpper(name), id && strings.TrimRight(stem, "_-. ") != stem:
		return distinctIntegers
	case id, containsFold(counterNames, name):
		return func(x []float64) bool { return CountsRows(x) && len(x) >= minCounted }
	}
	return nil
}

// errIndexColumn is the error of a column with an index name whose numbers are not row numbers.
func errIndexColumn(name string) error {
	return problem.New("csv file: column %s seems to number the rows; leave it out, or rename it if it is a feature", name)
}

// weightNames are names of columns that would change the likelihood, which no kind of model supports.
var weightNames = []string{"weights", "sampleweight", "sampleweights", "caseweight", "caseweights", "trials", "ntrials",
	"offset", "offsets"}

// CheckFeatures returns an error if a feature has a name that denotes weights, trials or an offset.
func CheckFeatures(names []string) error {
	for _, name := range names {
		if slices.Contains(weightNames, PlainName(name)) {
			return problem.New("csv file: column %s is not read, and would change the model: leave it out, or give it another "+
				"name if it is a feature", name)
		}
	}
	return nil
}

// checkDistinct returns an error if two columns have the same name.
func checkDistinct(names []string) error {
	for j, name := range names {
		if k := slices.Index(names, name); k < j && name != "" {
			return problem.New("csv file: columns %d and %d are both called %s; leave one out", k+1, j+1, name)
		}
	}
	return nil
}

// missingMarks are the usual notations for a missing value.
var missingMarks = []string{"", "na", "n/a", "#n/a", "<na>", "n.a.", "nan", "nat", "null", "none", "missing", "?", "-", "."}

// containsFold reports whether words contains s, ignoring case.
func containsFold(words []string, s string) bool { return slices.Contains(words, strings.ToLower(s)) }

// isRowNames reports whether the name of the first column says that it holds row names or numbers: "" and row.names of
// R, "Unnamed: 0" of pandas.
func isRowNames(name string) bool {
	return containsFold(rowNameHeaders, name) || strings.HasPrefix(strings.ToLower(name), "unnamed:")
}

// LeftOut adds to a note, which may be nil, that column j, counted from 0, is left out.
func LeftOut(left error, j int, name string) error {
	out := problem.New("column %s left out, as it names or numbers the rows", name)
	if name == "" {
		out = problem.New("column %d left out, as it names or numbers the rows", j+1)
	}
	if left != nil {
		out = problem.New("%w; %w", left, out)
	}
	return out
}

// hasLetter reports whether a cell contains a letter.
func hasLetter(cell string) bool { return strings.ContainsFunc(cell, unicode.IsLetter) }

// distinctNames reports whether all cells are texts with letters and no two are equal.
func distinctNames(cells []string) bool {
	seen := map[string]bool{}
	for _, c := range cells {
		if seen[c] || !hasLetter(c) || IsNumber(c) {
			return false
		}
		seen[c] = true
	}
	return true
}

// distinctIntegers reports whether all numbers are integers and no two are equal.
func distinctIntegers(x []float64) bool {
	seen := map[float64]bool{}
	for _, v := range x {
		if seen[v] || v != float64(int64(v)) {
			return false
		}
		seen[v] = true
	}
	return true
}

// CountsRows reports whether numbers count rows: they rise by 1, from 0 or from 1.
func CountsRows(x []float64) bool {
	for i, v := range x {
		if from := x[0]; from != 0 && from != 1 || v != from+float64(i) {
			return false
		}
	}
	return len(x) > 0
}

// twoClasses returns the two texts that occur in a column of labels, in alphabetical order; any other number of texts,
// and numbers, are an error.
func twoClasses(cells []string) ([]string, error) {
	var classes []string
	for _, c := range cells {
		if !slices.Contains(classes, c) && len(classes) < 20 {
			classes = append(classes, c)
		}
	}
	slices.Sort(classes)
	if numbered := slices.IndexFunc(classes, IsNumber); numbered >= 0 || len(classes) != 2 {
		return nil, problem.New("labels must be 0 and 1, -1 and 1, or two texts; the column has %s",
			strings.Join(classes[:min(len(classes), 4)], ", "))
	}
	return classes, nil
}

// IsMissing reports whether a cell denotes a missing value.
func IsMissing(cell string) bool { return containsFold(missingMarks, cell) }

// errMissing is the error of a missing value in column j, counted from 0.
func errMissing(line, j int) error {
	return problem.New("csv file: line %d, column %d: the value is missing; fill it in or leave the line out", line, j+1)
}

// NonUnits returns the columns of a table of binary units, counted from 0, that are not units according to their names:
// a first column that names or numbers the rows, and labels. names is nil if there is no header. note lists these
// columns; it is nil if all are units.
func NonUnits(names []string) (columns []int, note error) {
	var listed []string
	for j, name := range names {
		if j == 0 && (isRowNames(name) || containsFold(indexNames, name)) || containsFold(labelNames, name) {
			columns = append(columns, j)
			if name == "" {
				name = strconv.Itoa(j + 1)
			}
			listed = append(listed, name)
		}
	}
	if columns == nil {
		return nil, nil
	}
	return columns, problem.New("columns left out, as they number the rows or are their labels: %s",
		strings.Join(listed, ", "))
}
