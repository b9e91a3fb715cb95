package tape

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/models/density"
)

// Sizes of the search around a top: directions, radii of which shellSteps make a factor of ten, and how far they go.
// A second hill begins behind a dip of shellDip nats and is less than shellSmall nats smaller than the first one.
const (
	shellWays  = 8
	shellSteps = 8
	shells     = 33
	shellDip   = 2
	shellSmall = 6
)

// wider looks for a hill around the same top that is far wider than the curvature at the top tells, as where a narrow
// and a wide normal distribution have one mean: no climb ends at it. By the normal distribution around the top, the
// mass per log radius,
//
//	r^d median_u f(m + r L u),  u of length 1,
//
// has one hill, at r = sqrt d. ok is false where there is no second hill, or where the base covers it already. The
// median leaves out hills to one side, which few directions meet.
func (p *pilot) wider(logF func(x []float64) float64, around density.Base, key rng.Key,
	number int) (wide density.Base, ok bool) {
	dim := len(around.Mean)
	ways := make([][]float64, shellWays)
	for k := range ways {
		s, u := key.Stream(7, uint32(number), uint32(k)), make([]float64, dim)
		for i := range u {
			u[i] = s.Norm()
		}
		length := math.Sqrt(num.Dot(u, u))
		ways[k] = make([]float64, dim)
		for i := range dim {
			ways[k][i] = num.Dot(around.Root[i*dim:i*dim+i+1], u[:i+1]) / length
		}
	}

	// The mass of each shell; the largest behind a dip.
	var mass [shells]float64
	first, low, at := math.Inf(-1), math.Inf(1), -1
	x, f := make([]float64, dim), make([]float64, shellWays)
	for j := range shells {
		r := radius(dim, j)
		for k, u := range ways {
			for i := range x {
				x[i] = around.Mean[i] + num.Mul(r, u[i])
			}
			if f[k] = logF(x); !num.Known(f[k]) {
				f[k] = math.Inf(-1)
			}
		}
		slices.Sort(f)
		m := f[shellWays/2] + num.Mul(float64(dim), num.Log(r))
		if mass[j] = m; at < 0 {
			first = max(first, m)
		}
		low = min(low, m)
		if low < first-shellDip && m > low+shellDip && (at < 0 || m > mass[at]) {
			at = j
		}
	}
	p.spent += shells * shellWays
	if at < 0 || mass[at] < first-shellSmall {
		return wide, false
	}

	// Whether the base has it.
	for k, u := range ways {
		for i := range x {
			x[i] = around.Mean[i] + num.Mul(radius(dim, at), u[i])
		}
		f[k] = logF(x) - p.base.Log(x)
	}
	slices.Sort(f)
	if !(f[shellWays/2] > p.least+floorBelow+pilotMissed) {
		return wide, false
	}
	wide = density.Base{Mean: around.Mean, Root: slices.Clone(around.Root)}
	for i := range wide.Root {
		wide.Root[i] *= radius(dim, at) / math.Sqrt(float64(dim))
	}
	return wide, wide.Normalise()
}

// radius is that of shell j of a normal distribution in dim dimensions, the first where most of its mass is.
func radius(dim, j int) float64 {
	return num.Mul(math.Sqrt(float64(dim)), num.Exp(num.Mul(math.Ln10/shellSteps, float64(j))))
}
