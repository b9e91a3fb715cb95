package spec

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Param describes a parameter of a method or a model, for the command line, links and the controls of the page.
type Param struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // int, float, choice or string
	Default string   `json:"default"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Choices []string `json:"choices,omitempty"`
	Help    string   `json:"help"` // one plain sentence
	Main    bool     `json:"-"`    // shown on the page at all times, with a slider; other parameters are in a drawer
	Target  bool     `json:"-"`    // of a model: the parameter changes the target and therefore log Z
	// KindUnknown marks a parameter of a user file before the file is read, so that the kind of model is not known. The
	// kind may have another default, so a link always states the value.
	KindUnknown bool `json:"-"`
	// The parameter has an effect only if all Needs are met and at least one of the features in For is present: in a
	// method if the parameter belongs to a model, in the model if it belongs to a method. For = 0 requires no feature.
	// Setting a parameter that has no effect is an error (Spec.Check).
	Needs []Need `json:"-"`
	For   Use    `json:"-"`
	// Check returns the canonical text of a string parameter, or an error; nil accepts all texts.
	Check func(string) (string, error) `json:"-"`
}

// Canonical checks the text of a value and returns its canonical form; for numbers this is the shortest decimal that
// parses to the same number. The error names the parameter by key.
func (p Param) Canonical(key, text string) (string, error) {
	switch p.Type {
	case "int":
		outside := func() error {
			return problem.New("%s = %s is out of range; it must be between %s and %s", key, text, Decimal(p.Min),
				Decimal(p.Max))
		}
		x, err := strconv.Atoi(text)
		if err != nil {
			// 1e4 and 1000.0 are integers too.
			f, err := num.Parse(text)
			if err == nil && math.Abs(f) > 1e15 {
				return "", outside()
			}
			if err != nil || f != math.Trunc(f) {
				return "", problem.New("%s = %q is not an integer; it must be between %s and %s", key, text, Decimal(p.Min),
					Decimal(p.Max))
			}
			x = int(f)
		}
		if float64(x) < p.Min || float64(x) > p.Max {
			return "", outside()
		}
		return strconv.Itoa(x), nil

	// Numbers and choices.
	case "float":
		x, err := num.Parse(text)
		if err != nil || !(x >= p.Min && x <= p.Max) {
			return "", problem.New("%s = %q must be a number between %s and %s", key, text, Decimal(p.Min), Decimal(p.Max))
		}
		return Decimal(x), nil
	case "choice":
		for _, c := range p.Choices {
			if text == c {
				return c, nil
			}
		}
		return "", problem.New("%s = %q must be one of: %s", key, text, strings.Join(p.Choices, ", "))
	}

	// Texts, with their own check if p has one.
	if p.Check == nil {
		return text, nil
	}
	c, err := p.Check(text)
	if err != nil {
		return "", problem.New("%s: %w", key, err)
	}
	return c, nil
}

// Decimal returns the shortest decimal that parses to x; -0 becomes 0. For finite x it is valid JSON.
func Decimal(x float64) string {
	if x == 0 {
		x = 0
	}
	if math.Abs(x) >= 1e-5 && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// JSONNumber returns x as JSON: its shortest decimal, as in links, or null if x is NaN or infinite.
func JSONNumber(x float64) string {
	if !num.Finite(x) {
		return "null"
	}
	return Decimal(x)
}

// Values holds the parameters of one method or model by name, including defaults.
type Values map[string]string

// Defaults returns the default values of params.
func Defaults(params []Param) Values {
	v := Values{}
	for _, p := range params {
		v[p.Name] = p.Default
	}
	return v
}

// Int returns the value of an int parameter, 0 if it is missing.
func (v Values) Int(name string) int { x, _ := strconv.Atoi(v[name]); return x }

// Float returns the value of a float parameter, 0 if it is missing.
func (v Values) Float(name string) float64 { x, _ := strconv.ParseFloat(v[name], 64); return x }
