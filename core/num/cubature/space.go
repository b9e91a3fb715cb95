package cubature

import (
	"math"

	"logzlab/core/num"
)

// maxZ is the largest |z|.
const maxZ = 1e290

// point is a point x, z or t.
type point [MaxDim]float64

// chart has coordinates t, |t_i| <= end, of R^d: x = mean + root z, z_i = shift_i + scale sinh t_i.
type chart struct {
	d           int
	mean        point
	root        [MaxDim]point // rows of a lower triangle
	scale       float64
	shift       point
	end         float64
	logJacobian float64 // log of the constant factor of the Jacobian dx/dt
	logDet      float64 // log of the determinant of root
	logW        float64 // log of its weight: about the mass of its hill
}

// newChart returns a chart. A nil mean is 0, and a nil root the unit matrix.
func newChart(d int, mean, root []float64, p pass) *chart {
	c := &chart{d: d, scale: p.scale}
	largest := 1.
	for i := range d {
		c.root[i][i] = 1
		if mean != nil {
			c.mean[i] = mean[i]
		}
		if root != nil {
			copy(c.root[i][:], root[i*d:i*d+i+1])
		}
		for _, r := range c.root[i] {
			largest = max(largest, math.Abs(r))
		}
		c.logDet += num.Log(c.root[i][i])
		c.shift[i] = num.Mul(p.shift, float64(1+i))
	}
	c.logJacobian = c.logDet + num.Mul(float64(d), num.Log(p.scale))
	c.end = num.Log(maxZ) + math.Ln2 - num.Log(num.Mul(largest, p.scale))
	return c
}

// sd returns the standard deviation of coordinate i of x if z is standard normal.
func (c *chart) sd(i int) float64 { return math.Sqrt(num.Dot(c.root[i][:c.d], c.root[i][:c.d])) }

// toX sets x to the point t, and returns the log of the Jacobian dx/dt there.
func (c *chart) toX(t *point, x []float64) (jacobian float64) {
	var z point
	jacobian = c.logJacobian
	for i := range c.d {
		e := num.Exp(math.Abs(t[i]))
		less := 1 / e
		z[i] = c.shift[i] + num.Mul(c.scale/2, math.Copysign(e-less, t[i]))
		if t[i] == 0 {
			z[i] = c.shift[i]
		}
		jacobian += num.Log(num.Mul(.5, e+less))
		x[i] = c.mean[i]
		for j := range i + 1 {
			x[i] += num.Mul(c.root[i][j], z[j])
		}
	}
	return jacobian
}

// toZ returns the point z of x.
func (c *chart) toZ(x []float64) (z point) {
	for i := range c.d {
		v := x[i] - c.mean[i]
		for j := range i {
			v -= num.Mul(c.root[i][j], z[j])
		}
		z[i] = v / c.root[i][i]
	}
	return z
}

// toT returns the point t of x; ok is false for one outside of the cube.
func (c *chart) toT(x []float64) (t point, ok bool) {
	z := c.toZ(x)
	for i := range c.d {
		if t[i] = asinh((z[i] - c.shift[i]) / c.scale); !(math.Abs(t[i]) < c.end) {
			return t, false
		}
	}
	return t, true
}

// logWeight returns the log of the weight of the chart at x in the partition of unity: a Cauchy density around its
// center, without a constant,
//
//	logW - log det root - (d+1)/2 log(1 + |z|^2).
func (c *chart) logWeight(x []float64) float64 {
	z := c.toZ(x)
	most, squares := 0., 0.
	for _, v := range z[:c.d] {
		most = max(most, math.Abs(v))
		squares += num.Mul(v, v)
	}
	log := 0.
	if most < 1e100 {
		log = num.Log1p(squares)
	} else if log = num.Mul(2, num.Log(most)); num.Finite(most) {
		squares = 0
		for _, v := range z[:c.d] {
			squares += num.Mul(v/most, v/most)
		}
		log += num.Log(squares)
	} else {
		log = 2 * math.Ln10 * 308
	}
	return c.logW - c.logDet - num.Mul(float64(c.d+1)/2, log)
}

// asinh is the inverse of num.Sinh.
func asinh(x float64) float64 {
	a := math.Abs(x)
	if a > 1e100 {
		return math.Copysign(num.Log(a)+math.Ln2, x)
	}
	return math.Copysign(num.Log1p(a+num.Mul(a, a)/(1+math.Sqrt(1+num.Mul(a, a)))), x)
}
