package kernel

import "runtime"

// poolCall has the arguments of a call of the module's weigh, pass or poolProducts.
type poolCall struct {
	samples, rungs uint32
	e, n, logN     uint32
	norm, total    uint32
	a, inv, sum    uint32
	g, row         uint32
}

// simdPool implements the methods of Pool by the module.
type simdPool struct{ weighing, passing, multiplying shared[poolCall] }

func newSIMDPool(s *simd) *simdPool {
	v := &simdPool{}
	v.weighing.init(s, "weigh")
	v.passing.init(s, "pass")
	v.multiplying.init(s, "poolProducts")
	return v
}

func (v *simdPool) weigh(p *Pool, from, to int, total []float64) {
	w := &v.weighing
	w.turn.Lock()
	defer w.turn.Unlock()
	*w.call = poolCall{samples: uint32(to - from), rungs: uint32(p.Rungs), e: at(w.s, p.E[from*p.Rungs:]),
		n: at(w.s, p.N), logN: at(w.s, p.LogN), norm: at(w.s, p.Norm[from:]), total: at(w.s, total)}
	w.run()
	runtime.KeepAlive(p)
	runtime.KeepAlive(total)
}

func (v *simdPool) pass(p *Pool, s *PoolSums, from, to int) { sumBy(&v.passing, p, s, from, to) }

func (v *simdPool) products(p *Pool, s *PoolSums, from, to int) {
	sumBy(&v.multiplying, p, s, from, to)
}

func sumBy(v *shared[poolCall], p *Pool, s *PoolSums, from, to int) {
	v.turn.Lock()
	defer v.turn.Unlock()
	*v.call = poolCall{samples: uint32(to - from), rungs: uint32(p.Rungs), e: at(v.s, p.E[from*p.Rungs:]),
		a: at(v.s, s.A), inv: at(v.s, s.Inv[from:]), sum: at(v.s, s.Sum), g: at(v.s, s.G), row: at(v.s, s.row)}
	v.run()
	runtime.KeepAlive(p)
	runtime.KeepAlive(s)
}
