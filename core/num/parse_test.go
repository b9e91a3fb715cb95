package num

import "testing"

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
