package graph

import (
	"math"
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// boughs are rows whose forests a sweep draws at once, and variables outside of forests one by one.
type boughs struct {
	*rows
	f       *forests
	alike   bool // all rows of a stretch have one rung
	slots   []slot
	slot    map[int32]int // of each rung that has one
	used    int           // the slot that is given away next
	exps    []float64     // room, as are those that follow
	turn, t int           // stretches of rows so far; words used of this one
	of      [][]float64   // of each row, the numbers of its rung
	x       []float64     // weights by node, state and row
	room    []float64     // a message, by state and row
	top     []float64     // largest number of the message in each row, then the scale that makes it 1
	at0     []float64     // the numbers of the base, nil before they are wanted
	one     *boughs       // a row that is drawn anew, nil before there is any
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
		of: make([][]float64, n), x: make([]float64, n*f.most*f.widest)}
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

	// Stretches of rows, as far as the slots go.
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

		// First the trees, then the variables in no tree; backwards, the other way round.
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

	// Rows at beta = 0 are drawn afresh from the base.
	for r, k := range rung {
		if p.f.base != nil && p.ladder[k] == 0 {
			p.fresh(at, r)
		}
	}
}

// fresh draws a row at the base anew, whatever its state was. What it draws depends on its address alone, as ever.
func (p *boughs) fresh(at rng.At, r int) {
	if p.one == nil {
		p.one = newBoughs(p.m, 1, p.ladder)
	}
	at.Slot += uint32(r)
	p.one.Draw(at)
	for place := range p.l.order {
		p.s[place*p.stride+r] = p.one.s[place]
	}
}

// word draws new words where all are used.
func (p *boughs) word() {
	if p.t%4 == 0 {
		p.More()
	}
	p.t++
}

// Draw draws the tree of the base at once.
func (p *boughs) Draw(at rng.At) {
	if p.f.base == nil {
		p.rows.Draw(at)
		return
	}
	if p.at0 == nil {
		p.at0 = make([]float64, len(p.f.entries))
		p.f.power(0, p.exps, p.at0)
	}
	for r := range p.of {
		p.of[r] = p.at0
	}
	p.open(at, 0, len(p.of))
	p.t, p.alike, p.stale = 0, true, true
	p.block(p.f.base, p.f.at[len(p.f.blocks)], 0, len(p.of))
}

func (p *boughs) trees(lo, hi int, back bool) {
	for k := range p.f.blocks {
		if back {
			k = len(p.f.blocks) - 1 - k
		}
		p.block(p.f.blocks[k], p.f.at[k], lo, hi)
	}
}

// block draws the nodes of one block.
func (p *boughs) block(nodes []node, at []int32, lo, hi int) {
	meter.Pulse(float64((hi - lo) * len(nodes) * p.f.widest * 10))
	if p.f.widest == 2 {
		p.gather(nodes, at, lo, hi)
		p.scatter(nodes, at, lo, hi)
	} else {
		p.gatherMany(nodes, at, lo, hi)
		p.scatterMany(nodes, at, lo, hi)
	}
}

// gather sets x to the odds of each node, from the leaves to the roots, by the outer tables and what is below it.
func (p *boughs) gather(nodes []node, at []int32, lo, hi int) {
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
		if node.up >= 0 {
			p.odds(x, p.x[node.up*n:(node.up+1)*n], from, lo, hi)
		}
	}
}

// times multiplies each x by one of two numbers, by a state.
func (p *boughs) times(x []float64, states []uint8, from, lo, hi int) {
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

// odds multiplies the odds y of the parent by what x, those of a node, say of it.
func (p *boughs) odds(x, y []float64, from, lo, hi int) {
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

// scatter draws the nodes from the roots to the leaves.
func (p *boughs) scatter(nodes []node, at []int32, lo, hi int) {
	n := hi - lo
	for i := len(nodes) - 1; i >= 0; i-- {
		node := &nodes[i]
		x := p.x[i*n : (i+1)*n]
		if node.up >= 0 {
			from := int(at[i])
			for k := range node.outer {
				from += len(node.outer[k].odds.x)
			}
			p.times(x, p.at(int32(nodes[node.up].place), lo, hi), from, lo, hi)
		}
		p.word()
		row := p.at(int32(node.place), lo, hi)
		for r, word := range p.Of((p.t - 1) % 4) {
			w := x[r] // a sign, not a condition: no processor can foretell it
			row[r] = uint8(math.Float64bits(num.Mul(float64(word)+.5, 1+w)-num.Mul(1<<32, w)) >> 63)
		}
	}
}

// gatherMany is gather of any numbers of states: x has weights of the states of each node, the largest some 1.
func (p *boughs) gatherMany(nodes []node, at []int32, lo, hi int) {
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
		if node.up >= 0 {
			p.message(&node, x, p.x[node.up*q*n:(node.up+1)*q*n], from, lo, hi)
		}
	}
}

// timesMany multiplies each x by one of the numbers of its row.
func (p *boughs) timesMany(x []float64, index []int32, from, lo, hi int) {
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

// message weighs the states y of the parent by those x of a node.
func (p *boughs) message(node *node, x, y []float64, from, lo, hi int) {
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

// addMany adds to each sum x times a number of its row.
func (p *boughs) addMany(sum, x []float64, at, lo, hi int) {
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

// scatterMany is scatter of any numbers of states.
func (p *boughs) scatterMany(nodes []node, at []int32, lo, hi int) {
	n, q := hi-lo, p.f.widest
	for i := len(nodes) - 1; i >= 0; i-- {
		node := &nodes[i]
		states := p.l.states[node.place]
		x := p.x[i*q*n : (i+1)*q*n]
		if node.up >= 0 {
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

func (p *boughs) Slope(_ []int32, d, curve []float64) { p.slope(d, curve) }

func (p *boughs) Slopes(out []float64) { p.slopes(out) }
