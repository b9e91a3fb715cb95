package frame

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/problem"
)

// Hill is a round normal component of a mixture in the plane: mass times the density N((X, Y), SD^2 I).
type Hill struct{ X, Y, SD, Mass float64 }

// Limits of hills. A hill must be wide enough for pictures and for the quadrature of its log Z, and near enough to the
// base.
const (
	MaxHills              = 12
	MaxHillDistance       = 20. // of X and Y from 0
	MinHillSD, MaxHillSD  = .1, 5.
	MinHillMass, MaxMass  = 1e-3, 1e6
	hillSeparator, within = "~", "_"
)

// ReadHills parses hills, X_Y_SD_MASS each, separated by ~: "-3_1_0.9_10~2_2_0.5_4" are two hills.
func ReadHills(text string) (hills []Hill, err error) {
	if text == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, hillSeparator) {
		var x [4]float64
		numbers := strings.Split(part, within)
		for i, s := range numbers {
			if i < len(x) {
				if x[i], err = strconv.ParseFloat(s, 64); err != nil || math.IsNaN(x[i]) {
					return nil, problem.New("%q is not a number; a hill is X_Y_SD_MASS, for example -3_1_0.9_10", s)
				}
			}
		}
		if len(numbers) != len(x) {
			return nil, problem.New("%q is not a hill; a hill is X_Y_SD_MASS, for example -3_1_0.9_10", part)
		}
		h := Hill{x[0], x[1], x[2], x[3]}
		switch {
		case !(math.Abs(h.X) <= MaxHillDistance && math.Abs(h.Y) <= MaxHillDistance):
			return nil, problem.New("the hill at (%v, %v) is too far away; both coordinates must be between -20 and 20", h.X, h.Y)
		case !(h.SD >= MinHillSD && h.SD <= MaxHillSD):
			return nil, problem.New("a hill has the standard deviation %v; it must be between 0.1 and 5", h.SD)
		case !(h.Mass >= MinHillMass && h.Mass <= MaxMass):
			return nil, problem.New("a hill has the mass %v; it must be between 0.001 and 1000000", h.Mass)
		}
		hills = append(hills, h)
	}
	if len(hills) > MaxHills {
		return nil, problem.New("there are %d hills; there may be at most %d", len(hills), MaxHills)
	}
	return hills, nil
}

// HillsText returns the text of hills for ReadHills, with at most three decimals.
func HillsText(hills []Hill) string {
	number := func(x float64) string { return strconv.FormatFloat(math.Round(1000*x)/1000+0, 'f', -1, 64) }
	var parts []string
	for _, h := range hills {
		parts = append(parts, strings.Join([]string{number(h.X), number(h.Y), number(h.SD), number(h.Mass)}, within))
	}
	return strings.Join(parts, hillSeparator)
}
