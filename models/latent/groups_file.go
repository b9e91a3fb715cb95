package latent

import (
	"slices"
	"strings"

	"logzlab/core/csv"
	"logzlab/core/problem"
	"logzlab/models"
)

// Names of columns, in small letters. Those of groupNames say it alone; ownerNames do beside an outcome, if a value of
// theirs stands in several rows.
var (
	groupNames = []string{"group", "cluster", "subject", "ward", "school", "gruppe"}
	ownerNames = []string{"patient", "patientid", "patient_id", "patient id", "subjectid", "subject_id", "subject id",
		"subj", "person", "personid", "person_id", "participant", "participantid", "participant_id", "herd", "district",
		"clinic", "hospital", "litter", "household", "animal", "groupid", "group_id", "schoolid", "school_id", "clusterid",
		"cluster_id", "pid", "id"}
	outcomeNames = []string{"y", "outcome"}
	labelNames   = []string{"label", "labels", "class", "target"}
)

// groupsOf are the columns of groups and outcomes of a mixed model; mine is false where the table is none.
func groupsOf(c *csv.Columns) (group, outcome int, mine bool, err error) {
	group, outcome = c.Find(groupNames...), c.Find(outcomeNames...)
	if group >= 0 && outcome >= 0 {
		return group, outcome, true, nil
	}
	for _, name := range ownerNames {
		if j := c.Find(name); group < 0 && j >= 0 && c.Repeats(j) {
			group = j
		}
	}
	if group < 0 || c.Find(labelNames...) >= 0 || c.Err != nil {
		return 0, 0, false, nil
	}
	if outcome >= 0 {
		return group, outcome, true, nil
	}

	// The only column of two values is the outcome.
	var two []string
	for j, name := range c.Names {
		if x, _, err := c.Outcomes(j); j != group && err == nil && binary(x) {
			outcome = j
			two = append(two, name)
		}
	}
	switch {
	case len(two) == 1:
		return group, outcome, true, nil
	case len(two) > 1:
		return 0, 0, true, problem.New("csv file: %s may say groups, and which column says what came out? Call it y for a "+
			"mixed model, or label for a classifier (%s)", c.Names[group], strings.Join(two, ", "))
	}
	return 0, 0, false, nil
}

// binary tells whether numbers are 0 and 1, both of them.
func binary(x []float64) bool {
	return slices.Contains(x, 0) && slices.Contains(x, 1) &&
		!slices.ContainsFunc(x, func(v float64) bool { return v != 0 && v != 1 })
}

// readGroups reads a table with a column of groups, one y of 0 and 1 or of two texts, and covariates. Its priors are
// b ~ N(0, 2.5^2) and psi ~ N(0, 1.5^2).
func readGroups(c *csv.Columns) (models.File, bool, error) {
	group, outcome, mine, err := groupsOf(c)
	if !mine || err != nil {
		return nil, mine, err
	}
	if err := c.Check(); err != nil {
		return nil, true, err
	}
	var left error
	if group != 0 && outcome != 0 {
		if left, err = c.Index(); err != nil {
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

	// Every other column is a covariate.
	var covariates [][]float64
	var names []string
	for j, name := range c.Names {
		if j == group || j == outcome || j == 0 && left != nil {
			continue
		}
		if slices.Contains(outcomeNames, name) {
			return nil, true, problem.New("csv file: columns %d and %d both say what came out (%s); leave one out", outcome+1,
				j+1, strings.Join(outcomeNames, ", "))
		}
		x, err := c.Numbers(j)
		if err == nil {
			err = csv.Features(c.Names[j : j+1])
		}
		if err != nil {
			return nil, true, err
		}
		covariates, names = append(covariates, x), append(names, name)
	}

	// Rows are sorted by group.
	p, at := GLMMParams{P: len(covariates), PriorSD: 2.5, PsiSD: 1.5, labels: y}, map[string]int{}
	for i, row := range c.Rows {
		name := row[group]
		if csv.Missing(name) {
			return nil, true, problem.New("csv file: line %d, column %d: the value is missing; fill it in or leave the line "+
				"out", c.Lines[i], group+1)
		}
		g, ok := at[name]
		if !ok {
			g = len(p.Y)
			at[name] = g
			p.X, p.Y = append(p.X, nil), append(p.Y, nil)
		}
		p.Y[g] = append(p.Y[g], y[i])
		for _, x := range covariates {
			p.X[g] = append(p.X[g], x[i])
		}
	}
	p.from = groupsSaid(c.Names[group], c.Names[outcome], classes, names, left)
	return p, true, p.check()
}

// groupsSaid is a phrase of what the columns were taken for.
func groupsSaid(group, outcome string, classes, covariates []string, left error) error {
	columns := problem.New("groups by %s, outcome %s", group, outcome)
	if covariates != nil {
		columns = problem.New("groups by %s, outcome %s, covariates %s", group, outcome, models.Named(covariates))
	}
	var said error
	if classes != nil {
		said = problem.New("%s is 0, %s is 1", classes[0], classes[1])
	}
	return models.Phrases(columns, said, left)
}
