package graph

import (
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/rng"
)

// boughs are rows of which a sweep draws forests, and one by one what is in none.
type boughs struct {
	*rows
	f       *forests
	slots   []slot
	slot    map[int32]int // of each rung that has one
	used    int           // the slot that is given away next
	exps    []float64     // room, as are those that follow
	turn, t int           // stretches of rows so far; words used of this one
	of      [][]float64   // of each row, the numbers of its rung
	x       []float64     // weights by node, state and row
}

// slot has the numbers of a rung.
type slot struct {
	rung  int32
	turn  int // when it was wanted last
	power []float64
}

// slotBytes is about what the numbers of all rungs that are kept take together.
const slotBytes = 4 << 20

func newBoughs(m *Graph, n int, ladder []float64) *boughs {
	f := m.trees()
	p := &boughs{rows: newRows(m, n, ladder), f: f, slot: map[int32]int{}, exps: make([]float64, len(f.values)),
		of: make([][]float64, n), x: make([]float64, n*(f.most*f.widest+f.widest))}
	p.slots = make([]slot, max(1, min(len(ladder), slotBytes/(8*len(f.entries)+1))))
	return p
}

// numbers are those of a rung; false: all slots have numbers of this turn.
func (p *boughs) numbers(rung int32) ([]float64, bool) {
	i, ok := p.slot[rung]
	if !ok {
		i = p.used
		s := &p.slots[i]
		if s.power == nil {
			s.power = make([]float64, len(p.f.entries))
		} else if s.turn == p.turn {
			return nil, false
		} else {
			delete(p.slot, s.rung)
		}
		p.used = (p.used + 1) % len(p.slots)
		p.slot[rung], s.rung = i, rung
		p.f.power(p.ladder[rung], p.exps, s.power)
	}
	p.slots[i].turn = p.turn
	return p.slots[i].power, true
}

// Move draws the blocks in order, then what is in none, or back in the opposite order.
func (p *boughs) Move(at rng.At, rung []int32, back bool) {
	p.set(rung)
	p.stale = true
	for lo, hi := 0, 0; lo < len(rung); lo = hi {
		p.turn++
		for ; hi < len(rung); hi++ {
			power, ok := p.numbers(rung[hi])
			if !ok {
				break
			}
			p.of[hi] = power
		}
		p.take(at, lo, hi)
		p.t = 0
		if !back {
			p.trees(lo, hi, false)
		}
		for k := range p.f.singles {
			if back {
				k = len(p.f.singles) - 1 - k
			}
			place := p.f.singles[k]
			p.word()
			p.draw(place, p.l.sites[place], p.t-1, lo, hi, p.scale[lo:hi], p.hard[lo:hi])
		}
		if back {
			p.trees(lo, hi, true)
		}
	}
}

// word draws new words where all are used.
func (p *boughs) word() {
	if p.t%4 == 0 {
		p.more()
	}
	p.t++
}

func (p *boughs) trees(lo, hi int, back bool) {
	for k := range p.f.blocks {
		if back {
			k = len(p.f.blocks) - 1 - k
		}
		nodes, at := p.f.blocks[k], p.f.at[k]
		meter.Pulse(float64((hi - lo) * len(nodes) * p.f.widest * 10))
		if p.f.widest == 2 {
			p.gather(nodes, at, lo, hi)
			p.scatter(nodes, at, lo, hi)
		} else {
			p.gatherMany(nodes, at, lo, hi)
			p.scatterMany(nodes, at, lo, hi)
		}
	}
}

// gather sets x to the odds of each node, from the leaves to the roots, by the outer tables and what is below it.
func (p *boughs) gather(nodes []node, at []int32, lo, hi int) {
	n := hi - lo
	of := p.of[lo:hi]
	for i := range p.x[:n*len(nodes)] {
		p.x[i] = 1
	}
	for i, node := range nodes {
		x, from := p.x[i*n:(i+1)*n], int(at[i])
		for k := range node.outer {
			t := &node.outer[k]
			switch len(t.places) {
			case 0:
				for r := range x {
					x[r] *= of[r][from]
				}
			case 1:
				for r, s := range p.at(t.places[0], lo, hi) {
					x[r] *= of[r][from+int(s)]
				}
			default:
				for r, at := range p.indices(t.places, t.odds.strides, lo, hi) {
					x[r] *= of[r][from+int(at)]
				}
			}
			from += len(t.odds.x)
		}
		if node.up < 0 {
			continue
		}
		y := p.x[node.up*n : (node.up+1)*n]
		for r, w := range x {
			t := of[r][from : from+3]
			y[r] *= float64(t[2]*(1+float64(w*t[1]))) / (1 + float64(w*t[0]))
		}
	}
}

// scatter draws the nodes from the roots to the leaves.
func (p *boughs) scatter(nodes []node, at []int32, lo, hi int) {
	n := hi - lo
	of := p.of[lo:hi]
	for i := len(nodes) - 1; i >= 0; i-- {
		node := &nodes[i]
		x := p.x[i*n : (i+1)*n]
		if node.up >= 0 {
			from := int(at[i])
			for k := range node.outer {
				from += len(node.outer[k].odds.x)
			}
			for r, s := range p.at(int32(nodes[node.up].place), lo, hi) {
				x[r] *= of[r][from+int(s)]
			}
		}
		p.word()
		words := p.words[(p.t-1)%4:]
		for r, row := 0, p.at(int32(node.place), lo, hi); r < len(row); r++ {
			var bit uint8
			if num.Mul(float64(words[4*r])+.5, 1+x[r]) < num.Mul(1<<32, x[r]) {
				bit = 1
			}
			row[r] = bit
		}
	}
}

// gatherMany is gather of any numbers of states: x has weights of the states of each node, the largest some 1.
func (p *boughs) gatherMany(nodes []node, at []int32, lo, hi int) {
	n, q := hi-lo, p.f.widest
	of := p.of[lo:hi]
	for i := range p.x[:n*q*len(nodes)] {
		p.x[i] = 1
	}
	for i, node := range nodes {
		x, from := p.x[i*q*n:(i+1)*q*n], int(at[i])
		for k := range node.outer {
			t := &node.outer[k]
			index := p.indices(t.places, t.strides, lo, hi)
			for s := range p.l.states[node.place] {
				w, from := x[s*n:(s+1)*n], from+s*int(t.stride)
				for r, at := range index {
					w[r] *= of[r][from+int(at)]
				}
			}
			from += len(t.x)
		}
		if node.up >= 0 {
			p.message(&node, x, p.x[node.up*q*n:(node.up+1)*q*n], from, lo, hi)
		}
	}
}

// message weighs the states y of the parent by those x of a node.
func (p *boughs) message(node *node, x, y []float64, from, lo, hi int) {
	n, t := hi-lo, node.with
	own, mine := p.l.states[node.place], int(t.stride)
	states, theirs := p.l.states[t.places[0]], int(t.strides[0])
	room := p.x[len(p.x)-n*p.f.widest:]
	for r, power := range p.of[lo:hi] {
		top := 0.0
		for s := range states {
			sum := 0.0
			for k := range own {
				sum += float64(x[k*n+r] * power[from+s*theirs+k*mine])
			}
			room[s], top = sum, max(top, sum)
		}
		for s := range states {
			y[s*n+r] *= room[s] / top
		}
	}
}

// scatterMany is scatter of any numbers of states.
func (p *boughs) scatterMany(nodes []node, at []int32, lo, hi int) {
	n, q := hi-lo, p.f.widest
	of := p.of[lo:hi]
	for i := len(nodes) - 1; i >= 0; i-- {
		node := &nodes[i]
		states := p.l.states[node.place]
		x := p.x[i*q*n : (i+1)*q*n]
		if node.up >= 0 {
			from := int(at[i])
			for k := range node.outer {
				from += len(node.outer[k].x)
			}
			mine, theirs := int(node.with.stride), int(node.with.strides[0])
			for r, s := range p.at(int32(nodes[node.up].place), lo, hi) {
				for k := range states {
					x[k*n+r] *= of[r][from+int(s)*theirs+k*mine]
				}
			}
		}
		p.word()
		words := p.words[(p.t-1)%4:]
		for r, row := 0, p.at(int32(node.place), lo, hi); r < len(row); r++ {
			row[r] = pick(x, r, n, states, words[4*r])
		}
	}
}

// pick draws a state by the weights of row r.
func pick(x []float64, r, n, states int, word uint32) uint8 {
	sum := 0.0
	for k := range states {
		sum += x[k*n+r]
	}
	u := num.Mul(num.Mul(float64(word)+.5, 1.0/(1<<32)), sum)
	k := 0
	for ; k < states-1; k++ {
		if u -= x[k*n+r]; u < 0 {
			break
		}
	}
	return uint8(k)
}
