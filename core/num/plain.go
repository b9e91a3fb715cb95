package num

// Finite reports whether x is a number, neither infinite nor NaN.
func Finite(x float64) bool { return x-x == 0 }

// AllFinite reports whether all of x are numbers. A browser optimises a long function in which a loop runs, even if the
// function never runs again: a loop over all weights of a model is a function of its own.
//
//go:noinline
func AllFinite(x []float64) bool {
	for _, v := range x {
		if !Finite(v) {
			return false
		}
	}
	return true
}

// Known reports whether x is not NaN, which stands for an unknown value.
func Known(x float64) bool { return x == x }

// Mul returns x*y rounded once. A sum with a plain product may be computed by one fused instruction, which rounds
// once for both and gives other digits; see the package comment.
func Mul(x, y float64) float64 { return float64(x * y) }
