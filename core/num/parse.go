package num

import (
	"errors"
	"strconv"
	"strings"
)

var errNumber = errors.New("not a decimal number, or too large or too small for one")

// Parse reads a decimal number such as -0.5 or 1e-3: of what strconv.ParseFloat takes,
// not digits with underscores, hexadecimals, infinities, NaN, and not what is too small
// to be told from 0.
func Parse(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	if err != nil || strings.Trim(text, "+-.0123456789eE") != "" || x == 0 && strings.ContainsAny(mantissa, "123456789") {
		return 0, errNumber
	}
	return x, nil
}
