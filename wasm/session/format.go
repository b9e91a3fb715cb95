package session

import (
	"fmt"
	"math"
	"strings"
)

func isNumber(x Number) bool { return x-x == 0 }

// Decimals is the number of decimals up to the digit that an error bar reaches,
// one more where its first digit is 1; 2 without an error bar.
func Decimals(se float64) int {
	if !(se > 0) || math.IsInf(se, 0) {
		return 2
	}
	e := math.Floor(math.Log10(se))
	if se < 2*math.Pow(10, e) {
		e--
	}
	return int(min(max(-e, 0), 9))
}

// Fixed is x with a typographic minus.
func Fixed(x float64, digits int) string {
	s := fmt.Sprintf("%.*f", digits, x)
	if strings.HasPrefix(s, "-") {
		if strings.Trim(s, "-0.") == "" {
			return s[1:]
		}
		return "\u2212" + s[1:]
	}
	return s
}

// Signed is Fixed with a plus.
func Signed(x float64, digits int) string {
	s := Fixed(x, digits)
	if x > 0 && strings.Trim(s, "0.") != "" {
		return "+" + s
	}
	return s
}

// Thousands groups an integer: 12,345.
func Thousands(x float64) string {
	s := fmt.Sprintf("%.0f", x)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Short is a count as on an axis: 950, 1.2 k, 51 k, 3 M.
func Short(x float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if x >= .9995*u.size {
			s := fmt.Sprintf("%.1f", x/u.size)
			if x/u.size >= 9.95 {
				s = fmt.Sprintf("%.0f", x/u.size)
			}
			return strings.TrimSuffix(s, ".0") + "\u00a0" + u.name
		}
	}
	return fmt.Sprintf("%.0f", x)
}

// Spaced cuts a hash into groups of four.
func Spaced(hash string) string {
	var parts []string
	for ; len(hash) > 4; hash = hash[4:] {
		parts = append(parts, hash[:4])
	}
	return strings.Join(append(parts, hash), " ")
}

// Ticks are at most n round numbers in [lo, hi], and the decimals they need.
func Ticks(lo, hi float64, n int) (ticks []float64, digits int) {
	if !(hi > lo) || n < 1 {
		return nil, 0
	}
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/float64(n))))
	for _, k := range []float64{1, 2, 5, 10, 20, 50} {
		if math.Floor(hi/(step*k))-math.Ceil(lo/(step*k)) < float64(n) {
			step *= k
			break
		}
	}
	digits = int(max(0, math.Ceil(-float64(math.Log10(step))-1e-9)))
	for i := math.Ceil(lo / step); i <= math.Floor(hi/step) && len(ticks) < n; i++ {
		ticks = append(ticks, float64(i*step))
	}
	return ticks, digits
}
