package gpc

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// ouStages returns log Z_1..log Z_N of one-dimensional data with an Ornstein-Uhlenbeck kernel by quadrature: sorted,
// the latent values are a Markov chain, and a filter propagates their density from datum to datum on a grid. The
// density is smooth on the scale of the grid, so the trapezoid rule converges exponentially. p1 is the likelihood of
// label 1.
func ouStages(x, y []float64, amplitude, length, h float64, p1 func(f float64) float64) []float64 {
	var out []float64
	grid := int(2 * 9 / h)
	u := func(i int) float64 { return -9 + float64(i)*h } // latent values divided by the amplitude
	for n := 1; n <= len(x); n++ {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, x[a]-x[b])) })
		p, q := make([]float64, grid), make([]float64, grid)
		logZ := 0.0
		for k, d := range order {
			rho := 0.0
			if k > 0 {
				rho = math.Exp(-(x[d] - x[order[k-1]]) / length)
			}
			v := 1 - rho*rho
			sum := 0.0
			for j := range q {
				q[j] = 0
				for i := range p {
					if k == 0 {
						q[j] = math.Exp(-u(j) * u(j) / 2)
						break
					}
					if e := u(j) - rho*u(i); e*e < 80*v {
						q[j] += p[i] * math.Exp(-e*e/(2*v))
					}
				}
				q[j] *= h / math.Sqrt(2*math.Pi*v) * p1(y[d]*amplitude*u(j))
				sum += q[j]
			}
			logZ += math.Log(sum)
			for j := range q {
				q[j] /= sum
			}
			p, q = q, p
		}
		out = append(out, logZ)
	}
	return out
}

// The exact values of gpc-ou and of the public truth file with such a kernel equal ouStages.
func TestGPCOrnsteinUhlenbeck(t *testing.T) {
	f := labtest.ReadTruth(t, "public_gpc_ou10")
	var g struct {
		X, Y   []float64
		Prefix []float64 `json:"logZ_prefix"`
	}
	if err := json.Unmarshal(f.Content, &g); err != nil {
		t.Fatal(err)
	}
	for n, z := range ouStages(g.X, g.Y, 2, 1.5, .06, num.Phi) {
		labtest.Near(t, fmt.Sprint("ou10 log Z_", n+1), z, g.Prefix[n], 1e-8)
	}
	m, err := kinds.Open("gpc-ou", nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := m.(*Classifier)
	for n, z := range ouStages(o.data.x, o.y, 3, 2, .06, num.Phi) {
		labtest.Near(t, fmt.Sprint("gpc-ou log Z_", n+1), o.StageLogZ()[n], z, 1e-9)
	}
	logistic := ouStages(o.data.x, o.y, 3, 2, .12, num.Sigmoid)[29]
	labtest.Near(t, "logistic gpc-ou", logistic, -17.2639334138, 1e-8)
	labtest.Near(t, "gpc-ou", models.TruthOf(m).LogZ, o.knownLogZ[29], 0)
	if m, err = kinds.Open("gpc-ou", spec.Values{"amplitude": "2"}, nil, nil); err != nil ||
		models.TruthOf(m) != nil {
		t.Errorf("Truth for another amplitude: %v", err)
	}
}
