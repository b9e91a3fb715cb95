package schedule

import (
	"math"
	"strings"
	"testing"
)

// joined is a path of which something is summed out: the means rise by the joint g, 40 + 80 b, of which the
// marginal one is a share that grows from .1 to .9.
func joined() *PathStats {
	p := &PathStats{}
	for k := range 181 {
		b := float64(k) / 180
		p.Betas = append(p.Betas, b)
		p.Mean = append(p.Mean, 40*b+40*b*b)
		p.Joint = append(p.Joint, 40+80*b)
		p.Var = append(p.Var, (40+80*b)*(.1+.8*b))
	}
	return p
}

// TestMomentsOfJointAndMarginal checks that gms13 uses the increase of the means, and gms13-marginal the increase of
// the integral of g: int (40 + 80 b)(.1 + .8 b) = 4 b + 20 b^2 + 64/3 b^3. They agree if nothing is summed out.
func TestMomentsOfJointAndMarginal(t *testing.T) {
	t.Parallel()
	p := joined()
	rises := map[string]func(b float64) float64{"gms13": func(b float64) float64 { return 40*b + 40*b*b },
		"gms13-marginal": func(b float64) float64 { return 4*b + 20*b*b + 64*b*b*b/3 }}
	for text, rise := range rises {
		got, err := Make(text, 2001, p)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		var costs [gms13Parts]float64
		for j := range costs {
			costs[j] = math.Sqrt((rise(float64(j+1)/gms13Parts) - rise(float64(j)/gms13Parts)) / gms13Parts)
			total += costs[j]
		}
		at := 0.0
		for j, c := range costs {
			at += 2000 * c / total
			if b := got[int(at+.5)]; math.Abs(b-float64(j+1)/gms13Parts) > 1.5/(2000*c/total)/gms13Parts {
				t.Errorf("%s: beta after %.1f steps = %.4f, want %.4f", text, at, b, float64(j+1)/gms13Parts)
			}
		}
	}
	p.Mean, p.Var = p.varianceIntegral(), p.Joint
	p.Mean = p.varianceIntegral()
	a, _ := Make("gms13", 300, p)
	b, _ := Make("gms13-marginal", 300, p)
	near(t, "gms13 where nothing is summed out", b, a, 0)
}

// TestEta checks that varopt-eta is the optimal ladder with steps of at most eta, and that its curve has the speed eta
// K.
func TestEta(t *testing.T) {
	t.Parallel()
	p := joined()
	best, _ := Make("varopt", 1001, p)
	want, err := Decelerate(best, .0013)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Make("varopt-eta:0.0013", 1001, p)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ladder", got, want, 0)
	long, cut := 0.0, 0
	for i := range got[1:] {
		long = max(long, got[i+1]-got[i])
		if best[i+1]-best[i] > .0013 {
			cut++
		}
	}
	if cut == 0 || long > .0013+1e-12 {
		t.Errorf("%d steps were shortened, the longest step is %g", cut, long)
	}
	shape, err := Curve("varopt-eta:0.0013", 1000, p)
	if err != nil {
		t.Fatal(err)
	}
	same, _ := Make("varopt:1.3", CurvePoints, p)
	near(t, "curve", shape, same, 1e-12)
	if free, err := Curve("varopt-eta:0.5", 100000, p); err != nil {
		t.Error(err)
	} else {
		whole, _ := Make("varopt", CurvePoints, p)
		near(t, "curve without a bound", free, whole, 1e-12)
	}
	if _, err := Make("varopt-eta:0.009", 101, p); err == nil || !strings.Contains(err.Error(), "do not reach") {
		t.Errorf("100 steps of 0.009: %v", err)
	}
	for _, text := range []string{"varopt-eta", "varopt-eta:0", "varopt-eta:1", "gms13-marginal:2"} {
		if _, err := Canonical(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	if c, err := Canonical("varopt-eta:.0090"); c != "varopt-eta:0.009" || err != nil {
		t.Errorf("canonical %q, %v", c, err)
	}
}
