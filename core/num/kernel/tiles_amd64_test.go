package kernel

import "testing"

// Sweeps by tiles, with and without AVX-512, have the bits of sweeps of single rows in Go.
func TestTiled(t *testing.T) {
	if !avx2 {
		t.Skip("no AVX2 here")
	}
	wide := avx512
	defer func() { avx512 = wide }()
	for _, avx512 = range []bool{false, wide} {
		testAccelerator(t, func(net *Net, rows int) (a, b *Rows) {
			PureGo = true
			a = NewRows(net, rows)
			PureGo = false
			return a, NewRows(net, rows)
		})
	}
}
