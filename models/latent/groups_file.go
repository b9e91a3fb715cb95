package latent

import (
	"slices"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/problem"
	"logzlab/models"
)

// Names of columns in lower case. A column with a name of groupNames has the groups; one with a name of
// csv.GroupColumns has them only if the table has an outcome and a value of the column repeats. Columns of notOutcomes
// are binary but are not outcomes.
var (
	groupNames   = []string{"group", "cluster", "subject", "ward", "school", "gruppe"}
	outcomeNames = []string{"y", "outcome", "response", "result", "success", "died", "survived", "recovered"}
	labelNames   = []string{"label", "labels", "class", "target"}

	notOutcomes = []string{"sex", "gender", "male", "female", "treatment", "treated", "trt", "treat", "arm"}
)

// groupColumns finds the columns of groups and outcomes of a mixed model by their names and values. isGLMM is false if
// the table has no such model. err says what is missing or ambiguous.
func groupColumns(c *csv.Columns) (group, outcome int, isGLMM bool, err error) {
	group, outcome = c.Find(groupNames...), c.Find(outcomeNames...)
	if group >= 0 && outcome >= 0 {
		return group, outcome, true, nil
	}
	unrepeated := -1 // a column named in csv.GroupColumns whose values do not repeat
	for _, name := range csv.GroupColumns {
		j := slices.IndexFunc(c.Names, func(x string) bool { return csv.PlainName(x) == name })
		switch {
		case j < 0 || group >= 0:
		case c.Repeats(j):
			group = j
		case name != "id" && name != "pid":
			unrepeated = j
		}
	}
	switch last := len(c.Names) - 1; {
	case c.Find(labelNames...) >= 0 || c.Err != nil || outcome < 0 && c.Dates() >= 0:
		return 0, 0, false, nil
	case group >= 0 && outcome >= 0:
		return group, outcome, true, nil
	case group < 0 && unrepeated >= 0 && outcome >= 0 && outcome < last:
		return 0, 0, true, problem.New("csv file: each %s has one row; groups have several, and for a classifier call %s "+
			"label", c.Names[unrepeated], c.Names[outcome])
	case group < 0:
		return 0, 0, false, nil
	}

	// With groups in the first column, the last column is the outcome if no other column is binary.
	firstColumn, binaryColumns, otherNames := 0, 0, []string(nil)
	if note, err := c.Index(); err == nil && note != nil {
		firstColumn = 1
	}
	for j := firstColumn; j < len(c.Names); j++ {
		if j == group {
			continue
		}
		otherNames = append(otherNames, c.Names[j])
		if x, _, err := c.Outcomes(j); err == nil && isBinary(x) {
			outcome = j
			binaryColumns++
		}
	}
	if binaryColumns == 1 && group == firstColumn && outcome == len(c.Names)-1 && !slices.Contains(notOutcomes, c.Names[outcome]) {
		return group, outcome, true, nil
	}
	return 0, 0, true, problem.New("csv file: %s may name groups, but which column is the outcome? Call it y for a "+
		"mixed model, or label for a classifier (%s)", c.Names[group], models.ColumnList(otherNames))
}

// isBinary reports whether the numbers are 0 and 1, with both present.
func isBinary(x []float64) bool {
	return slices.Contains(x, 0) && slices.Contains(x, 1) &&
		!slices.ContainsFunc(x, func(v float64) bool { return v != 0 && v != 1 })
}

// readGroups reads a table with a column of groups, an outcome of 0 and 1 or of two texts, and covariates. The priors
// are N(0, 2.5^2) of each coefficient and psi ~ N(0, 1.5^2). The second result is false if the table has no groups.
func readGroups(c *csv.Columns) (models.File, bool, error) {
	group, outcome, isGLMM, err := groupColumns(c)
	if !isGLMM || err != nil {
		return nil, isGLMM, err
	}
	if err := c.Check(); err != nil {
		return nil, true, err
	}
	var indexNote error
	if group != 0 && outcome != 0 {
		if indexNote, err = c.Index(); err != nil {
			return nil, true, err
		}
	}
	y, classes, err := c.Outcomes(outcome)
	if err != nil {
		return nil, true, err
	}

	if i := slices.IndexFunc(y, func(v float64) bool { return v != 0 && v != 1 }); i >= 0 {
		return nil, true, problem.New("csv file: line %d, column %d: the outcome %v is neither 0 nor 1; write two outcomes "+
			"so, and for counts and measurements a program of the Stan language", c.Lines[i], outcome+1, y[i])
	}

	// All other columns are covariates.
	var covariates [][]float64
	var names []string
	for j, name := range c.Names {
		if j == group || j == outcome || j == 0 && indexNote != nil {
			continue
		}
		if slices.Contains(outcomeNames, name) {
			return nil, true, problem.New("csv file: columns %d and %d may both be the outcome (%s); leave one out", outcome+1,
				j+1, strings.Join(outcomeNames, ", "))
		}
		key, err := c.Key(j)
		if err == nil && key != nil {
			indexNote = models.JoinPhrases(indexNote, key)
			continue
		}
		if err == nil {
			err = checkCovariate(c, group, j)
		}
		var x []float64
		if err == nil {
			x, err = c.Numbers(j)
		}
		if err != nil {
			return nil, true, err
		}
		covariates, names = append(covariates, x), append(names, name)
	}

	// Sort rows into groups.
	p, groupIndex := GLMMParams{P: len(covariates), PriorSD: 2.5, PsiSD: 1.5, labels: y}, map[string]int{}
	for i, row := range c.Rows {
		name := row[group]
		if csv.IsMissing(name) {
			return nil, true, problem.New("csv file: line %d, column %d: the value is missing; fill it in or leave the line "+
				"out", c.Lines[i], group+1)
		}
		g, ok := groupIndex[name]
		if !ok {
			g = len(p.Y)
			groupIndex[name] = g
			p.X, p.Y = append(p.X, nil), append(p.Y, nil)
		}
		p.Y[g] = append(p.Y[g], y[i])
		for _, x := range covariates {
			p.X[g] = append(p.X[g], x[i])
		}
	}
	p.readNote = describeGroups(c.Names[group], c.Names[outcome], classes, names, indexNote)
	return p, true, p.check()
}

// checkCovariate returns an error if column j cannot be a covariate: dates, another column of groups, or a name that is
// not that of a feature. group is the column of the groups.
func checkCovariate(c *csv.Columns, group, j int) error {
	switch name := c.Names[j]; {
	case j == c.Dates():
		return csv.ErrDateColumn(j)
	case slices.Contains(groupNames, name), slices.Contains(csv.GroupColumns, csv.PlainName(name)):
		return problem.New("csv file: columns %d and %d both name groups; leave one out", group+1, j+1)
	}
	return csv.CheckFeatures(c.Names[j : j+1])
}

// describeGroups returns a translatable phrase that says which columns were read as groups, outcome and covariates.
func describeGroups(group, outcome string, classes, covariates []string, indexNote error) error {
	columns := problem.New("groups by %s, outcome %s", group, outcome)
	if covariates != nil {
		columns = problem.New("groups by %s, outcome %s, covariates %s", group, outcome, models.ColumnList(covariates))
	}
	var classNote error
	if classes != nil {
		classNote = problem.New("%s is 0, %s is 1", classes[0], classes[1])
	}
	return models.JoinPhrases(columns, classNote, indexNote)
}
