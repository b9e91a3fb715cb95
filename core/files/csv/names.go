package csv

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"logzlab/core/problem"
)

// Names of columns, in small letters. Those of rows are never a feature; nor are indexes, which must be whole numbers
// that differ. Counters are none where they count the rows. y is the label only where it stands first and no other name
// says label: it may be a coordinate.
var (
	labelNames     = []string{"label", "labels", "class", "target"}
	rowNameHeaders = []string{"", "rownames", "row.names", "row_names", "row names", "rowname", "row.name", "row_name", "...1"}
	indexNames     = []string{"index", "id", "row", "idx", "rowid", "row_id", "row id"}
	counterNames   = []string{"obs", "observation", "no", "no.", "nr", "nr.", "#", "n", "case", "sample", "record", "row_number",
		"row number", "rownumber", "rownum", "row_num"}
)

// GroupColumns are names of columns, as PlainName has them, that say whose a row is.
var GroupColumns = []string{"patient", "patientid", "subjectid", "subj", "person", "personid", "participant", "participantid",
	"herd", "district", "clinic", "hospital", "litter", "household", "animal", "groupid", "schoolid", "clusterid", "pid",
	"id"}

// PlainName is a name in small letters without what may stand between words.
func PlainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(name))
}

// minCounted is from how many rows on a column may count them where its name alone does not say so.
const minCounted = 5

// Numbering is what the numbers of a column must pass to be those of the rows, given its name as the file spells it;
// nil: no number makes it so. Names that end in a word Id, indexes and owners have whole numbers that differ. Counters,
// and names that end in id, as humid does, count the rows.
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

// errIndexColumn is the error of an index that has other numbers.
func errIndexColumn(name string) error {
	return problem.New("csv file: column %s may be no feature; leave it out, or give it another name if it is one", name)
}

// weightNames are columns that would change the likelihood, which no kind here has a place for.
var weightNames = []string{"weights", "sampleweight", "sampleweights", "caseweight", "caseweights", "trials", "ntrials",
	"offset", "offsets"}

// CheckFeatures refuses a column of features whose name says that it is none.
func CheckFeatures(names []string) error {
	for _, name := range names {
		if slices.Contains(weightNames, PlainName(name)) {
			return problem.New("csv file: column %s is not read, and would change the model: leave it out, or give it another "+
				"name if it is a feature", name)
		}
	}
	return nil
}

// checkDistinct refuses two columns of one name.
func checkDistinct(names []string) error {
	for j, name := range names {
		if k := slices.Index(names, name); k < j && name != "" {
			return problem.New("csv file: columns %d and %d are both called %s; leave one out", k+1, j+1, name)
		}
	}
	return nil
}

// missingMarks are ways to write that there is no value.
var missingMarks = []string{"", "na", "n/a", "#n/a", "<na>", "n.a.", "nan", "nat", "null", "none", "missing", "?", "-", "."}

func containsFold(words []string, s string) bool { return slices.Contains(words, strings.ToLower(s)) }

// isRowNames tells whether the name of a first column says that it has names or numbers of rows: "" and row.names of R,
// "Unnamed: 0" of pandas.
func isRowNames(name string) bool {
	return containsFold(rowNameHeaders, name) || strings.HasPrefix(strings.ToLower(name), "unnamed:")
}

// LeftOut adds to a phrase, which may be nil, that column j, counted from 0, is not read.
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

func hasLetter(cell string) bool { return strings.ContainsFunc(cell, unicode.IsLetter) }

// distinctNames tells whether all cells are texts with letters, no two the same.
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

// distinctIntegers tells whether all numbers are whole, no two the same.
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

// CountsRows tells whether numbers count rows: they rise by 1, from 0 or from 1.
func CountsRows(x []float64) bool {
	for i, v := range x {
		if from := x[0]; from != 0 && from != 1 || v != from+float64(i) {
			return false
		}
	}
	return len(x) > 0
}

// twoClasses are the texts that are labels, in the order of the alphabet; there must be two, and no numbers.
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

// IsMissing tells whether a cell says that there is no value.
func IsMissing(cell string) bool { return containsFold(missingMarks, cell) }

// errMissing is the error of such a cell in column j, counted from 0.
func errMissing(line, j int) error {
	return problem.New("csv file: line %d, column %d: the value is missing; fill it in or leave the line out", line, j+1)
}

// NonUnits are columns of a table of units, counted from 0, that are none by their names: a first one that names or
// numbers the rows, and labels. names are nil where there is no header. left is a phrase that says so, nil: all are
// units.
func NonUnits(names []string) (columns []int, left error) {
	var called []string
	for j, name := range names {
		if j == 0 && (isRowNames(name) || containsFold(indexNames, name)) || containsFold(labelNames, name) {
			columns = append(columns, j)
			if name == "" {
				name = strconv.Itoa(j + 1)
			}
			called = append(called, name)
		}
	}
	if columns == nil {
		return nil, nil
	}
	return columns, problem.New("columns left out, as they number the rows or are their labels: %s",
		strings.Join(called, ", "))
}
