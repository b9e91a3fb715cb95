package rng

import "logzlab/core/num"

// Key selects an independent family of random numbers.
type Key [2]uint32

// NewKey derives a Key from a seed, the name of a run and a replicate number. The numbers of replicate r do not depend
// on the number of replicates.
func NewKey(seed uint32, method string, replicate int) Key {
	h := uint64(14695981039346656037) // FNV-1a over the name
	for i := 0; i < len(method); i++ {
		h = (h ^ uint64(method[i])) * 1099511628211
	}
	x := mix64(mix64(uint64(seed)+0x9E3779B97F4A7C15) ^ h)
	x = mix64(x + uint64(uint32(replicate))*0xD1342543DE82EF95)
	return Key{uint32(x), uint32(x >> 32)}
}

// mix64 is the SplitMix64 finaliser: a bijection with good avalanche.
func mix64(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// At is the address of the random numbers of several rows (chains or particles) in one step: row r draws from slot
// Slot+r.
type At struct {
	Key   Key
	Phase uint32 // round of the method
	Slot  uint32 // chain or particle of row 0
	Step  uint32 // sweep within the phase
}

// Row returns the stream of row r.
func (a At) Row(r int) Stream { return a.Key.Stream(a.Phase, a.Slot+uint32(r), a.Step) }

// Stream is the sequence of draws at one address, starting at draw 0. A copy of a Stream continues independently with
// the same numbers.
type Stream struct {
	key Key
	ctr [4]uint32 // draw, step, slot, phase
	buf [4]uint32
	n   int // number of unused words of buf
}

// Stream returns the stream at (phase, slot, step).
func (k Key) Stream(phase, slot, step uint32) Stream {
	return Stream{key: k, ctr: [4]uint32{0, step, slot, phase}}
}

// Philox4x32 constants, from the paper.
const (
	m0, m1 = 0xD2511F53, 0xCD9E8D57
	w0, w1 = 0x9E3779B9, 0xBB67AE85
)

// Philox is the ten-round bijection: it returns 128 random bits for a key and a counter.
func Philox(k Key, c [4]uint32) (x0, x1, x2, x3 uint32) {
	x0, x1, x2, x3 = c[0], c[1], c[2], c[3]
	k0, k1 := k[0], k[1]
	for i := 0; i < 10; i++ {
		p0 := uint64(m0) * uint64(x0)
		p1 := uint64(m1) * uint64(x2)
		x0, x1, x2, x3 = uint32(p1>>32)^x1^k0, uint32(p1), uint32(p0>>32)^x3^k1, uint32(p0)
		k0 += w0
		k1 += w1
	}
	return
}

// Block returns the next four words at once and drops unused words of a partly used block.
func (s *Stream) Block() (x0, x1, x2, x3 uint32) {
	s.n = 0
	x0, x1, x2, x3 = Philox(s.key, s.ctr)
	s.ctr[0]++
	return
}

// SkipBlocks skips n blocks, as n calls of Block would, and returns the key and the counter of the first one; word 0 of
// the counter increases by 1 from block to block.
func (s *Stream) SkipBlocks(n int) (Key, [4]uint32) {
	s.n = 0
	first := s.ctr
	s.ctr[0] += uint32(n)
	return s.key, first
}

// RoundKeys returns the keys of the ten rounds.
func (k Key) RoundKeys() (keys [10]Key) {
	for i := range keys {
		keys[i] = k
		k[0] += w0
		k[1] += w1
	}
	return
}

// Uint32 returns 32 random bits.
func (s *Stream) Uint32() uint32 {
	if s.n == 0 {
		s.buf[0], s.buf[1], s.buf[2], s.buf[3] = Philox(s.key, s.ctr)
		s.ctr[0]++
		s.n = 4
	}
	s.n--
	return s.buf[3-s.n]
}

// AtPair reports whether the number of unused words of the current block is even. Float64 and Normal then read a pair
// of words that is the first or the second half of a block.
func (s *Stream) AtPair() bool { return s.n%2 == 0 }

// PairCounter returns the key, the counter of the block with the next pair of words, and the number of pairs before
// that pair in the block, 0 or 1. AtPair must be true.
func (s *Stream) PairCounter() (k Key, block [4]uint32, before int) {
	block, before = s.ctr, s.n/2
	block[0] -= uint32(before)
	return s.key, block, before
}

// SkipPairs skips n > 0 pairs, as n calls of Float64 would.
func (s *Stream) SkipPairs(n int) {
	_, block, before := s.PairCounter()
	n += before
	block[0] += uint32(n-1) / 2
	s.buf[0], s.buf[1], s.buf[2], s.buf[3] = Philox(s.key, block)
	s.ctr[0] = block[0] + 1
	s.n = n % 2 * 2
}

// Uniform returns the first Float64 of the stream at an address.
func (k Key) Uniform(phase, slot, step uint32) float64 {
	hi, lo, _, _ := Philox(k, [4]uint32{0, step, slot, phase})
	return uniform(hi, lo)
}

// Float64 returns a uniform number in the open interval (0, 1): the midpoint of one of 2^52 equal cells, exact in
// float64, so never 0 and never 1.
func (s *Stream) Float64() float64 {
	hi := s.Uint32()
	return uniform(hi, s.Uint32())
}

func uniform(hi, lo uint32) float64 {
	return (float64(uint64(hi)<<20|uint64(lo)>>12) + 0.5) * (1.0 / (1 << 52))
}

// Norm returns a standard normal deviate by inversion, num.PhiInv(Float64()).
func (s *Stream) Norm() float64 { return num.PhiInv(s.Float64()) }

// Intn returns a uniform integer in [0, n). The probability of each integer differs from 1/n by less than 2^-64.
func (s *Stream) Intn(n int) int {
	hi := uint64(s.Uint32())
	lo := uint64(s.Uint32())
	x := hi<<32 | lo
	// The high word of a 64x32-bit product, in two halves.
	m := uint64(uint32(n))
	return int((hi*m + (x&0xFFFFFFFF)*m>>32) >> 32)
}

// Shuffle permutes n elements at random by calls of swap (Fisher-Yates), with one Intn for each element but the first.
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.Intn(i+1))
	}
}

// Categorical returns index i with probability proportional to exp(logw[i]), from one uniform number; -1 if all weights
// are -Inf.
func (s *Stream) Categorical(logw []float64) int {
	u := s.Float64()
	top := logw[0]
	for _, w := range logw {
		if w > top {
			top = w
		}
	}
	if !(top > -1e308) {
		return -1
	}
	sum := 0.0
	for _, w := range logw {
		sum += num.Exp(w - top)
	}
	u *= sum
	acc, last := 0.0, -1
	for i, w := range logw {
		p := num.Exp(w - top)
		if p == 0 {
			continue
		}
		acc += p
		last = i
		if u < acc {
			return i
		}
	}
	return last // u*sum rounded up to the total
}
