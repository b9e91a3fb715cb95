package latent

import (
	"slices"
	"strings"

	"logzlab/core/csv"
	"logzlab/core/modelfile"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models"
)

// Names of columns, in small letters.
var (
	returnNames = []string{"return", "returns", "ret", "logreturn", "log return", "rendite", "renditen", "y"}
	priceNames  = []string{"adj close", "adjclose", "adjusted close", "close", "price", "rate", "value", "schluss",
		"schlusskurs", "kurs", "preis", "wert"}
	groupNames   = []string{"group", "cluster", "subject", "ward", "school", "gruppe"}
	outcomeNames = []string{"y", "outcome"}
)

// fewestReturns is from how many lines on a column of numbers alone is a series.
const fewestReturns = 10

// readReturns reads a table of prices or returns: a column of dates and one of numbers, or one of numbers alone. Prices
// become differences of logarithms in percent; the mean of the returns is taken away, as the model has none.
func readReturns(c *csv.Columns) (models.File, bool, error) {
	dates, returns := c.Dates(), c.Find(returnNames...)
	if dates < 0 && (len(c.Rows[0]) > 1 || len(c.Rows) < fewestReturns && returns < 0 && c.Find(priceNames...) < 0) {
		return nil, false, nil
	}
	if err := c.Check(); err != nil {
		return nil, true, err
	}

	// The column of numbers: by its name, or the only one beside the dates.
	at := returns
	if at < 0 {
		for _, name := range priceNames {
			if at = c.Find(name); at >= 0 {
				break
			}
		}
	}
	if others := len(c.Rows[0]) - min(dates+1, 1); at < 0 && others == 1 {
		at = len(c.Rows[0]) - 1
		if dates == at {
			at = 0
		}
	}
	if at < 0 || at == dates {
		return nil, true, problem.New("csv file: which column has the prices? Call it price, or return if it has returns")
	}

	if dates >= 0 {
		if err := c.InOrder(dates); err != nil {
			return nil, true, err
		}
	}
	x, err := c.Numbers(at)
	if err != nil {
		return nil, true, err
	}
	named := c.Names != nil && slices.Contains(priceNames, c.Names[at])
	if y, err := returnsOf(x, returns < 0 && (named || mostlyPositive(x)), c.Lines); err != nil {
		return nil, true, err
	} else if p := (SVParams{Y: y}); len(y) < 1 || len(y) > maxSeries {
		return nil, true, problem.New("%s file: y has %d values; there must be between 1 and %d", "sv", len(y), maxSeries)
	} else if err := p.varies(); err != nil {
		return nil, true, err
	} else {
		return p, true, nil
	}
}

// mostlyPositive reports whether numbers are prices, with an error among them perhaps: nine in ten are positive.
func mostlyPositive(x []float64) bool {
	n := 0
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return 10*n >= 9*len(x)
}

// returnsOf makes returns less their mean.
func returnsOf(x []float64, prices bool, lines []int) ([]float64, error) {
	y := x
	if prices {
		y = nil
		for i, v := range x {
			if v <= 0 {
				return nil, problem.New("csv file: line %d: a price must be positive, not %v; if these are returns, call the "+
					"column return", lines[i], v)
			}
			if i > 0 {
				y = append(y, num.Mul(100, num.Log(v)-num.Log(x[i-1])))
			}
		}
	}
	if len(y) < 2 {
		return nil, problem.New("csv file: %d values are no series; give more", len(x))
	}
	lo, hi := slices.Min(y), slices.Max(y)
	if hi-lo <= num.Mul(1e-9, max(hi, -lo)) { // refused later; no rounding may hide it
		return slices.Repeat(y[:1], len(y)), nil
	}
	mean, out := 0., make([]float64, len(y))
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for i, v := range y {
		out[i] = v - mean
	}
	return out, modelfile.Within("sv", "y", -1e6, 1e6, out...)
}

// readGroups reads a table with a column group, one y of 0 and 1, and covariates. Its priors are b ~ N(0, 2.5^2) and
// psi ~ N(0, 1.5^2).
func readGroups(c *csv.Columns) (models.File, bool, error) {
	group, outcome := c.Find(groupNames...), c.Find(outcomeNames...)
	if group < 0 || outcome < 0 {
		return nil, false, nil
	}
	if err := c.Check(); err != nil {
		return nil, true, err
	}
	numbered, err := c.Index()
	if err != nil {
		return nil, true, err
	}
	y, err := c.Numbers(outcome)
	if err != nil {
		return nil, true, err
	}

	// Every other column is a covariate.
	var covariates [][]float64
	for j, name := range c.Names {
		if j == group || j == outcome || j == 0 && numbered {
			continue
		}
		if slices.Contains(outcomeNames, name) {
			return nil, true, problem.New("csv file: columns %d and %d both say what came out (%s); leave one out", outcome+1,
				j+1, strings.Join(outcomeNames, ", "))
		}
		x, err := c.Numbers(j)
		if err != nil {
			return nil, true, err
		}
		covariates = append(covariates, x)
	}

	// Rows are sorted by group.
	p, at := GLMMParams{P: len(covariates), PriorSD: 2.5, PsiSD: 1.5, labels: y}, map[string]int{}
	for i, row := range c.Rows {
		name := row[group]
		if name == "" {
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
	return p, true, p.check()
}
