package targets

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/gpc"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// RandomRBM returns an RBM that resembles a trained one: weights N(0, sd^2), base rates between .05 and .95, visible
// biases scattered around their logits.
func RandomRBM(m, j int, sd float64, seed uint32) rbm.Params {
	s := rng.NewKey(seed, "model", m*1000+j).Stream(0, 0, 0)
	f := rbm.Params{M: m, J: j}
	for range m * j {
		f.W = append(f.W, sd*s.Norm())
	}
	for range m {
		rate := .05 + .9*s.Float64()*s.Float64()
		f.P1 = append(f.P1, rate)
		f.C = append(f.C, num.Logit(rate)+.5*s.Norm())
	}
	for range j {
		f.B = append(f.B, .5*s.Norm())
	}
	return f
}

// Hills returns a mixture of n hills on a sphere of the given radius in d dimensions, of unequal mass and width, with
// log Z = logC.
func Hills(d, n int, radius, logC float64, seed uint32) mixture.GaussianParams {
	s := rng.NewKey(seed, "hills", d).Stream(0, 0, 0)
	f := mixture.GaussianParams{D: d, BaseSD: 3, LogC: logC}
	total := 0.0
	for j := range n {
		x, norm := make([]float64, d), 0.0
		for i := range x {
			x[i] = s.Norm()
			norm += x[i] * x[i]
		}
		for i := range x {
			x[i] *= radius / math.Sqrt(norm)
		}
		f.Means = append(f.Means, x)
		f.SDs = append(f.SDs, .7+.5*s.Float64())
		f.Weights = append(f.Weights, float64(1+j))
		total += float64(1 + j)
	}
	for j := range f.Weights {
		f.Weights[j] /= total
	}
	return f
}

// TwoHills returns an RBM of 26 x 26 units with two modes 22 units apart, too large to be enumerated, and log Z:
// Z = sum_k C(26, k) e^(ck) (1 + e^(b + wk))^26.
func TwoHills() (rbm.Params, float64) {
	const n, w, c, b = 26, .3, -3.8, -3.9
	f := rbm.Params{M: n, J: n}
	for range n {
		f.C, f.B, f.P1 = append(f.C, c), append(f.B, b), append(f.P1, .5)
		for range n {
			f.W = append(f.W, w)
		}
	}
	var z num.LSE
	choose := 0.0 // log C(n, k)
	for k := range n + 1 {
		z.Add(choose + c*float64(k) + n*num.Softplus(b+w*float64(k)))
		choose += num.Log(float64(n-k)) - num.Log(float64(k+1))
	}
	return f, z.Value()
}

// Bars returns an RBM trained on bars and stripes of side x side cells: pictures with constant rows, or constant
// columns.
func Bars(side int, t rbm.Training) (rbm.Params, error) {
	var bits []uint8
	for picture := range 2 << side {
		for cell := range side * side {
			at := cell / side
			if picture&1 == 1 {
				at = cell % side
			}
			bits = append(bits, uint8(picture>>(at+1)&1))
		}
	}
	w, err := rbm.Train(bits, side*side, t, nil)
	if err != nil {
		return rbm.Params{}, err
	}
	return rbm.Params{M: w.M, J: w.J, W: w.W, C: w.C, B: w.B, P1: rbm.Means(bits, side*side)}, nil
}

// Pictures returns a Bernoulli mixture of n pictures of m cells, each cell on or off with probability sure, and log Z.
func Pictures(m, n int, sure float64, seed uint32) (mixture.BernoulliParams, float64) {
	s := rng.NewKey(seed, "pictures", m*1000+n).Stream(0, 0, 0)
	p := mixture.BernoulliParams{M: m, LogC: s.Norm()}
	sum := 0.0
	for j := range n {
		p.Weights = append(p.Weights, float64(1+j))
		sum += float64(1 + j)
		for range m {
			x := sure
			if s.Intn(2) == 0 {
				x = 1 - sure
			}
			p.Probabilities = append(p.Probabilities, x)
		}
	}
	return p, p.LogC + num.Log(sum)
}

// OneFactor returns a classifier of n data with K = diag(d) + l l', and its log Z: an integral over one factor, by a
// sum over steps of 1e-4.
func OneFactor(s *rng.Stream, n int, amplitude float64) (gpc.Params, float64) {
	p := gpc.Params{N: n}
	var l, d []float64
	for range p.N {
		l, d = append(l, amplitude*s.Norm()), append(d, (.01+(1-.01)*s.Float64())*amplitude)
		y := []float64{-1, 1}
		p.Y = append(p.Y, y[s.Intn(2)])
	}
	for i := range p.N {
		for j := range p.N {
			k := l[i] * l[j]
			if i == j {
				k += d[i]
			}
			p.K = append(p.K, k)
		}
	}
	const width = 1e-4
	var sum num.LSE
	for k := -9 / width; k <= 9/width; k++ {
		x := k * width
		f := -.5*x*x - .5*math.Log(2*math.Pi) + math.Log(width)
		for i := range l {
			f += num.LogPhi(p.Y[i] * l[i] * x / math.Sqrt(1+d[i]))
		}
		sum.Add(f)
	}
	return p, sum.Value()
}
