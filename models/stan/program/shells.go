package program

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models/density"
)

// Parameters of the search for wide components.
const (
	shellDirections = 8
	shellsPerDecade = 8  // radii between r and 10 r
	shellCount      = 33 // radii: four decades
	shellDip        = 2  // nats by which the mass must fall after the first maximum, and rise again before the second
	maxShellDeficit = 6  // nats by which the second maximum may be below the first
)

// findWideComponent looks for a component of the target whose maximum is at a known mode, but which is far wider than
// the Hessian there indicates. No climb finds it, for example if a narrow and a wide normal distribution have the same
// mean. normal is the Laplace approximation of the mode, with mean m and Cholesky factor L. By this approximation the
// mass per log radius,
//
//	M(r) = r^d median_u f(m + r L u),  u random of length 1,
//
// has a single maximum, at r = sqrt d. A second maximum of M indicates a wide component; the result wide is normal with
// its scale increased so that it has this maximum. The median over directions ignores modes to one side, which few
// directions meet. ok is false if there is no second maximum, or if the base already has about as much density there as
// the target. number selects the random directions.
func (p *pilot) findWideComponent(normal density.Base, number int) (wide density.Base, ok bool) {
	dim := len(normal.Mean)
	directions := make([][]float64, shellDirections)
	for k := range directions {
		s, u := p.key.Stream(7, uint32(number), uint32(k)), make([]float64, dim)
		for i := range u {
			u[i] = s.Norm()
		}
		length := math.Sqrt(num.Dot(u, u))
		directions[k] = make([]float64, dim)
		for i := range dim {
			directions[k][i] = num.Dot(normal.Root[i*dim:i*dim+i+1], u[:i+1]) / length
		}
	}

	// log M at each radius. first is the largest before the dip; second is the index of the largest after it.
	var logM [shellCount]float64
	first, lowest, second := math.Inf(-1), math.Inf(1), -1
	x, f := make([]float64, dim), make([]float64, shellDirections)
	for j := range shellCount {
		r := shellRadius(dim, j)
		for k, u := range directions {
			for i := range x {
				x[i] = normal.Mean[i] + num.Mul(r, u[i])
			}
			if f[k] = p.points.LogF(x); !num.NotNaN(f[k]) {
				f[k] = math.Inf(-1)
			}
		}
		slices.Sort(f)
		m := f[shellDirections/2] + num.Mul(float64(dim), num.Log(r))
		if logM[j] = m; second < 0 {
			first = max(first, m)
		}
		lowest = min(lowest, m)
		if lowest < first-shellDip && m > lowest+shellDip && (second < 0 || m > logM[second]) {
			second = j
		}
	}
	if second < 0 || logM[second] < first-maxShellDeficit {
		return wide, false
	}

	// The base covers the component unless the median log weight log f - log base there exceeds the log of the mean
	// weight.
	for k, u := range directions {
		for i := range x {
			x[i] = normal.Mean[i] + num.Mul(shellRadius(dim, second), u[i])
		}
		f[k] = p.points.LogF(x) - p.base.Log(x)
	}
	slices.Sort(f)
	if !(f[shellDirections/2] > p.logIntegral()+missedNats) {
		return wide, false
	}
	wide = density.Base{Mean: normal.Mean, Root: slices.Clone(normal.Root)}
	for i := range wide.Root {
		wide.Root[i] *= shellRadius(dim, second) / math.Sqrt(float64(dim))
	}
	return wide, wide.Normalise()
}

// shellRadius returns radius j, sqrt(dim) 10^(j/shellsPerDecade). Most of the mass of a standard normal distribution in
// dim dimensions is near radius 0.
func shellRadius(dim, j int) float64 {
	return num.Mul(math.Sqrt(float64(dim)), num.Exp(num.Mul(math.Ln10/shellsPerDecade, float64(j))))
}
