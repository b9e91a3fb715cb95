package num

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"0": 0, "-0.5": -.5, "+1e-3": .001, "1E4": 1e4, ".5": .5, "0e9": 0,
		"5e-324": 5e-324} {
		if x, err := Parse(text); err != nil || x != want {
			t.Errorf("%s is read as %v, %v", text, x, err)
		}
	}
	for _, text := range []string{"", "1_0", "0x1p-2", "0X1P1", "1e-400", "1e400", "inf", "Infinity", "nan", "1e", "e5",
		"--1", "1 ", "1,5"} {
		if x, err := Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, x)
		}
	}
}

// Short numbers are parsed by a fast path, to the bits of strconv.ParseFloat.
func TestParsePlain(t *testing.T) {
	t.Parallel()
	same := func(text string) {
		t.Helper()
		want, _ := strconv.ParseFloat(text, 64)
		if x, err := Parse(text); err != nil || math.Float64bits(x) != math.Float64bits(want) {
			t.Fatalf("Parse(%s) = %v, %v; want %v", text, x, err, want)
		}
	}
	for _, text := range []string{"-0", "-.0", "7.", "-7.",
		"+7", "0.000000000000001", "999999999999999", "9999999999999999",
		"-99999999999999.9", "999999999999.9999", ".999999999999999", ".9999999999999999", "00000000000000000001"} {
		same(text)
	}
	r := rand.New(rand.NewPCG(3, 0))
	for range 20000 {
		same(strconv.FormatFloat((r.Float64()-.5)*math.Pow(10, float64(r.IntN(12))), 'f', r.IntN(12), 64))
	}
	for _, text := range []string{"-", ".", "-.", "--1", "1..2", "1.2.3", "1-2", " 1", "1/2", "1:2"} {
		if x, err := Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, x)
		}
	}
}
