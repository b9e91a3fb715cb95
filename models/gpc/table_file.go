package gpc

import (
	"fmt"
	"slices"

	"logzlab/core/files/csv"
	"logzlab/core/problem"
	"logzlab/models"
)

// readGPCTable reads a table with a row of features for each datum and its label in the last column.
func readGPCTable(t *csv.Table) (models.File, error) {
	var rows [][]float64
	var y []float64
	for _, row := range t.Rows {
		last := len(row) - 1
		rows, y = append(rows, row[:last]), append(y, row[last])
	}
	g := &Params{N: len(y)}
	if err := g.setLabels(y, func(i int) any { return problem.New("label of line %d", t.Lines[i]) }); err != nil {
		return nil, problem.New("%w; the label is the last column, or the one called label. A table of a series has a "+
			"column return or price, beside dates or alone, and one of groups has columns group and y", err)
	}
	if err := checkLabel(t, y); err != nil {
		return nil, err
	}
	cellName := func(i, j int) string { return fmt.Sprintf("line %d, column %d", t.Lines[i], t.Columns[j]) }
	if err := g.setInputs(rows, cellName); err != nil {
		return nil, err
	}
	g.ReadNote = describeColumns(t)
	return *g, nil
}

// checkLabel returns an error if the last column may not be the label: if all its values are equal, or if the whole
// table is binary and has no names. A column that is named label is accepted with equal values.
func checkLabel(t *csv.Table, y []float64) error {
	if t.Names != nil {
		if err := csv.CheckFeatures(t.Names[:len(t.Names)-1]); err != nil {
			return err
		}
	}
	other := func(v float64) bool { return v != y[0] }
	if len(y) > 1 && !t.HasLabelName && !slices.ContainsFunc(y, other) {
		return problem.New("csv file: line %d, column %d: this label and all others are %v; if another column is the label, "+
			"call it label", t.Lines[0], t.Columns[len(t.Columns)-1], y[0])
	}
	isBinary := true
	for _, row := range t.Rows {
		isBinary = isBinary && !slices.ContainsFunc(row, func(v float64) bool { return v != 0 && v != 1 })
	}
	if isBinary && t.Names == nil && len(t.Columns) > 2 && len(y) > 1 {
		return problem.New("csv file: line %d: all numbers are 0 or 1, without names above; give rows of data beside an "+
			"RBM, and write names over features and a label", t.Lines[0])
	}
	return nil
}

// describeColumns returns a translatable phrase that says which columns were read as features and label.
func describeColumns(t *csv.Table) error {
	last := len(t.Columns) - 1
	columns := problem.New("label in column %d", t.Columns[last])
	if t.Names != nil {
		columns = problem.New("features %s, label %s", models.ColumnList(t.Names[:last]), t.Names[last])
	}
	var classes error
	if t.Classes != nil {
		classes = problem.New("%s is -1, %s is 1", t.Classes[0], t.Classes[1])
	}
	return models.JoinPhrases(columns, classes, t.Left)
}
