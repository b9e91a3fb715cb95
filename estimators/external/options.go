package external

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/external/samples"
)

// Params describes the options that users set as key=value.
var Params = []spec.Param{
	{Name: "independent", Type: "choice", Default: "no", Choices: []string{"no", "yes"},
		Help: "Treat samples as independent, as most programs do (yes), or estimate their autocorrelation (no)."},
	{Name: "burn_in", Type: "text", Default: "auto",
		Help: "Percent of each chain that is left out at its start. auto: estimated, or none if samples are treated " +
			"as independent."},
	{Name: "rule", Type: "choice", Default: "trapezoid",
		Choices: []string{"trapezoid", "corrected", "simpson", "left", "right"},
		Help:    "Quadrature rule of ti."},
	{Name: "alpha", Type: "float", Default: "0.3", Min: 0.01, Max: 100,
		Help: "Exponent of the powers (i/K)^(1/alpha) of BEAST 2, which its logs do not contain."},
}

// Options holds the values of Params.
type Options struct {
	Independent bool
	BurnIn      float64  // share of each chain to leave out, from 0 to 0.9; NaN: estimated
	Rule        string   // quadrature rule of thermodynamic integration
	Alpha       float64  // exponent of the powers of BEAST 2, see Params
	drawNames   []string // names of the numbers of a posterior draw; nil without WithDraws
	modelFiles  []samples.File
	values      map[string]string // values that the user gave, by key
	judgeDraws  drawsJudge
}

// drawsJudge makes the reports on posterior draws, one for each of the given methods.
type drawsJudge func(s *samples.Set, methods []string, o Options, m *meter.Meter) ([]*Report, error)

// WithDraws returns options for reading draws from the posterior of a program. names are the names of the numbers of a
// draw; modelFiles are the files that define the program, which the receipt lists; judge makes the reports. judge is a
// parameter so that binaries that read no posterior draws do not link package estimators/external/draws.
func (o Options) WithDraws(names []string, modelFiles []samples.File, judge drawsJudge) Options {
	o.drawNames, o.modelFiles, o.judgeDraws = names, modelFiles, judge
	return o
}

// ParseOptions parses options of the form key=value. It returns an error for an unknown or repeated key and for a value
// out of range.
func ParseOptions(set []string) (Options, error) {
	o := Options{BurnIn: math.NaN(), Rule: "trapezoid", Alpha: 0.3, values: map[string]string{}}
	var keys []string
	for _, p := range Params {
		keys = append(keys, p.Name)
	}

	// Each key must be known and unique, with a value in its range.
	for _, s := range set {
		key, value, ok := strings.Cut(s, "=")
		i := slices.Index(keys, key)
		if !ok || i < 0 {
			return o, problem.New("%q is not key=value with one of the keys %s", s, strings.Join(keys, ", "))
		}
		if o.values[key] != "" {
			return o, problem.New("%s is given twice; leave one out", key)
		}
		p := Params[i]
		x, err := num.Parse(value)
		isInvalid := p.Choices != nil && !slices.Contains(p.Choices, value) ||
			key == "alpha" && (err != nil || x < p.Min || x > p.Max) ||
			key == "burn_in" && value != "auto" && (err != nil || x < 0 || x > 90)
		if isInvalid {
			return o, problem.New("%s = %q: it must be %s", key, value, map[string]string{"independent": "no or yes",
				"burn_in": "auto, or from 0 to 90 percent", "rule": strings.Join(p.Choices, ", "),
				"alpha": "between 0.01 and 100"}[key])
		}

		// Set values that differ from the defaults.
		if o.values[key] = value; value == p.Default {
			continue
		}
		switch key {
		case "independent":
			o.Independent = true
		case "burn_in":
			o.BurnIn = x / 100
		case "rule":
			o.Rule = value
		case "alpha":
			o.Alpha = x
		}
	}
	return o, nil
}

// burn returns the number of samples to leave out at the start of a chain, given its series (see ladder.series).
func (o *Options) burn(series []float64) int {
	switch {
	case num.NotNaN(o.BurnIn):
		return int(o.BurnIn * float64(len(series)))
	case o.Independent:
		return 0
	}
	return burnIn(series)
}
