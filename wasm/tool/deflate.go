package main

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"runtime"
	"slices"
	"sync"
)

// A program is packed once and sent often, so dist takes its time: of all ways to write it in literals and matches it
// looks for one of least bits. That depends on the codes, which depend on what is written; so it goes through each
// block some times, each time with the costs of the last. The format is DEFLATE (RFC 1951) in gzip (RFC 1952).
const (
	window   = 1 << 15 // bytes that a match may reach back
	shortest = 3       // bytes of a match
	longest  = 258
	enough   = 130     // bytes of a match in which no others are looked for
	tries    = 500     // earlier places that are looked at for a match
	passes   = 3       // through each block
	portion  = 1 << 20 // bytes that are packed by themselves, beside others
	piece    = 2000    // steps of which blocks are made, one piece or more
)

// A step writes bytes: a match of some bytes with those some distance before, or, with distance 0, a byte.
type step struct{ bytes, back uint16 }

// gzipped is data packed as small as we can.
func gzipped(data []byte) []byte {
	portions := make([][]block, (len(data)+portion-1)/portion)
	var all sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for i := range portions {
		all.Go(func() {
			free <- true
			portions[i] = blocks(data, i*portion, min((i+1)*portion, len(data)))
			<-free
		})
	}
	all.Wait()
	w := bitWriter{out: []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255}} // no name, no time; smallest; from anywhere
	for _, some := range portions {
		for _, b := range some {
			w.block(b, false)
		}
	}
	w.block(block{count: histogramOf(nil)}, true)
	w.put(0, 7) // to the end of the byte
	w.out = binary.LittleEndian.AppendUint32(w.out, crc32.ChecksumIEEE(data))
	return binary.LittleEndian.AppendUint32(w.out, uint32(len(data)))
}

// block is steps that share codes. It begins at a byte of the data.
type block struct {
	from, to int
	steps    []step
	count    *histogram
}

// blocks packs one portion of the data.
func blocks(data []byte, from, to int) []block {
	m := findMatches(data, from, to)
	all := block{from: from, to: to}
	all.count = &histogram{} // nothing is known: all symbols cost the same
	for range 2 {
		all.choose(data, m)
	}
	parts := all.split()
	for i := range parts {
		for range passes {
			parts[i].choose(data, m)
		}
	}
	return parts
}

// choose writes a block by what its symbols cost so far.
func (b *block) choose(data []byte, m *matches) {
	b.steps = m.cheapest(data, b.from, b.to, b.count.prices())
	b.count = histogramOf(b.steps)
}

// split cuts a block where codes of their own make up for the bits that tell them.
func (b *block) split() []block {
	var parts []block
	var bits []float64
	at := b.from
	for steps := range slices.Chunk(b.steps, piece) {
		p := block{from: at, to: at, count: histogramOf(steps)}
		for _, s := range steps {
			p.to += s.size()
		}
		at = p.to
		parts, bits = append(parts, p), append(bits, p.count.bits())
	}
	for { // join the two neighbours that gain most by it
		best, gain, joint := 0, 0., 0.
		for i := range len(parts) - 1 {
			both := parts[i].count.with(parts[i+1].count).bits()
			if g := bits[i] + bits[i+1] - both; g > gain {
				best, gain, joint = i, g, both
			}
		}
		if gain == 0 {
			return parts
		}
		parts[best].to = parts[best+1].to
		parts[best].count = parts[best].count.with(parts[best+1].count)
		bits[best] = joint
		parts, bits = slices.Delete(parts, best+1, best+2), slices.Delete(bits, best+1, best+2)
	}
}

func (s step) size() int {
	if s.back == 0 {
		return 1
	}
	return int(s.bytes)
}

// matches are those at each byte from one on: longer and longer ones, each as near as there is.
type matches struct {
	from  int
	first []int32 // of a byte, in list
	list  []step
}

// findMatches looks for matches at the bytes of a portion.
func findMatches(data []byte, from, to int) *matches {
	const hashes = 1 << 16
	start := max(from-window, 0)
	before := make([]int32, to-start) // the place before with the same hash, counted from start, plus 1
	newest := make([]int32, hashes)
	m := &matches{from: from, first: make([]int32, 0, to-from+1)}
	skip := 0
	for i := start; i < to; i++ {
		if i >= from {
			m.first = append(m.first, int32(len(m.list)))
		}
		if i+shortest > to {
			continue
		}
		hash := (uint32(data[i])<<16 | uint32(data[i+1])<<8 | uint32(data[i+2])) * 0x9E3779B1 >> 16
		at := newest[hash]
		before[i-start], newest[hash] = at, int32(i-start+1)
		if i < from || i < skip {
			continue
		}
		here := data[i:min(i+longest, to)]
		best := shortest - 1
		for n := 0; at > 0 && n < tries && best < len(here); n++ {
			j := start + int(at) - 1
			if i-j > window {
				break
			}
			if there := data[j:]; there[best] == here[best] {
				length := 0
				for length < len(here) && there[length] == here[length] {
					length++
				}
				if length > best {
					best = length
					m.list = append(m.list, step{uint16(length), uint16(i - j)})
				}
			}
			at = before[j-start]
		}
		if best >= enough {
			skip = i + best
		}
	}
	m.first = append(m.first, int32(len(m.list)))
	return m
}

// cheapest is the way of least bits from one byte to another.
func (m *matches) cheapest(data []byte, from, to int, price *prices) []step {
	cost := make([]float32, to-from+1) // to each byte
	last := make([]step, to-from+1)    // by which it is reached
	for i := range cost[1:] {
		cost[i+1] = math.MaxFloat32
	}
	for i := range to - from {
		if c := cost[i] + price.literal[data[from+i]]; c < cost[i+1] {
			cost[i+1], last[i+1] = c, step{bytes: uint16(data[from+i])}
		}
		at := from + i - m.from
		length := shortest
		for _, s := range m.list[m.first[at]:m.first[at+1]] {
			symbol, _, _ := backCode(int(s.back))
			base := cost[i] + price.back[symbol]
			for ; length <= min(int(s.bytes), to-from-i); length++ {
				if c := base + price.length[length]; c < cost[i+length] {
					cost[i+length], last[i+length] = c, step{uint16(length), s.back}
				}
			}
		}
	}
	var steps []step
	for at := to - from; at > 0; at -= last[at].size() {
		steps = append(steps, last[at])
	}
	slices.Reverse(steps)
	return steps
}
