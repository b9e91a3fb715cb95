package main

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Symbols of DEFLATE: literals, the end of a block and lengths in one alphabet, distances in another.
const (
	endOfBlock = 256
	symbols    = 286
	distances  = 30
	deepest    = 15 // bits of a code
)

// lengthCode is the symbol of the length of a match, and the bits that follow it and their number.
func lengthCode(length int) (symbol, extra, n int) {
	x := length - shortest
	switch {
	case length == longest:
		return symbols - 1, 0, 0
	case x < 8:
		return endOfBlock + 1 + x, 0, 0
	}
	n = bits.Len(uint(x)) - 3
	return endOfBlock + 1 + 4*n + x>>n, x & (1<<n - 1), n
}

// backCode is the same of its distance.
func backCode(back int) (symbol, extra, n int) {
	x := back - 1
	if x < 4 {
		return x, 0, 0
	}
	n = bits.Len(uint(x)) - 2
	return 2*n + x>>n, x & (1<<n - 1), n
}

// histogram counts symbols.
type histogram struct {
	text [symbols]int
	back [distances]int
}

func histogramOf(steps []step) *histogram {
	h := &histogram{}
	h.text[endOfBlock]++
	for _, s := range steps {
		if s.back == 0 {
			h.text[s.bytes]++
			continue
		}
		length, _, _ := lengthCode(int(s.bytes))
		back, _, _ := backCode(int(s.back))
		h.text[length]++
		h.back[back]++
	}
	return h
}

func (h *histogram) with(other *histogram) *histogram {
	sum := *h
	for i, n := range other.text {
		sum.text[i] += n
	}
	for i, n := range other.back {
		sum.back[i] += n
	}
	return &sum
}

// bits is about how many bits a block takes, but for those that follow symbols, which are the same in any block.
func (h *histogram) bits() float64 {
	const head, code = 100, 3.5 // of a block, and to tell a code
	total := float64(head)
	for _, counts := range [][]int{h.text[:], h.back[:]} {
		for i, b := range information(counts) {
			if counts[i] > 0 {
				total += code + float64(counts[i])*float64(b)
			}
		}
	}
	return total
}

// information is how many bits symbols carry that come so often; one that did not come, a bit more than one that came
// once.
func information(counts []int) []float32 {
	all := 0
	for _, n := range counts {
		all += n
	}
	out := make([]float32, len(counts))
	for i, n := range counts {
		out[i] = float32(math.Log2(float64(max(all, 1)) / max(float64(n), .5)))
	}
	return out
}

// prices are bits: of literals, and of the lengths and distance symbols of matches with the bits that follow.
type prices struct {
	literal []float32
	length  [longest + 1]float32
	back    [distances]float32
}

func (h *histogram) prices() *prices {
	text, p := information(h.text[:]), &prices{}
	p.literal = text[:endOfBlock]
	for length := shortest; length <= longest; length++ {
		symbol, _, n := lengthCode(length)
		p.length[length] = text[symbol] + float32(n)
	}
	for symbol, b := range information(h.back[:]) {
		p.back[symbol] = b + float32(max(symbol/2-1, 0))
	}
	return p
}

// bitWriter writes numbers from their lowest bits on.
type bitWriter struct {
	out  []byte
	kept uint64 // bits that are no byte yet
	n    int
}

func (w *bitWriter) put(x, n int) {
	w.kept |= uint64(x) << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.kept))
		w.kept >>= 8
	}
}

// block writes a block with codes of its own.
func (w *bitWriter) block(b block, last bool) {
	text, back := codesOf(b.count.text[:], deepest), codesOf(b.count.back[:], deepest)
	if last {
		w.put(1, 1)
	} else {
		w.put(0, 1)
	}
	w.put(2, 2) // codes of its own
	w.codes(text, back)
	for _, s := range b.steps {
		if s.back == 0 {
			text[s.bytes].write(w)
			continue
		}
		symbol, extra, n := lengthCode(int(s.bytes))
		text[symbol].write(w)
		w.put(extra, n)
		symbol, extra, n = backCode(int(s.back))
		back[symbol].write(w)
		w.put(extra, n)
	}
	text[endOfBlock].write(w)
}

// code is what stands for a symbol: so many bits; with none the symbol does not come.
type code struct{ x, bits int }

func (c code) write(w *bitWriter) { w.put(c.x, c.bits) }

// codesOf are Huffman's codes of symbols that come so often, of some bits at most.
func codesOf(counts []int, most int) []code {
	counts = slices.Clone(counts)
	codes := huffman(counts)
	for slices.MaxFunc(codes, func(a, b code) int { return a.bits - b.bits }).bits > most {
		for i, n := range counts { // flatter, until the rarest are not too long
			counts[i] = (n + 1) / 2
		}
		codes = huffman(counts)
	}
	next := 0
	for length := 1; length <= most; length++ {
		for i := range codes {
			if codes[i].bits == length {
				codes[i].x = int(bits.Reverse16(uint16(next)) >> (16 - length))
				next++
			}
		}
		next <<= 1
	}
	return codes
}

// huffman has the numbers of bits of codes. There are two at least, as not all readers take less.
func huffman(counts []int) []code {
	type tree struct {
		count int
		has   []int
	}
	codes := make([]code, len(counts))
	var trees []tree
	for i, n := range counts {
		if n > 0 || len(trees) < 2 && i >= len(counts)-2 {
			trees = append(trees, tree{n, []int{i}})
		}
	}
	byCount := func(a, b tree) int { return cmp.Compare(a.count, b.count) }
	slices.SortStableFunc(trees, byCount)
	for len(trees) > 1 {
		both := tree{trees[0].count + trees[1].count, slices.Concat(trees[0].has, trees[1].has)}
		for _, i := range both.has {
			codes[i].bits++
		}
		trees = trees[2:]
		at, _ := slices.BinarySearchFunc(trees, both, byCount)
		trees = slices.Insert(trees, at, both)
	}
	return codes
}

// codes writes how many bits each code has.
func (w *bitWriter) codes(text, back []code) {
	type token struct{ symbol, extra, n int } // a number of bits, or how often the last or 0 is repeated
	var all []token
	lengths := slices.Concat(text, back)
	for len(lengths) > 0 {
		length, run := lengths[0].bits, 1
		for run < len(lengths) && lengths[run].bits == length {
			run++
		}
		lengths = lengths[run:]
		if length > 0 {
			all = append(all, token{length, 0, 0})
			run--
		}
		for run > 0 {
			switch {
			case length == 0 && run >= 11:
				all = append(all, token{18, min(run, 138) - 11, 7})
				run -= min(run, 138)
			case length == 0 && run >= 3:
				all = append(all, token{17, run - 3, 3})
				run = 0
			case length > 0 && run >= 3:
				all = append(all, token{16, min(run, 6) - 3, 2})
				run -= min(run, 6)
			default:
				all = append(all, token{length, 0, 0})
				run--
			}
		}
	}
	var counts [19]int
	for _, t := range all {
		counts[t.symbol]++
	}
	codes := codesOf(counts[:], 7)
	w.put(len(text)-257, 5)
	w.put(len(back)-1, 5)
	w.put(len(codes)-4, 4)
	for _, i := range []int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15} {
		w.put(codes[i].bits, 3)
	}
	for _, t := range all {
		codes[t.symbol].write(w)
		w.put(t.extra, t.n)
	}
}
