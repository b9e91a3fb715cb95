package spec

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Param describes one parameter of a method or a model, for the command line,
// links and the page's controls.
type Param struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // int, float, choice or string
	Default string   `json:"default"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Choices []string `json:"choices,omitempty"`
	Help    string   `json:"help"` // one plain sentence
	Main    bool     `json:"-"`    // chosen before others: the page shows it outside of its drawer, with a slider
	Target  bool     `json:"-"`    // of a model: it changes the target, so that log Z is another one
	// OfUnknownKind says that this is a parameter of an own file whose kind is not known: its default may be another one,
	// so that no value is left out of a link.
	OfUnknownKind bool `json:"-"`
	// Needs must all hold, and what For names must be there, for the parameter to have an effect: of a model's parameter
	// one of the Uses of a method, of a method's parameter one that the model offers; 0 asks for none. A value that has
	// no effect is refused (Spec.Check).
	Needs []Need `json:"-"`
	For   Use    `json:"-"`
	// Check returns the canonical text of a string, or an error; nil accepts all.
	Check func(string) (string, error) `json:"-"`
}

// Canonical returns the canonical text of a value: the shortest decimal that reads back as
// the same number. key is the parameter's name in errors.
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

	// Texts, with a check of their own.
	if p.Check == nil {
		return text, nil
	}
	c, err := p.Check(text)
	if err != nil {
		return "", problem.New("%s: %w", key, err)
	}
	return c, nil
}

// Decimal is the shortest decimal that reads back as x; -0 is 0. A finite x gives a
// number of JSON.
func Decimal(x float64) string {
	if x == 0 {
		x = 0
	}
	if math.Abs(x) >= 1e-5 && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// JSONNumber is x as JSON has it: its shortest decimal, the same as in links, or null when it is NaN or infinite.
func JSONNumber(x float64) string {
	if !num.Finite(x) {
		return "null"
	}
	return Decimal(x)
}

// Values are the parameters of one method or model, defaults filled in.
type Values map[string]string

// Defaults are the default values of parameters.
func Defaults(params []Param) Values {
	v := Values{}
	for _, p := range params {
		v[p.Name] = p.Default
	}
	return v
}

// Int reads an int parameter; Canonical has made sure that it is one.
func (v Values) Int(name string) int { x, _ := strconv.Atoi(v[name]); return x }

// Float reads a float parameter.
func (v Values) Float(name string) float64 { x, _ := strconv.ParseFloat(v[name], 64); return x }
