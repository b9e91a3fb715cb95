package tape

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"logzlab/core/num"
)

// smooth are operations for random programs, valid for all arguments.
var smooth = []Code{Neg, Square, Exp, Softplus, Sigmoid, Erf, Erfc, Phi, LogPhi, Add, Sub, Mul, LogAddExp}

// random returns a program of scalars, vectors, gathered elements, sums, products and factors.
func random(r *rand.Rand, dim int) *Builder {
	b := NewBuilder(dim)
	x := append(b.Inputs(), Consts(r.NormFloat64(), 1, 0)...)
	pick := func(n int) []Scalar {
		if from := r.IntN(len(x)); r.IntN(2) == 0 && from+n <= len(x) {
			return x[from : from+n]
		}
		out := make([]Scalar, n)
		for i := range out {
			out[i] = x[r.IntN(len(x))]
		}
		return out
	}
	for range 30 {
		n := 1 + r.IntN(5)
		code := smooth[r.IntN(len(smooth))]
		args := [][]Scalar{pick(n), pick(n)}[:code.arity()]
		if r.IntN(3) == 0 {
			args[0] = args[0][:1]
		}
		made := b.Map(code, args...)
		if code == Exp || code == Square || code == Mul { // keep values small
			made = b.Map(Sigmoid, made)
		}
		x = append(x, made...)
		switch r.IntN(5) {
		case 0:
			x = append(x, b.Sum(pick(n)), b.LogSumExp(pick(n)), b.Dot(pick(n), pick(n)))
		case 1:
			x = append(x, b.Map(Sigmoid, b.MatMul(pick(2*n), pick(n*3), 2, n, 3))...)
		case 2:
			// A A' + 4 I is positive definite.
			a := pick(n * n)
			at := make([]Scalar, n*n)
			for i := range n {
				for j := range n {
					at[i*n+j] = a[j*n+i]
				}
			}
			spd := b.MatMul(a, at, n, n, n)
			for i := range n {
				spd[i*n+i] = b.Do(Add, spd[i*n+i], Const(4))
			}
			l := b.Cholesky(spd, n)
			x = append(x, b.Solve(l, pick(2*n), n, 2)...)
			x = append(x, b.SolveT(l, pick(n), n, 1)...)
		}
	}
	b.Target(b.Sum(pick(7)), x[len(x)-1], Const(3))
	b.Target(pick(4)...)
	b.Output("a", x[len(x)/2])
	b.Output("b", Const(2))
	return b
}

// TestRandomTapes checks random tapes: gradients equal finite differences, several points give the same bits as single
// points, and a tape read from its bytes has the same bytes.
func TestRandomTapes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		const dim, n = 4, 3
		tape, err := random(r, dim).Finish()
		if err != nil {
			continue
		}
		file := tape.Bytes()
		again, err := Read(file)
		if err != nil {
			t.Fatal(seed, err)
		}
		if !bytes.Equal(again.Bytes(), file) {
			t.Fatal(seed, "Read(Bytes()) has other bytes")
		}

		x, slopes := make([]float64, dim*n), make([]float64, dim*n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		m, p := again.Evaluator(n), tape.EvaluatorPool()
		m.Eval(x, n)
		m.Gradient(slopes)
		for i := range n {
			at, slope := x[i*dim:(i+1)*dim], make([]float64, dim)
			y := p.Gradient(at, slope)
			if y != m.Target(i) && num.NotNaN(y) {
				t.Fatalf("%d: Target = %v alone, %v with others", seed, y, m.Target(i))
			}
			for k, g := range slope {
				if g != slopes[i*dim+k] {
					t.Fatalf("%d: gradient %v alone, %v with others", seed, g, slopes[i*dim+k])
				}
				h := 1e-5
				moved := append([]float64(nil), at...)
				moved[k] += h
				up := p.LogF(moved)
				moved[k] -= 2 * h
				if d := (up - p.LogF(moved)) / (2 * h); math.Abs(d-g) > 1e-5*(1+math.Abs(g)+math.Abs(y)) {
					t.Errorf("%d: gradient %v, finite difference %v (Target %v)", seed, g, d, y)
				}
			}
		}
	}
}

// TestGradients compares the gradient of each elementwise operation with finite differences.
func TestGradients(t *testing.T) {
	t.Parallel()
	for code := Neg; code < Sum; code++ {
		b := NewBuilder(3)
		x := b.Map(Add, b.Map(Mul, b.Inputs(), Consts(.3, .2, .1)), Consts(.7, .4, .35))
		switch code {
		case Log1mExp:
			x[0] = b.Do(Neg, x[0])
		case LogBessel:
			x[0] = Const(2)
		}
		b.Target(b.Do(code, x[:code.arity()]...))
		tape, err := b.Finish()
		if err != nil {
			t.Fatal(code, err)
		}
		p, at, slope := tape.EvaluatorPool(), []float64{.11, -.3, .2}, make([]float64, 3)
		if y := p.Gradient(at, slope); !num.NotNaN(y) {
			t.Errorf("operation %d = NaN", code)
		}
		for k, g := range slope {
			const h = 1e-5
			at[k] += h
			up := p.LogF(at)
			at[k] -= 2 * h
			if d := (up - p.LogF(at)) / (2 * h); !(math.Abs(d-g) < 1e-7*(1+math.Abs(g))) {
				t.Errorf("operation %d, argument %d: derivative %v, finite difference %v", code, k, g, d)
			}
			at[k] += h
		}
	}
}

// TestLoopsBecomeVectors checks that Finish merges the operations of an unrolled loop into a few operations on vectors.
func TestLoopsBecomeVectors(t *testing.T) {
	t.Parallel()
	b := NewBuilder(2)
	x := b.Inputs()
	for i := range 1000 {
		at := Const(float64(i) / 1000)
		mean := b.Do(Add, x[0], b.Do(Mul, x[1], at))
		e := b.Do(Sub, Const(float64(i%7)), mean)
		b.Target(b.Do(Mul, Const(-.5), b.Do(Square, e)))
	}
	tape, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tape.ops); n > 10 {
		t.Errorf("%d operations, want at most 10", n)
	}
	slope := make([]float64, 2)
	y := tape.EvaluatorPool().Gradient([]float64{1, 2}, slope)
	want, d0, d1 := 0., 0., 0.
	for i := range 1000 {
		at := float64(i) / 1000
		e := float64(i%7) - 1 - 2*at
		want -= e * e / 2
		d0 += e
		d1 += e * at
	}
	if math.Abs(y-want) > 1e-9 || math.Abs(slope[0]-d0) > 1e-9 || math.Abs(slope[1]-d1) > 1e-9 {
		t.Errorf("%v %v, want %v %v %v", y, slope, want, d0, d1)
	}
}

// FuzzRead checks that any bytes give an error or a tape that can be evaluated.
func FuzzRead(f *testing.F) {
	for seed := range uint64(4) {
		if tape, err := random(rand.New(rand.NewPCG(seed, 2)), 3).Finish(); err == nil {
			f.Add(tape.Bytes())
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		tape, err := Read(b)
		if err != nil || tape.EvalTime() > 1e7 || tape.slots > 1e6 {
			return
		}
		m, out := tape.Evaluator(2), make([]float64, 2*tape.Dim())
		m.Eval(make([]float64, 2*tape.Dim()), 2)
		m.Gradient(out)
		m.Outputs(out[:tape.Dim()], make([]float64, len(tape.outputs)))
	})
}
