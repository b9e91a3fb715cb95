package schedule

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
)

// KnotCount is the number of inverse temperatures of a schedule that the user draws. They are at even steps of the run,
// and the schedule is linear between neighbouring knots, and between the outer knots and the ends.
const KnotCount = 9

// Curve returns the inverse temperatures of a schedule at CurvePoints even steps of a run of the given number of steps.
// The argument of varopt-eta, the longest step, becomes the argument of varopt, the highest speed relative to linear.
func Curve(text string, steps int, path *PathStats) ([]float64, error) {
	if p, err := parse(text); err == nil && p.name == "varopt-eta" {
		text = "varopt:" + strconv.FormatFloat(max(num.Mul(p.x, float64(steps)), 1), 'g', -1, 64)
		if p.x*float64(steps) > arguments["varopt"].hi {
			text = "varopt"
		}
	}
	return Make(text, CurvePoints, path)
}

// CurvePoints is the length of a Curve; the knots are among the points.
const CurvePoints = 12*(KnotCount+1) + 1

// CurveKnots returns KnotCount values of a curve (see Curve) at even steps of the run, without the ends, rounded to few
// decimals and strictly increasing.
func CurveKnots(shape []float64) []float64 {
	x := make([]float64, KnotCount)
	for i := range x {
		x[i] = max(roundKnot(shape[(i+1)*(CurvePoints-1)/(KnotCount+1)]), minKnotGap)
		if i > 0 && x[i] <= x[i-1] {
			x[i] = roundKnot(x[i-1] + KnotStep(x[i-1]))
		}
	}
	return MoveKnot(x, KnotCount-1, x[KnotCount-1]) // keep the last knot away from the end
}

// BetasText returns the text, betas:b_b_..., of the schedule with these inverse temperatures between the ends.
func BetasText(knots []float64) string {
	return "betas:" + joinNumbers(knots)
}

// joinNumbers returns the shortest decimals of x, joined by underscores as in links.
func joinNumbers(x []float64) string {
	words := make([]string, len(x))
	for i, v := range x {
		words[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strings.Join(words, "_")
}

// MoveKnot returns the knots with knot i moved to beta, as near as the ends allow, and with the other knots moved as
// needed to keep all increasing.
func MoveKnot(knots []float64, i int, beta float64) []float64 {
	x := append([]float64(nil), knots...)
	x[i] = min(max(roundKnot(beta), num.Mul(float64(i+1), minKnotGap)), 1-num.Mul(float64(len(x)-i), minKnotGap))
	for j := i - 1; j >= 0; j-- {
		if x[j] >= x[j+1] {
			x[j] = roundKnot(x[j+1] - KnotStep(x[j+1]))
		}
	}
	for j := i + 1; j < len(x); j++ {
		if x[j] <= x[j-1] {
			x[j] = roundKnot(x[j-1] + KnotStep(x[j-1]))
		}
	}
	return x
}

// minKnotGap is the smallest distance of knots from each other and from the ends.
const minKnotGap = 1e-6

// KnotStep returns the rounding unit of a knot: one unit in the second significant figure of its distance from the
// nearer end.
func KnotStep(beta float64) float64 { return 1 / knotsPerUnit(beta) }

// knotsPerUnit returns the inverse of KnotStep.
func knotsPerUnit(beta float64) float64 {
	s := 100.0
	for x := min(beta, 1-beta); x < .1-1e-9 && s < 1/minKnotGap; x = num.Mul(x, 10) {
		s = num.Mul(s, 10)
	}
	return s
}

// roundKnot rounds an inverse temperature to a multiple of its KnotStep.
func roundKnot(beta float64) float64 {
	s := knotsPerUnit(beta)
	return math.Round(num.Mul(beta, s)) / s
}
