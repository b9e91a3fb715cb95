package gpc

import (
	"math"

	"logzlab/core/num"
)

// correction is what the second order adds to expectation propagation's log Z, nats, of either sign ([Opper2013]).
//
// The normal distribution q = N(mu, S) of the fit has the means and variances of the tilted distributions q_i, the
// likelihood of a label times its cavity. What it lacks are their higher cumulants c_li:
//
//	Z = Z_EP R, R = E_q[prod_i q_i(x_i)/q(x_i)], q_i/q = 1 + sum_(l>=3) g_li He_l(u_i)/l! + products of the g,
//
// with u_i = (x_i - mu_i)/S_ii^(1/2), He_l the Hermite polynomials and g_li = c_li/S_ii^(l/2). Under q the mean of
// He_l(u_m) He_k(u_n) is l! r_mn^l where k = l, r the correlation, and 0 elsewhere. So the first order in the cumulants
// is 0, and the second is
//
//	log R = 1/2 sum_(m != n) sum_(l>=3) c_lm c_ln/l! (S_mn/(S_mm S_nn))^l,
//
// here with l = 3 and 4. It takes n^2 operations. What it leaves out, further l and products of three cumulants, is not
// bounded: where the correction is large, both numbers are in doubt.
func (m *Classifier) correction(f *epFit, q *posterior) float64 {
	n := m.n
	third, fourth := make([]float64, n), make([]float64, n)
	for i, y := range m.y {
		if sii := q.s[i*n+i]; sii > 0 {
			t, h := q.cavity(f, i)
			// log E[e^(kx)] under q_i is a parabola and log Phi(z + step k), z and step those of its label.
			root := math.Sqrt(1 + 1/t)
			step := y / (num.Mul(t, root) * math.Sqrt(sii))
			g3, g4 := bends(num.Mul(y, h/t) / root)
			square := num.Mul(step, step)
			third[i], fourth[i] = num.Mul(g3, num.Mul(square, step)), num.Mul(g4, num.Mul(square, square))
		}
	}
	sum := 0.0
	for i := range n {
		for j := range i {
			v := num.Mul(q.s[i*n+i], q.s[j*n+j])
			if !(v > 0) {
				continue
			}
			r := q.s[i*n+j] / math.Sqrt(v)
			cube := num.Mul(r, num.Mul(r, r))
			sum += num.Mul(cube, num.Mul(third[i], third[j])/6+num.Mul(r, num.Mul(fourth[i], fourth[j]))/24)
		}
	}
	return sum
}

// bends are the third and the fourth derivative of log Phi(z). With r = phi(z)/Phi(z), d = z + r and v = 1 - r d,
//
//	r (d^2 - v), r (v (r + 4 d) - d (1 + d^2)).
//
// Far below 0 these are small differences of large numbers. There the tails of the continued fraction
// d = 1/(a + b), b = 2/(a + c), c = 3/(a + 4/(a + ...)), a = -z, give v = d (b - d), d^2 - v = 2 d (c - b)/((a + b)
// (a + c)), and the last bracket, d (6 d (b - d) - b c).
func bends(z float64) (third, fourth float64) {
	const far, terms = -3, 60
	if z > far {
		r := num.Mills(z)
		d := z + r
		v := 1 - num.Mul(r, d)
		return num.Mul(r, num.Mul(d, d)-v), num.Mul(r, num.Mul(v, r+num.Mul(4, d))-num.Mul(d, 1+num.Mul(d, d)))
	}
	a, c := -z, 0.0
	for k := float64(terms); k >= 3; k-- {
		c = k / (a + c)
	}
	b := 2 / (a + c)
	d := 1 / (a + b)
	rd := num.Mul(a+d, d)
	third = num.Mul(rd, 2*(c-b)) / num.Mul(a+b, a+c)
	return third, num.Mul(rd, num.Mul(num.Mul(6, d), b-d)-num.Mul(b, c))
}
