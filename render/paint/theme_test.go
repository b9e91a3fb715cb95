package paint

import (
	"image/color"
	"math"
	"testing"
)

// sights are the matrices of normal, protan, deutan and tritan vision ([Machado2009] at full strength), on linear
// colours.
var sights = [...][9]float64{{1, 0, 0, 0, 1, 0, 0, 0, 1},
	{.152286, 1.052583, -.204868, .114503, .786281, .099216, -.003882, -.048116, 1.051998},
	{.367322, .860646, -.227968, .280085, .672501, .047413, -.011820, .042940, .968881},
	{1.255528, -.076749, -.178779, -.078411, .930809, .147602, .004733, .691367, .303900}}

func times(m [9]float64, v [3]float64) (out [3]float64) {
	for i := range out {
		out[i] = m[3*i]*v[0] + m[3*i+1]*v[1] + m[3*i+2]*v[2]
	}
	return out
}

func linear(c color.RGBA) (v [3]float64) {
	for i, x := range [...]uint8{c.R, c.G, c.B} {
		if v[i] = float64(x) / 255; v[i] <= 0.04045 {
			v[i] /= 12.92
		} else {
			v[i] = math.Pow((v[i]+0.055)/1.055, 2.4)
		}
	}
	return v
}

func oklab(v [3]float64) [3]float64 {
	l := times([9]float64{.4122214708, .5363325363, .0514459929, .2119034982, .6806995451, .1073969566, .0883024619,
		.2817188376, .6299787005}, v)
	for i := range l {
		l[i] = math.Cbrt(max(l[i], 0))
	}
	return times([9]float64{.2104542553, .7936177850, -.0040720468, 1.9779984951, -2.4285922050, .4505937099,
		.0259040371, .7827717662, -.8086757660}, l)
}

// differ returns the minimum distance of two colours in OKLab over all kinds of vision.
func differ(a, b color.RGBA) (least float64) {
	least = math.Inf(1)
	for _, sight := range sights {
		p, q := oklab(times(sight, linear(a))), oklab(times(sight, linear(b)))
		least = min(least, math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]))
	}
	return least
}

// contrast returns the WCAG contrast ratio of two colours, at least 1.
func contrast(a, b color.RGBA) float64 {
	light := func(c color.RGBA) float64 {
		v := linear(c)
		return .2126*v[0] + .7152*v[1] + .0722*v[2] + .05
	}
	return max(light(a)/light(b), light(b)/light(a))
}

// TestMethodColours checks that any two methods, and a method and the ink of exact values, differ by at least 0.09 in
// OKLab for normal, protan, deutan and tritan vision ([Machado2009] at full strength), and that each has a contrast of
// at least 3:1 with the ground. The first three, which most pictures have, differ by more.
func TestMethodColours(t *testing.T) {
	for name, th := range Themes {
		all := append(th.Methods[:], th.Ink)
		for i, c := range th.Methods {
			if r := contrast(c, th.Ground); r < 3 {
				t.Errorf("%s: method %d has a contrast of %.2f", name, i, r)
			}
			for j, o := range all {
				if j <= i {
					continue
				}
				least := 0.09
				if j < 3 {
					least = 0.11
				}
				if d := differ(c, o); d < least {
					t.Errorf("%s: methods %d and %d differ by %.3f", name, j, i, d)
				}
			}
		}
	}
}

// TestWeightColours checks that opposite weights differ for all kinds of vision, and that larger ones have more
// contrast with the ground, the largest at least 3:1.
func TestWeightColours(t *testing.T) {
	for name, th := range Themes {
		if th.WeightColor(0) != th.Ground {
			t.Errorf("%s: WeightColor(0) = %v, want the ground", name, th.WeightColor(0))
		}
		for k := 1.0; k <= 10; k++ {
			x := k / 10
			if d := differ(th.WeightColor(x), th.WeightColor(-x)); d < min(0.25*x, 0.1) {
				t.Errorf("%s: weights %g and %g differ by %.3f", name, x, -x, d)
			}
			for _, sign := range [...]float64{-1, 1} {
				now, before := contrast(th.WeightColor(sign*x), th.Ground), contrast(th.WeightColor(sign*(x-0.1)), th.Ground)
				if now <= before || k == 10 && now < 3 {
					t.Errorf("%s: weight %g has a contrast of %.2f, a smaller one %.2f", name, sign*x, now, before)
				}
			}
		}
	}
}

func TestBetaColours(t *testing.T) {
	for _, th := range []*Theme{&Light, &Dark} {
		if th.BetaColor(0) != th.Beta[0] || th.BetaColor(1) != th.Beta[8] || th.BetaColor(0.5) != th.Beta[4] ||
			th.BetaColor(-1) != th.Beta[0] || th.BetaColor(2) != th.Beta[8] || th.BetaColor(math.NaN()) != th.Absent {
			t.Error("BetaColor differs from Beta at the stops")
		}
	}
	for name, th := range Themes { // colder colours have more contrast, and hot ones enough on the peak of a density
		peak := th.Shade(0, false)
		for k, c := range th.Beta {
			if r := contrast(c, peak); r < 1.9 {
				t.Errorf("%s: stop %d has a contrast of %.2f on a peak", name, k, r)
			}
			if k > 0 && contrast(c, th.Ground) <= contrast(th.Beta[k-1], th.Ground) {
				t.Errorf("%s: stop %d has less contrast than the hotter one", name, k)
			}
		}
	}
	if got := Fade(color.RGBA{200, 100, 0, 255}, 0.5); got != (color.RGBA{100, 50, 0, 128}) {
		t.Errorf("Fade((200, 100, 0), 0.5) = %v", got)
	}
}
