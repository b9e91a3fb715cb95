package kernel

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/internal/tier"
)

// sizes are around tiles, chunks and the sizes of the models in use.
var sizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 31, 32, 33, 63, 64, 65, 500, 511, 512, 513, 784, 960, 961, 1025}

// bothWays runs f with the vector instructions, with and without AVX-512, and with the Go code, and compares the
// results.
func bothWays[T comparable](t *testing.T, what string, f func() []T) {
	t.Helper()
	wide := avx512
	defer func() { avx2, avx512 = true, wide }()
	avx2, avx512 = false, false
	slow := f()
	avx2 = true
	for _, avx512 = range []bool{false, wide} {
		fast := f()
		if len(fast) != len(slow) {
			t.Fatalf("%s: %d and %d values", what, len(fast), len(slow))
		}
		for i := range slow {
			if fast[i] != slow[i] {
				t.Fatalf("%s: value %d is %v by vectors (AVX-512: %v), %v by Go", what, i, fast[i], avx512, slow[i])
			}
		}
	}
}

// adversary returns n packed sums of one of six kinds.
func adversary(s *rng.Stream, kind, n int) []int64 {
	x := make([]int32, n)
	for j := range x {
		switch kind {
		case 0:
			x[j] = int32(s.Intn(2*edge+1) - edge)
		case 1: // borrows between the halves of a word
			x[j] = []int32{-1, 0, 1, edge, -edge, math.MaxInt32, -math.MaxInt32}[s.Intn(7)]
		case 2:
			x[j] = int32(s.Intn(201) - 100)
		case 3: // what models have
			x[j] = int32(s.Norm() * (1 << 24))
		case 4:
			x[j] = -edge
		}
	}
	return Pack(x)
}

func bits32(x []float32) (b []uint32) {
	for _, v := range x {
		b = append(b, math.Float32bits(v))
	}
	return
}

func bits64(x ...float64) (b []uint64) {
	for _, v := range x {
		b = append(b, math.Float64bits(v))
	}
	return
}

// The vector instructions give the bits of the Go code. Planted and caught: a missing correction of the borrow,
// products in another order, a constant with its last bit changed, blocks in the order 0 1 2 3, states shifted by 8
// instead of 7, a tail that keeps its padding, e^x without either end of its range, a missing accumulator.
func TestAVX2(t *testing.T) {
	if !avx2 {
		t.Skip("no AVX2 here")
	}
	s := stream("avx2")
	for _, n := range sizes {
		for kind := range 6 {
			acc := adversary(&s, kind, n)
			bothWays(t, "Extent", func() []int64 {
				a, b, c := Extent(acc, n)
				return []int64{a, b, c}
			})
			for _, scale := range []float64{0, 1e-12, 1.0 / (1 << 25), 1.0 / (1 << 20), 0.7, 708.3, 1e30, 1e300} {
				bothWays(t, "SoftplusNegative", func() []uint64 { return bits64(SoftplusNegative(acc, n, scale)) })
				if scale < math.MaxFloat32 {
					bothWays(t, "single", func() []uint64 { return bits64(softplusNegative(acc, n, float64(float32(scale)), true)) })
				}
			}
			for _, pairs := range []int{minPairs, 5, maxPairs} {
				p := make([]float32, 2*pairs*lanes)
				bothWays(t, "powers", func() []uint32 {
					for i := range p {
						p[i] = 1 + float32(i)/64
					}
					powers(p, acc[:min(len(acc), nodeChunk/2)], float32(-1.0/edge/2))
					return bits32(p)
				})
			}
			rungs := make([]float64, n)
			for k := range rungs {
				rungs[k] = float64(k) / float64(max(n-1, 1))
			}
			l := NewLadder(rungs, 1.0/(1<<24))
			bothWays(t, "Ladder", func() []uint64 {
				out := make([]float64, n-n/3)
				l.Values(acc, n, -123.4, 234.5, n/3, out)
				return bits64(out...)
			})
		}
		// From equal states the same units must flip.
		acc := adversary(&s, 0, n)
		base := make([]float32, n)
		for j := range base {
			base[j] = float32(s.Norm() * 3)
		}
		for step, scale := range []float32{0, 1e-30, 1.0 / edge, 5.0 / edge, 40.0 / edge, 88.8 / edge, 1, 1e30} {
			for _, l := range []Layer{{N: n, Scale: scale}, {N: n, Scale: scale, Base: base, BaseScale: 0.7},
				{N: n, Scale: scale, Base: base, BaseScale: 0.7, Flip: true}, {N: max(0, n-5), Scale: -scale}} {
				for kind := range 6 {
					if kind > 0 {
						acc = adversary(&s, kind, n)
					}
					before := make([]uint8, n)
					for j := range before {
						before[j] = uint8(s.Intn(2))
					}
					bothWays(t, "Draw", func() []int32 {
						state := slices.Clone(before)
						// The counter of a stream may wrap around.
						draw := rng.NewKey(3, "avx2", n).Stream(uint32(kind), 0xffffffff, uint32(step))
						draw.Uint32()
						draw.SkipBlocks(0xfffffff0)
						on, off := l.Draw(&draw, acc, state, make([]int32, n), make([]int32, n))
						out := append(append(slices.Clone(on), -1), off...)
						for _, x := range state {
							out = append(out, int32(x))
						}
						return append(out, int32(draw.Uint32()))
					})
				}
			}
		}
	}
}

func TestAVX2Update(t *testing.T) {
	if !avx2 {
		t.Skip("no AVX2 here")
	}
	s := stream("avx2 update")
	for _, cols := range sizes {
		const rows = 23
		m := NewMatrix(rows, cols, func(r, c int) int32 { return int32(s.Intn(1<<31) - 1<<30) })
		for n := range 10 {
			on, off := make([]int32, n), make([]int32, s.Intn(10))
			for i := range on {
				on[i] = int32(s.Intn(rows))
			}
			for i := range off {
				off[i] = int32(s.Intn(rows))
			}
			start := adversary(&s, n%5, s.Intn(cols+1)) // a part of the columns, or none, too
			bothWays(t, "Update", func() []int64 {
				acc := slices.Clone(start)
				m.Update(acc, on, off)
				return acc
			})
		}
	}
}

func TestAVX2Combine(t *testing.T) {
	if !avx2 {
		t.Skip("no AVX2 here")
	}
	s := stream("avx2 combine")
	for n := 1; n < 70; n++ {
		stride, terms := n+s.Intn(9), 2+s.Intn(20)
		w, y := make([]float64, stride*terms), make([]float64, terms)
		for i := range w {
			w[i] = s.Norm() * float64(s.Intn(3)-1)
		}
		for i := range y {
			y[i] = s.Norm() * float64(s.Intn(3)-1)
		}
		bothWays(t, "combine", func() []uint64 {
			out := make([]float64, n)
			combine(out, w, stride, y)
			return bits64(out...)
		})
	}
}

func TestAVX2Logs(t *testing.T) {
	if !avx2 {
		t.Skip("no AVX2 here")
	}
	s := stream("avx2 logs")
	for range tier.Draws(3000) {
		above := make([]float64, 1+s.Intn(200))
		for k := range above {
			above[k] = 1 + s.Float64()*math.Ldexp(1, s.Intn(960)-50)
		}
		bothWays(t, "logs", func() []uint64 {
			y := slices.Clone(above)
			logs(y)
			return bits64(y...)
		})
	}
}

// The whole range of num.Exp, its edges, and NaN and infinite values.
func TestAVX2Tempering(t *testing.T) {
	if !avx2 {
		t.Skip("no AVX2 here")
	}
	s := stream("avx2 tempering")
	defer func() { avx2 = true }()
	for try := range tier.Draws(5000) {
		a := randomTempering(&s, try)
		b := a.cloned(slices.Clone[[]float64], slices.Clone[[]int32], slices.Clone[[]bool])
		avx2 = true
		a.Step()
		avx2 = false
		b.Step()
		sameTempering(t, a, b)
	}
}
