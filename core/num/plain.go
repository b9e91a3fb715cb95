package num

// Finite reports whether x is neither infinite nor NaN.
func Finite(x float64) bool { return x-x == 0 }

// AllFinite reports whether all of x are finite. Browsers optimise a long function while a loop in it runs, even if the
// function never runs again, so a loop over all weights of a model is a separate function.
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

// NotNaN reports whether x is not NaN; NaN represents an unknown value.
func NotNaN(x float64) bool { return x == x }

// Mul returns x*y, rounded. In a sum with a plain product the compiler may fuse both operations, which rounds only once
// and changes the result; see the package comment.
func Mul(x, y float64) float64 { return float64(x * y) }
