package kernel

import (
	"math"
	"testing"

	"logzlab/core/num"
)

// ladders are linear, and dense at either end.
var ladders = map[string]func(u float64) float64{
	"linear": func(u float64) float64 { return u },
	"fifth":  func(u float64) float64 { return u * u * u * u * u },
	"root":   math.Sqrt,
}

func rungs(K int, f func(float64) float64) []float64 {
	b := make([]float64, K)
	for k := range b {
		b[k] = f(float64(k) / float64(K-1))
	}
	return b
}

// Log densities against the formula: 1e-5 nat for each unit if all units are equal, which is the worst case, and 5e-5 +
// 1e-6 for each unit otherwise. The largest errors seen are about half of this. Planted and caught: the padding's
// factors of 2 not removed, no flush after 960 units, nodes and range an octave off, S'(0) with the wrong sign.
func TestLadder(t *testing.T) {
	s := stream("ladder")
	const unit = 1.0 / (1 << 21)
	for name, f := range ladders {
		for _, K := range []int{2, 101} {
			beta := rungs(K, f)
			l := NewLadder(beta, unit)
			for _, n := range []int{1, 2, 7, 8, 9, 20, 500, 960, 1100} {
				for top := 0.01; top < 256; top *= 2.7 {
					x := make([]int32, n)
					tol := 5e-5 + 1e-6*float64(n)
					switch kind := s.Intn(4); kind {
					case 0: // all equal
						tol = 1e-5 * float64(n)
						for j := range x {
							x[j] = int32(top / unit)
						}
					case 1: // zeros and edges
						for j := range x {
							x[j] = int32(float64(s.Intn(3)-1) * top / unit)
						}
						tol = 1e-5 * float64(n)
					default:
						for j := range x {
							u := s.Float64()
							if kind == 2 {
								u *= u * u
							}
							x[j] = int32((2*float64(s.Intn(2)) - 1) * u * top / unit)
						}
					}
					out := make([]float64, K)
					l.Values(Pack(x), n, -300, 700, 0, out)
					for k, got := range out {
						want := (1-beta[k])*-300 + beta[k]*700
						for _, v := range x {
							want += num.Softplus(beta[k] * float64(v) * unit)
						}
						if !(math.Abs(got-want) <= tol) {
							t.Errorf("%s, %d units up to %v, beta %v: %v, want %v, error %.1e > %.1e",
								name, n, top, beta[k], got, want, math.Abs(got-want), tol)
							break
						}
					}
				}
			}
		}
	}
}

// Sums above 256 are computed rung by rung; a part of the ladder has the bits of the whole; sums at the edge of int32
// are handled.
func TestLadderRange(t *testing.T) {
	beta := rungs(40, ladders["linear"])
	whole, part := make([]float64, 40), make([]float64, 11)
	x := []int32{edge, -edge, 0, 1, -1, edge / 100}
	for _, unit := range []float64{256.0 / edge, 256.1 / edge, 1} {
		l := NewLadder(beta, unit)
		acc := Pack(x)
		l.Values(acc, len(x), 1, 2, 0, whole)
		l.Values(acc, len(x), 1, 2, 17, part)
		for k, v := range part {
			if v != whole[17+k] {
				t.Errorf("rung %d of a part is %v, of the whole %v", 17+k, v, whole[17+k])
			}
		}
		for k, got := range whole {
			want := 1 + beta[k]
			for _, v := range x {
				want += num.Softplus(beta[k] * float64(v) * unit)
			}
			if !(math.Abs(got-want) <= 6e-5+1e-15*want) {
				t.Errorf("unit %v, beta %v: %v, want %v", unit, beta[k], got, want)
			}
		}
		if n := testing.AllocsPerRun(100, func() { l.Values(acc, len(x), 1, 2, 0, whole) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

func TestExtent(t *testing.T) {
	s := stream("extent")
	for _, n := range []int{1, 2, 3, 7, 8, 9, 31, 500, 1001} {
		x := make([]int32, n)
		for j := range x {
			x[j] = int32(s.Intn(2*edge+1) - edge)
			if s.Intn(5) == 0 {
				x[j] = int32(edge * (1 - 2*s.Intn(2)))
			}
		}
		acc := Pack(x)
		var wantTop, wantPos, wantAbs int64
		for _, v := range x {
			size := max(int64(v), -int64(v))
			wantTop, wantPos, wantAbs = max(wantTop, size), wantPos+max(int64(v), 0), wantAbs+size
		}
		if top, pos, abs := Extent(acc, n); top != wantTop || pos != wantPos || abs != wantAbs {
			t.Errorf("n = %d: Extent = %d, %d, %d, want %d, %d, %d", n, top, pos, abs, wantTop, wantPos, wantAbs)
		}
	}
}

func BenchmarkLadder(b *testing.B) {
	s := stream("bench")
	x := make([]int32, 500)
	for j := range x {
		x[j] = int32(s.Norm() * 4 * (1 << 22))
	}
	acc := Pack(x)
	l := NewLadder(rungs(101, ladders["linear"]), 1.0/(1<<22))
	out := make([]float64, 101)
	for b.Loop() {
		l.Values(acc, 500, 1, 2, 0, out)
	}
}
