package latent

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
)

// Units of returns.
const (
	unitAuto     = "auto"
	unitPercent  = "percent"
	unitFraction = "fraction"
	unitPrices   = "prices" // computed from prices, in percent
)

// paramUnit lets users state the unit of returns, because their size is only weak evidence of it.
var paramUnit = spec.Param{Name: "unit", Type: "choice", Default: unitAuto, Target: true,
	Choices: []string{unitAuto, unitPercent, unitFraction},
	Help: "Unit of the returns in a file of your own: percent, or fractions, which are converted to percent. With auto, " +
		"returns of a table are judged by their size, and returns in JSON are not changed. The default prior is for percent."}

// maxFractionSD is the standard deviation below which returns are taken as fractions, if none of them reaches 1 in
// absolute value. Daily and monthly returns of shares, currencies and cryptocurrencies have standard deviations of
// 0.002 to 0.15 as fractions and of 0.2 to 15 as percent.
const maxFractionSD = .15

// unitOf returns the unit of centred returns y with the given mean: by the name of their column, otherwise by their
// size.
func unitOf(name string, y []float64, mean float64) string {
	switch {
	case strings.Contains(name, "%"), strings.Contains(name, "percent"):
		return unitPercent
	case strings.Contains(name, "fraction"):
		return unitFraction
	case looksLikeFractions(y) && max(slices.Max(y)+mean, -slices.Min(y)-mean) < 1:
		return unitFraction
	}
	return unitPercent
}

// looksLikeFractions reports whether the standard deviation of returns is below maxFractionSD.
func looksLikeFractions(y []float64) bool {
	mean, squares := 0., 0.
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		squares += num.Mul(v-mean, v-mean)
	}
	return math.Sqrt(squares/float64(len(y))) < maxFractionSD
}

// toPercent converts p.Y to percent if the unit is fraction. unit is the value of the parameter unit; for "" and "auto"
// p.Unit applies. It returns a phrase about the unit. In percent log p of n returns is smaller by n log 100 than in
// fractions.
func (p *SVParams) toPercent(unit string) (note error, err error) {
	if unit == "" || unit == unitAuto {
		unit = p.Unit
	} else if p.Unit == unitPrices {
		return nil, problem.New("sv: the file has prices, which become returns in percent, so unit has no effect; leave " +
			"it out")
	}
	switch {
	case unit == unitFraction:
		p.Y = slices.Clone(p.Y)
		for i, v := range p.Y {
			p.Y[i] = num.Mul(100, v)
		}
		return problem.New("fractions, converted to percent; log Z is that of percent, for fractions it is %.6f higher",
			num.Mul(float64(len(p.Y)), num.Log(100))), nil
	case unit == "" && looksLikeFractions(p.Y):
		return problem.New("in the unit of the file; they are as small as fractions, and the default prior is made for " +
			"percent: unit = fraction turns them into percent"), nil
	case unit == "":
		return problem.New("log Z is in the unit of the file"), nil
	}
	return problem.New("log Z is in percent"), nil
}

// describe returns a translatable phrase that says which column was read and which were not.
func (s *seriesTable) describe(isPrices bool, mean float64) error {
	name := s.plainName(s.column)
	if s.Names != nil {
		name = s.Names[s.column]
	}
	columns := problem.New("log returns of the prices in column %s", name)
	switch {
	case name == "" && isPrices:
		columns = problem.New("log returns of the prices in column %d", s.column+1)
	case name == "":
		columns = problem.New("column %d", s.column+1)
	case !isPrices:
		columns = problem.New("column %s", name)
	}
	var unused error
	if names := s.columnsExcept(); names != nil {
		unused = problem.New("columns not used: %s", models.ColumnList(names))
	}
	return models.JoinPhrases(columns, s.indexNote, unused, problem.New("their mean %.4g subtracted", mean))
}
