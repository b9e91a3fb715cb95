package schedule

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
)

// Knots is the number of inverse temperatures of a schedule drawn by hand: they stand at even shares of the run, with
// straight lines between them and to the ends.
const Knots = 9

// Shape is the curve of a schedule: its inverse temperatures at Points even steps of a run of so many steps. A bound on
// the length of a step is one on the speed.
func Shape(text string, steps int, path *PathStats) ([]float64, error) {
	if p, err := read(text); err == nil && p.name == "varopt-eta" {
		text = "varopt:" + strconv.FormatFloat(max(num.Mul(p.x, float64(steps)), 1), 'g', -1, 64)
		if p.x*float64(steps) > arguments["varopt"].hi {
			text = "varopt"
		}
	}
	return Make(text, Points, path)
}

// Points is the length of a Shape, which has knots among them.
const Points = 12*(Knots+1) + 1

// Hand are the knots of a curve, with few digits.
func Hand(shape []float64) []float64 {
	x := make([]float64, Knots)
	for i := range x {
		x[i] = max(few(shape[(i+1)*(Points-1)/(Knots+1)]), finest)
		if i > 0 && x[i] <= x[i-1] {
			x[i] = few(x[i-1] + Digit(x[i-1]))
		}
	}
	return Place(x, Knots-1, x[Knots-1]) // away from the end
}

// Drawn is the text of the schedule with these knots, or other inverse temperatures between the ends.
func Drawn(knots []float64) string {
	return "betas:" + list(knots)
}

// list is numbers as texts of parameters have them.
func list(x []float64) string {
	words := make([]string, len(x))
	for i, v := range x {
		words[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strings.Join(words, "_")
}

// Place puts knot i at an inverse temperature, or as near as the others let it: they make room, so that all rise.
func Place(knots []float64, i int, beta float64) []float64 {
	x := append([]float64(nil), knots...)
	x[i] = min(max(few(beta), num.Mul(float64(i+1), finest)), 1-num.Mul(float64(len(x)-i), finest))
	for j := i - 1; j >= 0; j-- {
		if x[j] >= x[j+1] {
			x[j] = few(x[j+1] - Digit(x[j+1]))
		}
	}
	for j := i + 1; j < len(x); j++ {
		if x[j] <= x[j-1] {
			x[j] = few(x[j-1] + Digit(x[j-1]))
		}
	}
	return x
}

// finest is the least distance of knots from each other and from the ends.
const finest = 1e-6

// Digit is one in the last digit of a knot: the second one of its distance from the nearer end.
func Digit(beta float64) float64 { return 1 / scale(beta) }

func scale(beta float64) float64 {
	s := 100.0
	for x := min(beta, 1-beta); x < .1-1e-9 && s < 1/finest; x = num.Mul(x, 10) {
		s = num.Mul(s, 10)
	}
	return s
}

// few rounds an inverse temperature to its last digit.
func few(beta float64) float64 {
	s := scale(beta)
	return math.Round(num.Mul(beta, s)) / s
}
