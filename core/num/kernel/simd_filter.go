package kernel

import (
	"runtime"

	"logzlab/core/num/rng"
)

// filterCall has the arguments of a call of the module's filter, which updates block and position.
type filterCall struct {
	centre, phi, sd, first float64
	data, particles        uint32
	y, top, sum            uint32
	x, old, w, from        uint32
	key                    [2]uint32
	block, step, slot      uint32 // block is the first one that is not among the words
	phase                  uint32
	position               uint32 // position of the next pair of words
	done, _                uint32 // number of data processed
}

// filterRoom is a filterCall with working memory of the module.
type filterRoom struct {
	filterCall
	_     [2]float64           // a variate, or arguments of a function
	_     [filterPairs]float64 // result of Stream.Normal for each pair of words, NaN if it needs more words
	_     [filterPairs]uint64  // the pairs of words
	edges [rng.Layers + 1]float64
}

// filterPairs is the number of pairs drawn at a time, a multiple of eight.
const filterPairs = 128

// simdFilter implements Filter.run by the module.
type simdFilter struct{ shared[filterRoom] }

func newSIMDFilter(s *simd) *simdFilter {
	v := &simdFilter{}
	v.init(s, "filter")
	v.call.edges = rng.Ziggurat()
	return v
}

func (v *simdFilter) filter(f *Filter, s *rng.Stream, a Autoregression) (data int) {
	v.turn.Lock()
	defer v.turn.Unlock()
	key, block, skip := s.PairCounter()
	c := &v.call.filterCall
	*c = filterCall{centre: a.Centre, phi: a.Phi, sd: a.SD, first: a.First,
		data: uint32(len(f.Y)), particles: uint32(f.n), y: at(v.s, f.Y), top: at(v.s, f.top), sum: at(v.s, f.sum),
		x: at(v.s, f.x), old: at(v.s, f.old), w: at(v.s, f.w), from: at(v.s, f.from),
		key: key, block: block[0], step: block[1], slot: block[2], phase: block[3], position: uint32(8 * skip)}
	v.run()
	runtime.KeepAlive(f)
	left := filterPairs - int(c.position/8)
	s.SkipPairs(2*int(c.block-block[0]) - left - skip)
	return int(c.done)
}
