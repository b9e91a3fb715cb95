package tape

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// logistic is a logistic regression of n data on d columns, with an intercept.
func logistic(n, d int) *Tape {
	r := rand.New(rand.NewPCG(1, 1))
	b := NewBuilder(d + 1)
	x, signs := make([]Scalar, n*d), make([]Scalar, n)
	for i := range x {
		x[i] = Const(r.NormFloat64())
	}
	for i := range signs {
		signs[i] = Const(float64(2*r.IntN(2) - 1))
	}
	theta := b.Inputs()
	eta := b.Map(Add, theta[:1], b.MatMul(x, theta[1:], n, d, 1))
	b.Target(b.Do(Neg, b.Sum(b.Map(Softplus, b.Map(Mul, signs, eta)))))
	t, err := b.Finish()
	if err != nil {
		panic(err)
	}
	return t
}

// BenchmarkLogistic measures the gradient of a logistic regression with 1,000 data and 10 columns, for one point and
// for several at once.
func BenchmarkLogistic(b *testing.B) {
	t := logistic(1000, 10)
	for _, n := range []int{1, 16, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m, x := t.Evaluator(n), make([]float64, n*t.Dim())
			for i := range x {
				x[i] = float64(i%7) / 10
			}
			out := make([]float64, len(x))
			for range b.N {
				m.Eval(x, n)
				m.Gradient(out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/point")
		})
	}
}
