package format

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
)

// minus is the typographic minus sign.
const minus = "\u2212"

// Decimals returns the number of decimals to print for a value with standard error se, from 0 to 9: the position of the
// leading digit of se, plus one if that digit is 1. It is 2 if se is not positive and finite.
func Decimals(se float64) int {
	if !(se > 0) || math.IsInf(se, 0) {
		return 2
	}
	e := exponent(se)
	if se < 2*pow10(e) {
		e--
	}
	return min(max(-e, 0), 9)
}

// Fixed formats x with the given number of decimals and a typographic minus sign. A value that rounds to zero has no
// sign.
func Fixed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if digits, ok := strings.CutPrefix(s, "-"); ok {
		if strings.Trim(digits, "0.") == "" {
			return digits
		}
		return minus + digits
	}
	return s
}

// RoundDown formats a lower bound rounded down to the given number of decimals, so that the printed number is a lower
// bound, too.
func RoundDown(bound float64, decimals int) string {
	p := pow10(decimals)
	return Fixed(math.Floor(bound*p)/p, decimals)
}

// RoundUp formats an upper bound rounded up to the given number of decimals, so that the printed number is an upper
// bound, too.
func RoundUp(bound float64, decimals int) string {
	p := pow10(decimals)
	return Fixed(math.Ceil(bound*p)/p, decimals)
}

// Signed is Fixed with a plus sign for positive values that do not round to zero.
func Signed(x float64, decimals int) string {
	s := Fixed(x, decimals)
	if x > 0 && strings.Trim(s, "0.") != "" {
		return "+" + s
	}
	return s
}

// Grouped is Fixed with commas between thousands: −12,345.6.
func Grouped(x float64, decimals int) string {
	s := Fixed(x, decimals)
	sign := ""
	if digits, ok := strings.CutPrefix(s, minus); ok {
		sign, s = minus, digits
	}
	whole, rest, _ := strings.Cut(s, ".")
	if rest != "" {
		rest = "." + rest
	}
	return sign + commas(whole) + rest
}

// Thousands formats x as an integer with an ASCII minus sign and commas between thousands: -12,345.
func Thousands(x float64) string {
	s := strconv.FormatFloat(x, 'f', 0, 64)
	if digits, ok := strings.CutPrefix(s, "-"); ok {
		return "-" + commas(digits)
	}
	return commas(s)
}

// commas inserts commas between thousands.
func commas(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Value formats an estimate to the precision of its standard error (Decimals), with at most 6 decimals.
func Value(x, se float64) string { return Grouped(x, min(Decimals(se), 6)) }

// Trimmed is Fixed without trailing zeros: 0.5, 1.
func Trimmed(x float64, decimals int) string { return trimZeros(Fixed(x, decimals)) }

// trimZeros removes trailing zeros of the decimals.
func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Ratio formats a ratio x ≥ 0 with two significant digits: 0.0012, 0.56, 1.0, 23.
func Ratio(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.001:
		return "< 0.001"
	case x >= 9.95:
		return Grouped(x, 0)
	case x >= 0.995:
		return Grouped(x, 1)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}

// Glance formats a number for a table of rough values: two decimals, three if |x| < 0.1, none if |x| >= 1000, and a
// hyphen if x is not finite.
func Glance(x float64) string {
	switch size := math.Abs(x); {
	case !num.Finite(x):
		return "-"
	case size >= 1000:
		return Fixed(x, 0)
	case size < .1:
		return Fixed(x, 3)
	}
	return Fixed(x, 2)
}

// units are the SI prefixes that SI and Tick use, largest first.
var units = [...]struct {
	size float64
	name string
}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}

// space is the no-break space between a number and its SI prefix.
const space = "\u00a0"

// SI formats a positive number with an SI prefix and the given number of significant digits: 1.2 k, 51 k, 3 M. Integers
// below 1000 keep all their digits.
func SI(x float64, digits int) string {
	for _, u := range units {
		if x >= .9995*u.size {
			return significant(x/u.size, digits) + space + u.name
		}
	}
	return significant(x, digits)
}

// significant formats x with the given number of significant digits, without trailing zeros.
func significant(x float64, digits int) string {
	if x > 0 && x < 1e-4 {
		return strconv.FormatFloat(x, 'g', digits, 64)
	}
	return trimZeros(strconv.FormatFloat(x, 'f', max(digits-1-exponent(x), 0), 64))
}

// Spaced inserts a space after every four characters of a hash.
func Spaced(hash string) string {
	var parts []string
	for ; len(hash) > 4; hash = hash[4:] {
		parts = append(parts, hash[:4])
	}
	return strings.Join(append(parts, hash), " ")
}

// ASCII replaces the minus sign by -, ± by +- and × by x, for terminals and files.
func ASCII(s string) string { return strings.NewReplacer(minus, "-", "±", "+-", "×", "x").Replace(s) }

// Superscript writes the exponents of powers of ten as superscripts: 10^12 becomes 10¹².
func Superscript(s string) string {
	head, digits, ok := strings.Cut(s, "10^")
	if !ok {
		return s
	}
	n := len(digits) - len(strings.TrimLeft(digits, "0123456789"))
	high := strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸",
		"9", "⁹").Replace(digits[:n])
	return head + "10" + high + Superscript(digits[n:])
}

// exponent returns the decimal exponent of |x|: the largest e with 10^e ≤ |x|, exactly. It is 0 if x is zero or not
// finite.
func exponent(x float64) int {
	if x == 0 || !num.Finite(x) {
		return 0
	}
	_, e, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}

// pow10 returns 10^e, correctly rounded.
func pow10(e int) float64 {
	x, _ := strconv.ParseFloat("1e"+strconv.Itoa(e), 64)
	return x
}

// DecimalComma rewrites the numbers in a text with a decimal comma and the given space between thousands: 1,234.5
// becomes 1 234,5.
func DecimalComma(s, space string) string {
	if !strings.ContainsAny(s, ".,") {
		return s
	}
	var b strings.Builder
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	for i := range len(s) {
		switch between := digit(i-1) && digit(i+1); {
		case between && s[i] == '.':
			b.WriteByte(',')
		case between && s[i] == ',':
			b.WriteString(space)
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
