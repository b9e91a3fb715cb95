package graph

import (
	"math"
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// treeRows is the Population whose sweeps draw tree blocks jointly, and the variables in no block one at a time.
type treeRows struct {
	*rows
	f         *treeBlocks
	alike     bool // all rows of a batch are at one rung
	slots     []slot
	slot      map[int32]int // the slot of each rung that has one
	used      int           // the slot that is reused next
	exps      []float64     // working space, as are the fields below
	turn, t   int           // number of the batch of rows; random words used in it
	of        [][]float64   // the numbers of the rung of each row
	x         []float64     // weights, by node, state and row
	room      []float64     // a message, by state and row
	top       []float64     // largest number of the message in each row, then the scale that makes it 1
	basePower []float64     // the numbers of the base, nil before they are wanted
	one       *treeRows     // draws one row from the base; made on first use
}

// slot caches the numbers of a rung.
type slot struct {
	rung  int32
	turn  int // the batch that used it last
	power []float64
}

// slotBytes is about the size of all slots.
const slotBytes = 4 << 20

func newTreeRows(m *Graph, n int, ladder []float64) *treeRows {
	f := m.trees()
	p := &treeRows{rows: newRows(m, n, ladder), f: f, slot: map[int32]int{}, exps: make([]float64, len(f.values)),
		of: make([][]float64, n), x: make([]float64, n*f.most*f.widest)}
	p.slots = make([]slot, max(1, min(len(ladder), slotBytes/(8*len(f.entries)+1))))
	return p
}

// numbers is the numbers of a rung, computed if no slot has them; false if this batch uses all slots.
func (p *treeRows) numbers(rung int32) ([]float64, bool) {
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

// Move draws the blocks in order, then the variables in no block; back in the opposite order.
func (p *treeRows) Move(at rng.At, rung []int32, back bool) {
	p.set(rung)
	p.stale = true

	// Batches of rows, each of as many rungs as there are slots.
	for lo, hi := 0, 0; lo < len(rung); lo = hi {
		p.turn++
		for ; hi < len(rung); hi++ {
			power, ok := p.numbers(rung[hi])
			if !ok {
				break
			}
			p.of[hi] = power
		}
		p.open(at, lo, hi)
		p.t = 0
		p.alike = !slices.ContainsFunc(rung[lo:hi], func(k int32) bool { return k != rung[lo] })

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

	// Rows at b = 0 are drawn from the base, independent of their state.
	for r, k := range rung {
		if p.f.base != nil && p.ladder[k] == 0 {
			p.fresh(at, r)
		}
	}
}

// fresh draws row r from the base.
func (p *treeRows) fresh(at rng.At, r int) {
	if p.one == nil {
		p.one = newTreeRows(p.m, 1, p.ladder)
	}
	at.Slot += uint32(r)
	p.one.Draw(at)
	for place := range p.l.order {
		p.s[place*p.stride+r] = p.one.s[place]
	}
}

// word makes sure that there is a next random word of each row.
func (p *treeRows) word() {
	if p.t%4 == 0 {
		p.More()
	}
	p.t++
}

// Draw draws the base, whose tree is one block.
func (p *treeRows) Draw(at rng.At) {
	if p.f.base == nil {
		p.rows.Draw(at)
		return
	}
	if p.basePower == nil {
		p.basePower = make([]float64, len(p.f.entries))
		p.f.power(0, p.exps, p.basePower)
	}
	for r := range p.of {
		p.of[r] = p.basePower
	}
	p.open(at, 0, len(p.of))
	p.t, p.alike, p.stale = 0, true, true
	p.block(p.f.base, p.f.at[len(p.f.blocks)], 0, len(p.of))
}

func (p *treeRows) trees(lo, hi int, back bool) {
	for k := range p.f.blocks {
		if back {
			k = len(p.f.blocks) - 1 - k
		}
		p.block(p.f.blocks[k], p.f.at[k], lo, hi)
	}
}

// block draws one block.
func (p *treeRows) block(nodes []node, at []int32, lo, hi int) {
	meter.Pulse(float64((hi - lo) * len(nodes) * p.f.widest * 10))
	if p.f.widest == 2 {
		p.upward(nodes, at, lo, hi)
		p.downward(nodes, at, lo, hi)
	} else {
		p.upwardMany(nodes, at, lo, hi)
		p.downwardMany(nodes, at, lo, hi)
	}
}

// upward sets x to the odds of each node of two states given its subtree and the variables outside, leaves first.
func (p *treeRows) upward(nodes []node, at []int32, lo, hi int) {
	n := hi - lo
	for i := range p.x[:n*len(nodes)] {
		p.x[i] = 1
	}
	for i, node := range nodes {
		x, from := p.x[i*n:(i+1)*n], int(at[i])
		for k := range node.outer {
			t := &node.outer[k]
			if len(t.places) == 1 {
				p.times(x, p.at(t.places[0], lo, hi), from, lo, hi)
			} else {
				for r, at := range p.indices(t.places, t.odds.strides, lo, hi) {
					x[r] *= p.of[lo+r][from+int(at)]
				}
			}
			from += len(t.odds.x)
		}
		if node.parent >= 0 {
			p.odds(x, p.x[node.parent*n:(node.parent+1)*n], from, lo, hi)
		}
	}
}

// times multiplies the x of each row by one of two numbers, chosen by a state.
func (p *treeRows) times(x []float64, states []uint8, from, lo, hi int) {
	x = x[:len(states)]
	if p.alike {
		t := [2]float64(p.of[lo][from : from+2])
		for r, s := range states {
			x[r] *= t[s&1]
		}
		return
	}
	of := p.of[lo:hi]
	for r, s := range states {
		x[r] *= of[r][from+int(s)]
	}
}

// odds multiplies the odds y of the parent by the message of a node of odds x.
func (p *treeRows) odds(x, y []float64, from, lo, hi int) {
	y = y[:len(x)]
	if p.alike {
		t := [3]float64(p.of[lo][from : from+3])
		for r, w := range x {
			y[r] *= float64(t[2]*(1+float64(w*t[1]))) / (1 + float64(w*t[0]))
		}
		return
	}
	of := p.of[lo:hi]
	for r, w := range x {
		t := of[r][from : from+3]
		y[r] *= float64(t[2]*(1+float64(w*t[1]))) / (1 + float64(w*t[0]))
	}
}

// downward draws the nodes from the roots to the leaves.
func (p *treeRows) downward(nodes []node, at []int32, lo, hi int) {
	n := hi - lo
	for i := len(nodes) - 1; i >= 0; i-- {
		node := &nodes[i]
		x := p.x[i*n : (i+1)*n]
		if node.parent >= 0 {
			from := int(at[i])
			for k := range node.outer {
				from += len(node.outer[k].odds.x)
			}
			p.times(x, p.at(int32(nodes[node.parent].place), lo, hi), from, lo, hi)
		}
		p.word()
		row := p.at(int32(node.place), lo, hi)
		for r, word := range p.Of((p.t - 1) % 4) {
			w := x[r] // the sign bit, not a branch, which would be unpredictable
			row[r] = uint8(math.Float64bits(num.Mul(float64(word)+.5, 1+w)-num.Mul(1<<32, w)) >> 63)
		}
	}
}

// upwardMany is upward for any numbers of states: x has the weights of the states of each node, the largest about 1.
func (p *treeRows) upwardMany(nodes []node, at []int32, lo, hi int) {
	n, q := hi-lo, p.f.widest
	for i := range p.x[:n*q*len(nodes)] {
		p.x[i] = 1
	}
	for i, node := range nodes {
		x, from := p.x[i*q*n:(i+1)*q*n], int(at[i])
		for k := range node.outer {
			t := &node.outer[k]
			index := p.indices(t.places, t.strides, lo, hi)
			for s := range p.l.states[node.place] {
				p.timesMany(x[s*n:(s+1)*n], index, from+s*int(t.stride), lo, hi)
			}
			from += len(t.x)
		}
		if node.parent >= 0 {
			p.message(&node, x, p.x[node.parent*q*n:(node.parent+1)*q*n], from, lo, hi)
		}
	}
}

// timesMany multiplies each x by one of the numbers of its row.
func (p *treeRows) timesMany(x []float64, index []int32, from, lo, hi int) {
	x = x[:len(index)]
	if p.alike {
		t := p.of[lo][from:]
		for r, at := range index {
			x[r] *= t[at]
		}
		return
	}
	of := p.of[lo:hi]
	for r, at := range index {
		x[r] *= of[r][from+int(at)]
	}
}

// message multiplies the weights y of the parent by the message of a node of weights x, scaled to a largest value of 1.
func (p *treeRows) message(node *node, x, y []float64, from, lo, hi int) {
	n, t := hi-lo, node.with
	own, mine := p.l.states[node.place], int(t.stride)
	states, theirs := p.l.states[t.places[0]], int(t.strides[0])
	p.room, p.top = num.Sized(p.room, n*states), num.Sized(p.top, n)
	clear(p.room)
	clear(p.top)
	for s := range states {
		sum := p.room[s*n : (s+1)*n]
		for k := range own {
			p.addMany(sum, x[k*n:(k+1)*n], from+s*theirs+k*mine, lo, hi)
		}
		for r, w := range sum {
			p.top[r] = max(p.top[r], w)
		}
	}
	for r, w := range p.top {
		p.top[r] = 1 / w
	}
	for s := range states {
		to := y[s*n : (s+1)*n]
		for r, w := range p.room[s*n : (s+1)*n] {
			to[r] *= float64(w * p.top[r])
		}
	}
}

// addMany adds x times a number of its row to each sum.
func (p *treeRows) addMany(sum, x []float64, at, lo, hi int) {
	x = x[:len(sum)]
	if p.alike {
		t := p.of[lo][at]
		for r := range sum {
			sum[r] += float64(x[r] * t)
		}
		return
	}
	of := p.of[lo:hi]
	for r := range sum {
		sum[r] += float64(x[r] * of[r][at])
	}
}

// downwardMany is downward for any numbers of states.
func (p *treeRows) downwardMany(nodes []node, at []int32, lo, hi int) {
	n, q := hi-lo, p.f.widest
	for i := len(nodes) - 1; i >= 0; i-- {
		node := &nodes[i]
		states := p.l.states[node.place]
		x := p.x[i*q*n : (i+1)*q*n]
		if node.parent >= 0 {
			from := int(at[i])
			for k := range node.outer {
				from += len(node.outer[k].x)
			}
			t := node.with
			index := p.indices(t.places, t.strides, lo, hi)
			for k := range states {
				p.timesMany(x[k*n:(k+1)*n], index, from+k*int(t.stride), lo, hi)
			}
		}
		p.word()
		row := p.at(int32(node.place), lo, hi)
		for r, word := range p.Of((p.t - 1) % 4) {
			row[r] = pick(x, r, n, states, word)
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

func (p *treeRows) Slope(_ []int32, d, curve []float64) { p.slope(d, curve) }

func (p *treeRows) Slopes(out []float64) { p.slopes(out) }
