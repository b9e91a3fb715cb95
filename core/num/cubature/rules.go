package cubature

import (
	"math"

	"logzlab/core/num"
)

// The Gauss-Kronrod rule with 15 nodes on [-1, 1] and the embedded Gauss rule with 7 nodes [Piessens1983]. Nodes are
// listed from the outermost one inwards; every other one is a Gauss node.
var (
	kronrodNodes = [8]float64{0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
		0.864864423359769072789712788640926, 0.741531185599394439863864773280788, 0.586087235467691130294144691258130,
		0.405845151377397166906606412076961, 0.207784955007898467600689403773245, 0}
	kronrodWeights = [8]float64{0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
		0.104790010322250183839876322541518, 0.140653259715525918745189590510238, 0.169004726639267902826583426598550,
		0.190350578064785409913256402421014, 0.204432940075298892414161999234649, 0.209482141084727828012999174891714}
	gaussWeights = [4]float64{0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
		0.381830050505118944950369775488975, 0.417959183673469387755102040816327}
)

// kronrod computes the integral K of an interval, and the error estimate of QUADPACK with the embedded rule G,
//
//	A min(1, (200 |K - G|/A)^1.5),  A the integral of |f - mean f|.
func (in *integral) kronrod(c *cell) {
	center, half := num.Mul(.5, c.lo[0]+c.hi[0]), num.Mul(.5, c.hi[0]-c.lo[0])
	var v [15]float64
	t := point{center}
	v[7] = in.value(c.chart, &t)
	for k, x := range kronrodNodes[:7] {
		step := num.Mul(half, x)
		t[0] = center - step
		v[k] = in.value(c.chart, &t)
		t[0] = center + step
		v[14-k] = in.value(c.chart, &t)
	}

	// K and G, on [-1, 1].
	fine, coarse := num.Mul(kronrodWeights[7], v[7]), num.Mul(gaussWeights[3], v[7])
	for k := range 7 {
		pair := v[k] + v[14-k]
		fine += num.Mul(kronrodWeights[k], pair)
		if k%2 == 1 {
			coarse += num.Mul(gaussWeights[k/2], pair)
		}
	}
	mean := num.Mul(.5, fine)
	spread := num.Mul(kronrodWeights[7], math.Abs(v[7]-mean))
	for k := range 7 {
		spread += num.Mul(kronrodWeights[k], math.Abs(v[k]-mean)+math.Abs(v[14-k]-mean))
	}
	err := math.Abs(fine - coarse)
	if spread > 0 {
		if r := num.Mul(200, err/spread); r < 1 {
			err = num.Mul(spread, num.Mul(r, math.Sqrt(r)))
		} else {
			err = max(err, spread)
		}
	}
	c.sum, c.err = num.Mul(half, fine), num.Mul(half, err)
}

// Nodes of the Genz-Malik rule on [-1, 1]^d: pairs at +-malik2 and +-malik3 on each axis, four points at +-malik3 in
// each plane of two axes, and corners at +-malik5.
var (
	malik2 = math.Sqrt(9. / 70)
	malik3 = math.Sqrt(9. / 10)
	malik5 = math.Sqrt(9. / 19)
)

// malik computes the integral of a cell in two or three dimensions, its error estimate and the side to halve: the one
// with the largest fourth difference [Genz1980].
func (in *integral) malik(c *cell) {
	d := in.d
	var center, half point
	volume := 1.
	for i := range d {
		center[i], half[i] = num.Mul(.5, c.lo[i]+c.hi[i]), num.Mul(.5, c.hi[i]-c.lo[i])
		volume *= c.hi[i] - c.lo[i]
	}

	// The center and both pairs of points on each axis.
	t, mid := center, in.value(c.chart, &center)
	var s2, s3, s4, s5 float64
	var fourth [MaxDim]float64
	for i := range d {
		var pair [2]float64
		for k, l := range [2]float64{malik2, malik3} {
			step := num.Mul(l, half[i])
			t[i] = center[i] - step
			pair[k] = in.value(c.chart, &t)
			t[i] = center[i] + step
			pair[k] += in.value(c.chart, &t)
		}
		t[i] = center[i]
		s2 += pair[0]
		s3 += pair[1]
		fourth[i] = math.Abs(pair[0] - num.Mul(2, mid) - (pair[1]-num.Mul(2, mid))/7)
	}
	c.splitSide = 0
	for i := 1; i < d; i++ {
		if largest := fourth[c.splitSide]; fourth[i] > largest || fourth[i] == largest && half[i] > half[c.splitSide] {
			c.splitSide = i
		}
	}

	// Four points in each plane of two axes, and the corners.
	for i := range d {
		for j := range i {
			for k := range 4 {
				t[i] = center[i] + num.Mul(malik3*float64(1-k&2), half[i])
				t[j] = center[j] + num.Mul(malik3*float64(1-2*(k&1)), half[j])
				s4 += in.value(c.chart, &t)
			}
			t[i], t[j] = center[i], center[j]
		}
	}
	for k := range 1 << d {
		for i := range d {
			t[i] = center[i] + num.Mul(malik5*float64(1-2*(k>>i&1)), half[i])
		}
		s5 += in.value(c.chart, &t)
	}

	// The rules of degree 7 and 5.
	w := &malikWeights[d]
	fine := num.Mul(w[0], mid) + num.Mul(980./6561, s2) + num.Mul(w[1], s3) + num.Mul(200./19683, s4) + num.Mul(w[2], s5)
	coarse := num.Mul(w[3], mid) + num.Mul(245./486, s2) + num.Mul(w[4], s3) + num.Mul(25./729, s4)
	c.sum, c.err = num.Mul(volume, fine), num.Mul(volume, math.Abs(fine-coarse))
}

// malikWeights are the weights that depend on the dimension n: for degree 7 the center, the outer pairs and the
// corners; for degree 5 the center and the outer pairs.
//
//	(12824 - 9120n + 400n^2)/19683, (1820 - 400n)/19683, 6859/19683/2^n, (729 - 950n + 50n^2)/729, (265 - 100n)/1458
var malikWeights = [MaxDim + 1][5]float64{
	2: {-3816. / 19683, 1020. / 19683, 6859. / 78732, -971. / 729, 65. / 1458},
	3: {-10936. / 19683, 620. / 19683, 6859. / 157464, -1671. / 729, -35. / 1458},
}
