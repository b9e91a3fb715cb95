package gpc

import (
	"math"

	"logzlab/core/num"
)

// correction returns the second-order correction of log Z by expectation propagation, in nats, of either sign
// ([Opper2013]).
//
// The normal distribution q = N(mu, S) of the fit has the means and variances of the tilted distributions q_i (the
// likelihood of a label times its cavity), but not their higher cumulants c_li:
//
//	Z = Z_EP R, R = E_q[prod_i q_i(x_i)/q(x_i)], q_i/q = 1 + sum_(l>=3) g_li He_l(u_i)/l! + products of the g,
//
// with u_i = (x_i - mu_i)/S_ii^(1/2), the Hermite polynomials He_l and g_li = c_li/S_ii^(l/2). Under q the mean of
// He_l(u_m) He_k(u_n) is l! r_mn^l if k = l, with the correlation r, and 0 otherwise. So the first order in the
// cumulants is 0, and the second is
//
//	log R = 1/2 sum_(m != n) sum_(l>=3) c_lm c_ln/l! (S_mn/(S_mm S_nn))^l,
//
// here with l = 3 and 4. The sum takes n^2 operations. The neglected terms (l > 4 and products of three or more cumulants)
// have no bound: if the correction is large, neither Z_EP nor the corrected value is reliable.
func (m *Classifier) correction(f *siteFit, q *posterior) float64 {
	n := m.n
	third, fourth := make([]float64, n), make([]float64, n)
	for i, y := range m.y {
		if sii := q.s[i*n+i]; sii > 0 {
			t, h := q.cavity(f, i)
			// Under q_i, log E[e^(kx)] is a quadratic function of k plus log Phi(z + step k).
			root := math.Sqrt(1 + 1/t)
			step := y / (num.Mul(t, root) * math.Sqrt(sii))
			g3, g4 := thirdAndFourth(num.Mul(y, h/t) / root)
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

// thirdAndFourth returns the third and the fourth derivative of log Phi(z). With r = phi(z)/Phi(z), d = z + r and
// v = 1 - r d they are
//
//	r (d^2 - v), r (v (r + 4 d) - d (1 + d^2)).
//
// For z < -3 these are small differences of large numbers. The continued fraction d = 1/(a + b), b = 2/(a + c),
// c = 3/(a + 4/(a + ...)) with a = -z then gives v = d (b - d), d^2 - v = 2 d (c - b)/((a + b) (a + c)), and
// d (6 d (b - d) - b c) for the factor of r in the fourth derivative.
func thirdAndFourth(z float64) (third, fourth float64) {
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
