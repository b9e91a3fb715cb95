package ranges

import (
	"math"
	"math/rand/v2"
	"testing"

	"logzlab/models/stan/tape"
)

// TestRangesHold checks, for random operations on a few coordinates, that values at random points lie in their ranges,
// and that proved orders hold.
func TestRangesHold(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	one := []tape.Code{tape.Neg, tape.Abs, tape.Square, tape.Sqrt, tape.Inv, tape.Exp, tape.Expm1, tape.Log, tape.Log1p,
		tape.Log1m, tape.Softplus, tape.Sigmoid, tape.Sin, tape.Tan, tape.Atan, tape.Tanh, tape.Erf, tape.Erfc, tape.Phi,
		tape.Floor, tape.Step, tape.Cosh}
	two := []tape.Code{tape.Add, tape.Sub, tape.Mul, tape.Div, tape.Min, tape.Max, tape.LogAddExp, tape.Pow}
	proved := 0
	for range 60 {
		b := tape.NewBuilder(3)
		f := New(b)
		list := append(b.Inputs(), tape.Consts(0, 1, .5, -2)...)
		pick := func() tape.Scalar { return list[random.IntN(len(list))] }
		for range 14 {
			switch random.IntN(8) {
			case 0:
				list = append(list, b.Sum([]tape.Scalar{pick(), pick(), pick()}))
			case 1:
				list = append(list, b.Dot([]tape.Scalar{pick(), pick()}, []tape.Scalar{pick(), pick()}))
			case 2:
				list = append(list, b.Do(tape.Select, pick(), pick(), pick()))
			case 3, 4:
				list = append(list, b.Do(one[random.IntN(len(one))], pick()))
			default:
				list = append(list, b.Do(two[random.IntN(len(two))], pick(), pick()))
			}
		}

		// All numbers at a few points.
		for _, s := range list {
			b.Output("x", s)
		}
		b.Target(b.Sum(b.Inputs()))
		tp, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		values := make([]float64, len(list))
		for range 10 {
			x := []float64{2 * random.NormFloat64(), random.NormFloat64(), 3 * random.NormFloat64()}
			tp.EvaluatorPool().Outputs(x, values)
			for i, v := range values {
				const rounding = 1e-9
				if r := f.Range(list[i]); v < r.Lo-rounding*math.Abs(r.Lo) || v > r.Hi+rounding*math.Abs(r.Hi) {
					t.Fatalf("%v is outside of %v", v, r)
				}
				for k, w := range values[:i] {
					if f.AtLeast(list[i], list[k]) && i != k {
						if proved++; v < w-1e-9*(1+math.Abs(w)) {
							t.Fatalf("%v is below %v", v, w)
						}
					}
				}
			}
		}
	}
	if proved < 1000 {
		t.Errorf("only %d orders were proved", proved)
	}
}

// TestNaN checks that AtLeast proves nothing about numbers that may be NaN, and still proves orders of numbers that are
// defined everywhere.
func TestNaN(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(1)
	f, x, zero := New(b), b.Inputs()[0], tape.Const(0)
	e, p := b.Do(tape.Exp, x), b.Do(tape.Sigmoid, x)
	for i, c := range []struct {
		x    tape.Scalar
		want bool
	}{
		{b.Do(tape.Sqrt, x), false},
		{b.Do(tape.Square, b.Do(tape.Log, x)), false},
		{b.Do(tape.Abs, b.Do(tape.Log1m, e)), false},
		{b.Do(tape.Acos, e), false},
		{b.Do(tape.Pow, p, b.Do(tape.Log1p, x)), false},
		{b.Do(tape.Select, e, p, tape.Const(math.NaN())), false},
		{b.Do(tape.Sqrt, e), true},
		{b.Do(tape.Square, b.Do(tape.Log, e)), true},
		{b.Do(tape.Abs, b.Do(tape.Log1m, p)), true},
		{b.Do(tape.Acos, p), true},
		{b.Do(tape.Select, e, p, zero), true},
	} {
		if got := f.AtLeast(c.x, zero); got != c.want {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

// TestSimplices checks that vectors such as softmax(x) and x/sum(x) are proved to be simplexes.
func TestSimplices(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(3)
	f := New(b)
	x := b.Inputs()
	p := b.Map(tape.Sigmoid, x)
	one := tape.Const(1)
	rest := b.Do(tape.Sub, one, p[0])
	e := b.Map(tape.Exp, x)
	mul := func(x, y tape.Scalar) tape.Scalar { return b.Do(tape.Mul, x, y) }
	for i, c := range []struct {
		x    []tape.Scalar
		want bool
	}{
		{[]tape.Scalar{p[0], rest}, true},
		{[]tape.Scalar{p[0], mul(rest, p[1]), mul(rest, b.Do(tape.Sub, one, p[1]))}, true},
		{b.Map(tape.Div, e, []tape.Scalar{b.Sum(e)}), true},
		{b.Map(tape.Exp, b.Map(tape.Sub, x, []tape.Scalar{b.LogSumExp(x)})), true},
		{[]tape.Scalar{x[0], b.Do(tape.Sub, one, x[0])}, false},
		{[]tape.Scalar{p[0], p[1]}, false},
		{b.Map(tape.Exp, b.Map(tape.Sub, x[:2], []tape.Scalar{b.LogSumExp(x)})), false},
	} {
		if got := f.Simplex(c.x); got != c.want {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

// TestLongSeries checks that the range of a long series of operations is known if each element is queried in turn, and
// unbounded if only the last element is queried (maxDepth).
func TestLongSeries(t *testing.T) {
	t.Parallel()
	for _, step := range []bool{true, false} {
		b := tape.NewBuilder(1)
		f, x := New(b), b.Do(tape.Exp, b.Inputs()[0])
		for range 300_000 {
			if x = b.Do(tape.Add, b.Do(tape.Sqrt, x), tape.Const(1)); step {
				f.Range(x)
			}
		}
		if r, want := f.Range(x), map[bool]float64{true: 1, false: math.Inf(-1)}[step]; r.Lo < want || r.Hi < 1 {
			t.Errorf("asked at every step %v: %v", step, r)
		}
		f.AtLeast(x, tape.Const(0))
	}
}
