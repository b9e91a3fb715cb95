package num

import "math"

// Invert replaces the n x n row-major matrix a by its inverse, by Gauss-Jordan elimination with pivoting. It returns
// false, with a undefined, if the matrix is singular or not finite.
func Invert(a []float64, n int) bool {
	swapped := make([]int, n)
	for c := range n {
		best := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r*n+c]) > math.Abs(a[best*n+c]) {
				best = r
			}
		}
		swapped[c] = best
		pivot := a[best*n+c]
		if !(math.Abs(pivot) > 0) || math.IsInf(pivot, 0) {
			return false
		}

		for l := range n {
			a[c*n+l], a[best*n+l] = a[best*n+l], a[c*n+l]
		}
		a[c*n+c] = 1
		for l := range n {
			a[c*n+l] /= pivot
		}

		for r := range n {
			if r == c {
				continue
			}
			f := a[r*n+c]
			a[r*n+c] = 0
			for l := range n {
				a[r*n+l] -= float64(f * a[c*n+l])
			}
		}
	}

	// Undo the row exchanges.
	for c := n - 1; c >= 0; c-- {
		for r := range n {
			a[r*n+c], a[r*n+swapped[c]] = a[r*n+swapped[c]], a[r*n+c]
		}
	}
	return true
}
