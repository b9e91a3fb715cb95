package format

import (
	"math"
	"slices"
	"testing"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	for i, c := range [...][2]string{
		{Fixed(-1.25, 1), "\u22121.2"}, {Fixed(-0.004, 2), "0.00"}, {Fixed(math.Copysign(0, -1), 0), "0"}, {Fixed(2, 0), "2"},
		{Signed(.5, 1), "+0.5"}, {Signed(.04, 1), "0.0"}, {Signed(-.5, 1), "\u22120.5"},
		{Grouped(-1234567.5, 1), "\u22121,234,567.5"}, {Grouped(999, 0), "999"}, {Grouped(1000, 0), "1,000"},
		{Grouped(-0.3, 0), "0"},
		{Thousands(12345), "12,345"}, {Thousands(-1), "-1"}, {Thousands(-100), "-100"}, {Thousands(0), "0"},
		{Value(-221.56, 0.04), "\u2212221.56"}, {Value(221.56, 0.17), "221.56"}, {Value(221.56, 0.2), "221.6"},
		{Value(10221.56, 12), "10,222"}, {Value(1, 1e-12), "1.000000"}, {Value(1.5, math.NaN()), "1.50"},
		{Trimmed(0.5, 2), "0.5"}, {Trimmed(1, 2), "1"}, {Trimmed(-.25, 2), "\u22120.25"}, {Trimmed(10, 0), "10"},
		{RoundDown(2.719, 2), "2.71"}, {RoundDown(-2.711, 2), "\u22122.72"}, {RoundUp(2.711, 2), "2.72"}, {RoundUp(-2.719, 2), "\u22122.71"},
		{Ratio(0), "0"}, {Ratio(1e-9), "< 0.001"}, {Ratio(.0123), "0.012"}, {Ratio(.999), "1.0"}, {Ratio(9.96), "10"},
		{Ratio(1234), "1,234"},
		{Glance(math.NaN()), "-"}, {Glance(-1234.5), "\u22121234"}, {Glance(.0512), "0.051"}, {Glance(2), "2.00"},
		{ASCII(Glance(-2)), "-2.00"},
		{Superscript("10^9 to 10^13, or 1"), "10⁹ to 10¹³, or 1"},
		{SI(950, 2), "950"}, {SI(1234, 2), "1.2\u00a0k"}, {SI(1000, 2), "1\u00a0k"}, {SI(51234, 2), "51\u00a0k"},
		{SI(999_600, 2), "1\u00a0M"}, {SI(3e6, 2), "3\u00a0M"}, {SI(9.96e6, 2), "10\u00a0M"},
		{SI(2.5e12, 2), "2.5\u00a0T"},
		{SI(1500, 3), "1.5\u00a0k"}, {SI(123456, 3), "123\u00a0k"}, {SI(.001, 3), "0.001"},
		{SI(.05, 3), "0.05"}, {SI(1e-5, 3), "1e-05"},
		{SI(0, 2), "0"}, {SI(1005, 2), "1\u00a0k"},
		{Spaced("0123456789abcdef"), "0123 4567 89ab cdef"},
		{DecimalComma("log Z = \u22121,234.5 \u00b1 0.25, or so. 1, 2", "\u00a0"),
			"log Z = \u22121\u00a0234,5 \u00b1 0,25, or so. 1, 2"},
	} {
		if c[0] != c[1] {
			t.Errorf("%d: got %q, want %q", i, c[0], c[1])
		}
	}
}

// The decimals up to the error bar, on both sides of each power of ten. At the powers themselves a logarithm in
// floating point would be off by one.
func TestDecimals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		se   float64
		want int
	}{{0, 2}, {math.NaN(), 2}, {math.Inf(1), 2}, {-1, 2}, {.04, 2}, {.17, 2}, {.2, 1}, {2, 0}, {1, 1}, {.1, 2}, {.01, 3},
		{.001, 4}, {1e-6, 7},
		{1e-12, 9}, {1000, 0}, {12, 0}, {1.99, 1}, {.0999, 2}} {
		if got := Decimals(c.se); got != c.want {
			t.Errorf("Decimals(%v) = %d, want %d", c.se, got, c.want)
		}
	}
	for e := -300; e <= 300; e++ {
		if x := pow10(e); exponent(x) != e || exponent(math.Nextafter(x, 0)) != e-1 || exponent(-3*x) != e {
			t.Errorf("10^%d has the exponent %d, the number below it %d", e, exponent(x), exponent(math.Nextafter(x, 0)))
		}
	}
}

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, span := range []float64{1e-6, 0.3, 1, 7, 12, 99, 1e4} {
		for _, lo := range []float64{0, -3.7, 221.07, 10_000} {
			for n := 2; n <= 8; n++ {
				at, step := Ticks(lo, lo+span, n)
				m := step / pow10(exponent(step*(1+tickTol)))
				if len(at) > n || n == 7 && len(at) < 3 || math.Abs(m-1) > 1e-6 && math.Abs(m-2) > 1e-6 && math.Abs(m-5) > 1e-6 {
					t.Errorf("Ticks(%v, %v, %d): step %v, ticks %v", lo, lo+span, n, step, at)
				}
				for _, v := range at {
					if v < lo-1e-6*span || v > lo+span*(1+1e-6) {
						t.Errorf("tick %v outside [%v, %v]", v, lo, lo+span)
					}
				}
			}
		}
	}
	if at, step := Ticks(0, .3, 4); len(at) != 4 || step != .1 { // 0.3 / 0.1 is less than 3 in floating point
		t.Errorf("Ticks(0, 0.3, 4) = %v", at)
	}
	if at, _ := Ticks(1, 1, 5); at != nil {
		t.Errorf("Ticks(1, 1, 5) = %v, want none", at)
	}
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
	if got := LogTicks(1e3, 1e6, 7); !slices.EqualFunc(got, []float64{1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6}, same) {
		t.Errorf("three decades: %v", got)
	}
	if got := LogTicks(1, 1e12, 7); len(got) > 7 || len(got) < 4 {
		t.Errorf("twelve decades: %v", got)
	}
	if got := LogTicks(316.2, 354.8, 7); len(got) < 2 || len(got) > 7 {
		t.Errorf("a twentieth of a decade: %v", got)
	}
	for i, c := range [...][2]string{
		{Tick(-221.5, 0.5), "\u2212221.5"}, {Tick(0, 0.1), "0"}, {Tick(1500, 500), "1,500"},
		{Tick(20_000, 10_000), "20\u00a0k"}, {Tick(1.5e6, 5e5), "1,500\u00a0k"}, {Tick(2e6, 1e6), "2\u00a0M"},
		{Tick(.25, .05), "0.25"},
	} {
		if c[0] != c[1] {
			t.Errorf("%d: got %q, want %q", i, c[0], c[1])
		}
	}
}
