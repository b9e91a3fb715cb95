package num

import (
	"errors"
	"strconv"
	"strings"
)

var errNumber = errors.New("not a decimal number, or too large or too small for one")

// Parse parses a decimal number such as -0.5 or 1e-3. It accepts the numbers that strconv.ParseFloat accepts, except
// underscores, hexadecimals, infinities, NaN, and nonzero numbers that round to 0.
func Parse(text string) (float64, error) {
	if x, ok := parsePlain(text); ok {
		return x, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	if err != nil || strings.Trim(text, "+-.0123456789eE") != "" || x == 0 && strings.ContainsAny(mantissa, "123456789") {
		return 0, errNumber
	}
	return x, nil
}

// tens are the powers of ten by which parsePlain divides.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parsePlain parses most numbers in files: at most 15 decimals with or without a point. The mantissa as an integer and
// the power of ten are exact, so their quotient is rounded once, as in strconv.ParseFloat.
func parsePlain(text string) (x float64, ok bool) {
	minus := text != "" && text[0] == '-'
	if minus {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > len(tens) {
		return 0, false
	}
	n, after, point := int64(0), 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c-'0' < 10:
			n = 10*n + int64(c-'0')
			after += point
		case c == '.' && point == 0:
			point = 1
		default:
			return 0, false
		}
	}
	if len(text)-point == 0 || len(text)-point == len(tens) {
		return 0, false
	}
	if x = float64(n) / tens[after]; minus {
		x = -x
	}
	return x, true
}
