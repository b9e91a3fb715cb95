package kernel

import "runtime"

// meansCall has the arguments of a call of the module's means.
type meansCall struct {
	rows, tiles, stride uint32 // stride is the distance of tiles
	w, x, out           uint32
}

// simdMeans implements Matrix.Means by the module.
type simdMeans struct{ shared[meansCall] }

func newSIMDMeans(s *simd) *simdMeans {
	v := &simdMeans{}
	v.init(s, "means")
	return v
}

func (v *simdMeans) means(m *Matrix, x, out []float64) {
	v.turn.Lock()
	defer v.turn.Unlock()
	*v.call = meansCall{uint32(m.Rows), uint32(Padded(m.Cols) / tile), uint32(8 * tileWords * tiledRows(m.Rows)),
		at(v.s, m.tiles()), at(v.s, x), at(v.s, out)}
	v.run()
	runtime.KeepAlive(m)
	runtime.KeepAlive(x)
	runtime.KeepAlive(out)
}
