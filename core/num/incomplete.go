package num

import "math"

// dual is a number with its derivatives with respect to two parameters.
type dual struct{ v, a, b float64 }

func (x dual) over(y dual) dual {
	v := x.v / y.v
	return dual{v, (x.a - float64(v*y.a)) / y.v, (x.b - float64(v*y.b)) / y.v}
}

// fraction evaluates 1/(b_0 + a_1/(b_1 + a_2/(b_2 + ...))) by the method of [Lentz1976], with the derivatives of its
// log. next returns a_i and b_i.
func fraction(b0 dual, next func(i int) (a, b dual)) (value, da, db float64) {
	d, c := dual{v: 1}.over(b0), dual{v: 1e300}
	value, da, db = d.v, d.a/d.v, d.b/d.v
	for i := 1; i < 100000; i++ {
		a, b := next(i)
		q := a.over(c)
		c = dual{b.v + q.v, b.a + q.a, b.b + q.b}
		// 1/(a d + b)
		s := float64(a.v*d.v) + b.v
		v := 1 / s
		w := float64(v * v)
		d = dual{v, -float64(w * (float64(a.v*d.a) + float64(a.a*d.v) + b.a)),
			-float64(w * (float64(a.v*d.b) + float64(a.b*d.v) + b.b))}
		by := float64(c.v * d.v)
		ga, gb := c.a/c.v+d.a/d.v, c.b/c.v+d.b/d.v
		value, da, db = float64(value*by), da+ga, db+gb
		if math.Abs(by-1) < 4e-16 && math.Abs(ga) < 1e-15 && math.Abs(gb) < 1e-15 {
			break
		}
	}
	return value, da, db
}

// excess returns a phi(d/a), phi(u) = u - log(1+u), where ratio = 1 + d/a: the deviance of [Loader2000]. For small u it
// uses the series of 2 atanh(u/(2+u)), which does not cancel.
func excess(a, d, ratio float64) float64 {
	u := d / a
	if u < -0.5 {
		return float64(a * (u - Log(ratio)))
	}
	if u > 0.5 {
		return float64(a * (u - Log1p(u)))
	}
	s := u / (2 + u)
	z := float64(s * s)
	sum := 0.0
	for k := 27; k >= 3; k -= 2 {
		sum = step(sum, z, 1/float64(k))
	}
	return float64(a * float64(s*(u-float64(2*float64(z*sum)))))
}

// Gauss28 has the positive nodes and the weights of the Gauss-Legendre rule with 28 nodes on [-1, 1].
var Gauss28 = [...][2]float64{
	{0.99644249757395445, 0.00912428259309451774}, {0.981303165370872754, 0.0211321125927712598},
	{0.954259280628938197, 0.03290142778230438}, {0.915633026392132074, 0.0442729347590042278},
	{0.865892522574395049, 0.0551073456757167454}, {0.805641370917179171, 0.0652729239669995958},
	{0.735610878013631772, 0.074646214234568779}, {0.656651094038864961, 0.0831134172289012184},
	{0.569720471811401719, 0.0905717443930328409}, {0.475874224955118261, 0.0969306579979299159},
	{0.37625151608907871, 0.10211296757806077}, {0.272061627635178078, 0.106055765922846418},
	{0.164569282133380771, 0.108711192258294135}, {0.0550792898840342704, 0.110047013016475196},
}

// integrateTail calls node with nodes and weights for an integral of e^-h over a tail that starts at d, where the
// convex h is smallest, and ends where h has increased by 38, or at end; width is an initial guess of its length.
func integrateTail(d, end, width float64, h, slope func(d float64) float64, node func(d, weight float64)) {
	sign := math.Copysign(1, end-d)
	most := math.Abs(end - d)
	w, from := min(width, most), h(d)
	for range 4 { // Newton
		e := d + float64(sign*w)
		w = max(0, w-(h(e)-from-38)/float64(sign*slope(e)))
		if w >= most {
			w = most
			break
		}
	}
	for _, g := range Gauss28 {
		for _, s := range [...]float64{1 - g[0], 1 + g[0]} {
			node(d+float64(sign*float64(0.5*float64(w*s))), float64(0.5*float64(w*g[1])))
		}
	}
}
