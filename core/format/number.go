package format

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
)

// minus is the typographic minus sign.
const minus = "\u2212"

// Decimals is the number of decimals up to the digit that an error bar reaches, one
// more where its first digit is 1, at most 9; 2 without an error bar.
func Decimals(se float64) int {
	if !(se > 0) || math.IsInf(se, 0) {
		return 2
	}
	e := exponent(se)
	if se < 2*power(e) {
		e--
	}
	return min(max(-e, 0), 9)
}

// Fixed is x with so many decimals and a typographic minus; what rounds to zero has no
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

// Down is a lower bound with so many decimals: what is printed holds, too. Up is the same of an upper bound.
func Down(bound float64, decimals int) string {
	p := power(decimals)
	return Fixed(math.Floor(bound*p)/p, decimals)
}

func Up(bound float64, decimals int) string {
	p := power(decimals)
	return Fixed(math.Ceil(bound*p)/p, decimals)
}

// Signed is Fixed with a plus where x is positive and does not round to zero.
func Signed(x float64, decimals int) string {
	s := Fixed(x, decimals)
	if x > 0 && strings.Trim(s, "0.") != "" {
		return "+" + s
	}
	return s
}

// Grouped is Fixed with thousands set off by commas: −12,345.6.
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

// Thousands is a whole number as one would type it, but for the commas: -12,345.
func Thousands(x float64) string {
	s := strconv.FormatFloat(x, 'f', 0, 64)
	if digits, ok := strings.CutPrefix(s, "-"); ok {
		return "-" + commas(digits)
	}
	return commas(s)
}

func commas(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Value is an estimate down to the digit that its error bar reaches, with at most 6
// decimals.
func Value(x, se float64) string { return Grouped(x, min(Decimals(se), 6)) }

// AtMost is Fixed without the zeros at the end of its decimals: 0.5, 1.
func AtMost(x float64, decimals int) string { return trimmed(Fixed(x, decimals)) }

// trimmed is a number without the zeros that end its decimals.
func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Ratio is a ratio of at least 0 in two significant digits: 0.0012, 0.56, 1.0, 23.
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

// Rough is a number for a table that is read at a glance: two decimals, three below a
// tenth, none from a thousand on, a hyphen where there is none.
func Rough(x float64) string {
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

// units are the steps of Short and Tick.
var units = [...]struct {
	size float64
	name string
}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}

// space stands between a number and its unit; no line is broken there.
const space = "\u00a0"

// Short is a positive number in so many significant digits, but whole numbers below a
// thousand with all of theirs: 950, 1.2 k, 51 k, 3 M.
func Short(x float64, digits int) string {
	for _, u := range units {
		if x >= .9995*u.size {
			return significant(x/u.size, digits) + space + u.name
		}
	}
	return significant(x, digits)
}

func significant(x float64, digits int) string {
	if x > 0 && x < 1e-4 {
		return strconv.FormatFloat(x, 'g', digits, 64)
	}
	return trimmed(strconv.FormatFloat(x, 'f', max(digits-1-exponent(x), 0), 64))
}

// Spaced cuts a hash into groups of four.
func Spaced(hash string) string {
	var parts []string
	for ; len(hash) > 4; hash = hash[4:] {
		parts = append(parts, hash[:4])
	}
	return strings.Join(append(parts, hash), " ")
}

// ASCII writes - for the minus sign and +- for ±, for terminals and files.
func ASCII(s string) string { return strings.NewReplacer(minus, "-", "±", "+-", "×", "x").Replace(s) }

// Raised writes the exponents of powers of ten small and high: 10^12 is 10¹².
func Raised(s string) string {
	head, digits, ok := strings.Cut(s, "10^")
	if !ok {
		return s
	}
	n := len(digits) - len(strings.TrimLeft(digits, "0123456789"))
	high := strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸",
		"9", "⁹").Replace(digits[:n])
	return head + "10" + high + Raised(digits[n:])
}

// exponent is the decimal exponent of |x|: the largest e with 10^e ≤ |x|, exactly; 0 for
// zero and what is not finite.
func exponent(x float64) int {
	if x == 0 || !num.Finite(x) {
		return 0
	}
	_, e, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}

// power is 10^e, correctly rounded.
func power(e int) float64 {
	x, _ := strconv.ParseFloat("1e"+strconv.Itoa(e), 64)
	return x
}

// Comma writes the numbers of a text with a decimal comma and a space between thousands: 1,234.5 is 1 234,5.
func Comma(s, space string) string {
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
