//go:build !js

package kernel

import (
	"context"
	"os"
	"testing"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"logzlab/core/num/rng"
)

// arena allocates pieces of the linear memory of a WebAssembly instance.
type arena struct {
	memory []byte
	used   int
}

func (a *arena) words(n int) []uint64 { return piece[uint64](a, n) }

func piece[T any](a *arena, n int) []T {
	var x T
	at := a.used
	a.used += (n*int(unsafe.Sizeof(x)) + 15) / 16 * 16
	clear(a.memory[at:a.used])
	return unsafe.Slice((*T)(unsafe.Pointer(&a.memory[at])), n)
}

func moved[T any](a *arena, x []T) []T {
	y := piece[T](a, max(len(x), 1))[:len(x)]
	copy(y, x)
	return y
}

// inside is a simd whose callers keep their numbers outside its memory.
type inside struct {
	*simd
	arena      *arena
	scale, out []float64
}

func (s inside) softplus(lo, hi int, scale, out []float64, single bool) {
	copy(s.scale, scale)
	s.simd.softplus(lo, hi, s.scale[:len(scale)], s.out, single)
	copy(out[:(hi-lo)*len(scale)], s.out)
}

func (s inside) ladder(l *Ladder, lo, n int, log0, log1, out []float64) {
	here := &Ladder{beta: l.beta, unit: l.unit, slopes: l.slopes}
	for i := range l.grids {
		if g := l.grids[i].Load(); g != nil {
			here.grids[i].Store(&ladderGrid{moved(s.arena, g.weight)})
		}
	}
	y := moved(s.arena, out[:n*len(log0)])
	s.simd.ladder(here, lo, n, moved(s.arena, log0), moved(s.arena, log1), y)
	copy(out, y)
	for i := range l.grids { // those that were fitted now
		if l.grids[i].Load() == nil {
			l.grids[i].Store(here.grids[i].Load())
		}
	}
}

// newModule runs the module in a new memory. The 64 pages before the pieces of the arena and the memory after them are
// guards, which must not be written.
func newModule(t *testing.T) (*arena, *simd) {
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { runtime.Close(ctx) })
	// A module that exports a memory of 512 pages as "memory".
	env := []byte("\x00asm\x01\x00\x00\x00\x05\x04\x01\x00\x80\x04\x07\x0a\x01\x06memory\x02\x00")
	host, err := runtime.InstantiateWithConfig(ctx, env, wazero.NewModuleConfig().WithName("env"))
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("simd.wasm")
	if err != nil {
		t.Fatal(err)
	}
	module, err := runtime.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithName("simd"))
	if err != nil {
		t.Fatal(err)
	}
	memory, ok := host.Memory().Read(0, host.Memory().Size())
	if !ok {
		t.Fatal("no memory")
	}
	const guard = 64 << 16
	a := &arena{memory, guard}
	for i := range memory[guard:] {
		memory[guard+i] = 0xA5
	}
	bind := func(export string, address uint32) func() {
		f := module.ExportedFunction(export)
		return func() {
			if _, err := f.Call(ctx, api.EncodeU32(address)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Cleanup(func() {
		for i, x := range memory {
			if i < guard && x != 0 || i >= a.used && x != 0xA5 {
				t.Errorf("the module wrote to the guard at %d", i)
				return
			}
		}
	})
	return a, &simd{base: uintptr(unsafe.Pointer(&memory[0])), room: a.words, bind: bind}
}

// newInside moves rows into a module's memory and gives them the module as accelerator.
func newInside(t *testing.T, p *Rows) {
	a, module := newModule(t)
	net := *p.Net
	hv, vh := *p.HV, *p.VH
	for _, m := range []*Matrix{&hv, &vh} {
		t := m.lines()
		t.w = moved(a, t.w)
		m.lines = func() tiling { return t }
	}
	net.HV, net.VH = &hv, &vh
	net.B0, net.C0 = moved(a, net.B0), moved(a, net.C0)
	net.C, net.G = moved(a, net.C), moved(a, net.G)
	p.Net = &net
	p.Scale, p.BaseScale = moved(a, p.Scale), moved(a, p.BaseScale)
	p.LinC, p.LinG, p.Flip = moved(a, p.LinC), moved(a, p.LinG), moved(a, p.Flip)
	p.v, p.h, p.actH, p.actV = moved(a, p.v), moved(a, p.h), moved(a, p.actH), moved(a, p.actV)
	s := newSIMD(p, module.base, module.room, module.bind)
	p.fast = inside{s, a, piece[float64](a, 3), piece[float64](a, 3*len(p.LinC))}
}

// TestSIMD compares the module, in a memory of its own, with Go, bit for bit.
func TestSIMD(t *testing.T) {
	testAccelerator(t, func(net *Net, rows int) (a, b *Rows) {
		PureGo = true
		defer func() { PureGo = false }()
		a, b = NewRows(net, rows), NewRows(net, rows)
		newInside(t, b)
		return a, b
	})
}

func TestSIMDTempering(t *testing.T) {
	a, module := newModule(t)
	testTempering(t, newSIMDTempering(module), func(x *Tempering) *Tempering {
		return x.cloned(func(x []float64) []float64 { return moved(a, x) }, func(x []int32) []int32 { return moved(a, x) },
			func(x []bool) []bool { return moved(a, x) })
	})
}

func TestSIMDProducts(t *testing.T) {
	a, module := newModule(t)
	testProducts(t, newSIMDProducts(module), func(x []float64) []float64 { return moved(a, x) },
		func(x []int64) []int64 { return moved(a, x) })
}

func TestSIMDMeans(t *testing.T) {
	a, module := newModule(t)
	testMeans(t, newSIMDMeans(module), func(m *Matrix) *Matrix {
		n, tiles := *m, moved(a, m.tiles())
		n.tiles = func() []int64 { return tiles }
		return &n
	}, func(x []float64) []float64 { return moved(a, x) })
}

func TestSIMDPool(t *testing.T) {
	a, module := newModule(t)
	testPool(t, newSIMDPool(module), func(x []float64) []float64 { return moved(a, x) })
}

func TestSIMDFilter(t *testing.T) {
	a, module := newModule(t)
	testFilter(t, newSIMDFilter(module), func(x []float64) []float64 { return moved(a, x) },
		func(x []int32) []int32 { return moved(a, x) })
}

func TestSIMDSpins(t *testing.T) {
	a, module := newModule(t)
	v := newSIMDSpins(module)
	testSpins(t, func(p *Spins, at rng.At, n int, back bool) {
		here := *p
		here.State, here.Const, here.First, here.Edges = moved(a, p.State), moved(a, p.Const), moved(a, p.First),
			moved(a, p.Edges)
		here.Limits, here.Base, here.index = moved(a, p.Limits), moved(a, p.Base), moved(a, p.index)
		if !v.sweep(&here, at, n, back) {
			t.Fatal("sweep returned false")
		}
		copy(p.State, here.State)
	})
}
