package gpc

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"logzlab/core/num"
	"logzlab/internal/labtest"
)

// cumulants returns the first four cumulants of a density on [lo, hi], by Simpson's rule.
func cumulants(lo, hi float64, density func(x float64) float64) (c [4]float64) {
	const grid = 4000
	var m [5]float64
	sum := func(about float64) {
		m = [5]float64{}
		for i := range grid + 1 {
			x := lo + (hi-lo)*float64(i)/grid
			p := density(x) * float64(2+2*(i%2))
			if i%grid == 0 {
				p /= 2
			}
			for k := range m {
				m[k] += p
				p *= x - about
			}
		}
		for k := 1; k < 5; k++ {
			m[k] /= m[0]
		}
	}
	sum(0)
	mean := m[1]
	sum(mean)
	return [4]float64{mean, m[2], m[3], m[4] - 3*m[2]*m[2]}
}

// As a function of k, log Phi(z + k) is the cumulant generating function of a variable e > 0 with density proportional
// to exp(z e - e^2/2), plus a quadratic function. Its third and fourth derivatives at k = 0 are therefore cumulants.
func TestThirdAndFourth(t *testing.T) {
	for _, z := range []float64{-1e4, -300, -30, -10, -5, -3.001, -3, -2.999, -1, 0, 1, 3} {
		top := 10 + z
		if z < 0 {
			top = 45 / (1 - z)
		}
		c := cumulants(0, top, func(e float64) float64 { return math.Exp(z*e - e*e/2) })
		third, fourth := thirdAndFourth(z)
		labtest.Near(t, fmt.Sprint("third derivative at ", z), third/c[2], 1, 1e-8)
		labtest.Near(t, fmt.Sprint("fourth derivative at ", z), fourth/c[3], 1, 1e-7)
	}
	for z := -4.0; z < -2; z += .01 { // both ways to compute them
		third, fourth := thirdAndFourth(z)
		r := num.Mills(z)
		d := z + r
		labtest.Near(t, "third", third, r*(d*d-1+r*d), 1e-13)
		labtest.Near(t, "fourth", fourth, r*((1-r*d)*(r+4*d)-d*(1+d*d)), 1e-12)
	}
}

// independentCorrection computes the second-order correction in another way: S by gonum from the sites; the cumulants
// of the tilted distributions by quadrature (the first two must be those of q); and, for each pair of latent values,
// the mean of the product of their relative deviations from q by quadrature in two dimensions.
func independentCorrection(t *testing.T, m *Classifier) float64 {
	t.Helper()
	n, f := m.n, m.fitSites()
	precision := mat.NewDense(n, n, nil)
	if err := precision.Inverse(mat.NewDense(n, n, m.k)); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		precision.Set(i, i, precision.At(i, i)+f.tau[i])
	}
	var s mat.Dense
	if err := s.Inverse(precision); err != nil {
		t.Fatal(err)
	}
	g3, g4 := make([]float64, n), make([]float64, n)
	for i := range n {
		mean := 0.0
		for j := range n {
			mean += s.At(i, j) * f.nu[j]
		}
		v := 1 / (1/s.At(i, i) - f.tau[i])
		at := v * (mean/s.At(i, i) - f.nu[i])
		sd := math.Sqrt(v)
		c := cumulants(at-12*sd, at+12*sd, func(x float64) float64 {
			return math.Exp(-(x-at)*(x-at)/(2*v)) * num.Phi(m.y[i]*x)
		})
		labtest.Near(t, "mean of the tilted distribution", c[0], mean, 1e-4*sd)
		labtest.Near(t, "its variance", c[1]/s.At(i, i), 1, 1e-4)
		g3[i], g4[i] = c[2]/math.Pow(s.At(i, i), 1.5), c[3]/(s.At(i, i)*s.At(i, i))
	}
	he := func(i int, u float64) float64 { return g3[i]/6*(u*u*u-3*u) + g4[i]/24*(u*u*u*u-6*u*u+3) }
	sum := 0.0
	const h = .25
	for i := range n {
		for j := range i {
			r := s.At(i, j) / math.Sqrt(s.At(i, i)*s.At(j, j))
			for a := -10.0; a <= 10; a += h {
				for b := -10.0; b <= 10; b += h { // independent normal a and b
					sum += h * h / (2 * math.Pi) * math.Exp(-(a*a+b*b)/2) * he(i, a) * he(j, r*a+math.Sqrt(1-r*r)*b)
				}
			}
		}
	}
	return sum
}

// The correction equals an independent sum, and brings log Z much closer to the exact value.
func TestCorrection(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for _, amplitude := range []float64{.5, 40} {
			m := newGPC(t, discs(n, "ou", amplitude), nil)
			labtest.Near(t, fmt.Sprintf("correction of %d data, amplitude %v", n, amplitude), m.fitSites().correction,
				independentCorrection(t, m), 1e-8)
		}
	}
	for _, name := range truthFiles {
		m, g := truthGPC(t, name, nil)
		f := m.fitSites()
		off, left := f.logZ-g.Prefix[m.n-1], f.logZ+f.correction-g.Prefix[m.n-1]
		t.Logf("%s: EP is off by %.2g, corrected by %.2g", name, off, left)
		if !(math.Abs(left) < math.Abs(off)/4) {
			t.Errorf("%s: error of EP %g, corrected %g, want far less", name, off, left)
		}
	}
	m := newGPC(t, *ouData(), nil)
	f := m.fitSites()
	t.Logf("gpc-ou: EP is off by %.2g, corrected by %.2g", f.logZ-ouLogZ[29], f.logZ+f.correction-ouLogZ[29])

	// For two data the correction lacks only terms with l >= 5, so at a quarter of the correlation the error is about
	// 4^-5 times as large.
	left := map[float64]float64{}
	for _, r := range []float64{.6, .15} {
		m := newGPC(t, Params{N: 2, Y: []float64{1, 1}, K: []float64{9, 9 * r, 9 * r, 9}}, nil)
		f := m.fitSites()
		left[r] = math.Abs(f.logZ + f.correction - m.Truth().LogZ)
	}
	if ratio := left[.6] / left[.15]; !(ratio > 4*4*4*4) {
		t.Errorf("a quarter of the correlation divides the error by %.0f (%v)", ratio, left)
	}
}
