package kernel

import "testing"

// Sweeps tile by tile against those of single rows in Go.
func TestTiled(t *testing.T) {
	if !avx2 {
		t.Skip("no AVX2 here")
	}
	testMachine(t, func(net *Net, rows int) (a, b *Rows) {
		PureGo = true
		a = NewRows(net, rows)
		PureGo = false
		return a, NewRows(net, rows)
	})
}
