package stan

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
)

// BenchmarkGradient measures the time per gradient of a logistic regression of 1,000 data on 10 columns, for 100 points
// evaluated one by one and together. wasm/tool/oracle/gradient.R runs it alternately with rstan on the same data and
// points.
func BenchmarkGradient(b *testing.B) {
	const n, k, points = 1000, 10, 100
	x, y := make([][]float64, n), make([]int, n)
	for i := range x {
		for j := range k {
			x[i] = append(x[i], math.Sin(float64(11*i+7*j*j)))
		}
		if math.Sin(float64(13*i)) > 0 {
			y[i] = 1
		}
	}
	data, err := json.Marshal(map[string]any{"N": n, "K": k, "X": x, "y": y})
	if err != nil {
		b.Fatal(err)
	}
	c, err := Compile(`data { int N; int K; matrix[N, K] X; array[N] int y; } parameters { real alpha; vector[K] beta; }
model { y ~ bernoulli_logit(alpha + X * beta); }`, data, nil)
	if err != nil {
		b.Fatal(err)
	}
	var theta []float64
	for r := range points {
		for j := range k + 1 {
			theta = append(theta, .1*math.Cos(float64(r+j)))
		}
	}
	slope := make([]float64, len(theta))
	for _, at := range []int{1, points} {
		b.Run(fmt.Sprint(at), func(b *testing.B) {
			m := c.Tape.Evaluator(at)
			b.ReportAllocs()
			for b.Loop() {
				for r := 0; r < len(theta); r += at * (k + 1) {
					m.Eval(theta[r:r+at*(k+1)], at)
					m.Gradient(slope[r : r+at*(k+1)])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*points), "ns/point")
		})
	}
}
