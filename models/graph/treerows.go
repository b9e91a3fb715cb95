package graph

import (
	"math"
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// treeRows is the Population whose sweeps draw tree blocks jointly and all variables in no block one at a time. Rows
// are processed in batches, which have at most as many rungs as the cache of table values has slots.
type treeRows struct {
	*rows
	f                *treeBlocks
	sameRung         bool          // all rows of the batch are at the same rung
	slots            []slot        // cache of table values
	slotOf           map[int32]int // index of the slot of each cached rung
	nextSlot         int           // index of the slot to be reused next
	exps             []float64     // work space, as are the fields below
	batch, wordsUsed int           // number of the current batch; random words used by a row of it
	tableValues      [][]float64   // table values, raised to the power of the rung, of each row
	weights          []float64     // weights of the states, by node, state and row
	message          []float64     // message of a node to its parent, by state and row
	maxMessage       []float64     // maximum of the message in each row, then its reciprocal
	baseValues       []float64     // table values at b = 0; made on first use
	singleRow        *treeRows     // draws one row from the base; made on first use
}

// slot holds the table values, raised to the power of a rung.
type slot struct {
	rung        int32
	batch       int // number of the last batch that used the slot
	tableValues []float64
}

// slotBytes is the approximate size of all slots.
const slotBytes = 4 << 20

// newTreeRows returns n rows in state 0 over a ladder.
func newTreeRows(m *Graph, n int, ladder []float64) *treeRows {
	f := m.treeBlocks()
	p := &treeRows{rows: newRows(m, n, ladder), f: f, slotOf: map[int32]int{}, exps: make([]float64, len(f.values)),
		tableValues: make([][]float64, n), weights: make([]float64, n*f.maxNodes*f.maxStates)}
	p.slots = make([]slot, max(1, min(len(ladder), slotBytes/(8*len(f.entries)+1))))
	return p
}

// valuesAt returns the table values raised to the power of a rung. ok is false if this batch uses all slots for other
// rungs.
func (p *treeRows) valuesAt(rung int32) (values []float64, ok bool) {
	i, ok := p.slotOf[rung]
	if !ok {
		i = p.nextSlot
		s := &p.slots[i]
		if s.tableValues == nil {
			s.tableValues = make([]float64, len(p.f.entries))
		} else if s.batch == p.batch {
			return nil, false
		} else {
			delete(p.slotOf, s.rung)
		}
		p.nextSlot = (p.nextSlot + 1) % len(p.slots)
		p.slotOf[rung], s.rung = i, rung
		p.f.fillPowers(p.ladder[rung], p.exps, s.tableValues)
	}
	p.slots[i].batch = p.batch
	return p.slots[i].tableValues, true
}

// Move applies one sweep to each row: the blocks in order, then the variables in no block; the opposite order if
// reversed is true.
func (p *treeRows) Move(at rng.At, rung []int32, reversed bool) {
	p.setRungs(rung)
	p.isStale = true

	// Each batch has at most as many rungs as there are slots.
	for lo, hi := 0, 0; lo < len(rung); lo = hi {
		p.batch++
		for ; hi < len(rung); hi++ {
			power, ok := p.valuesAt(rung[hi])
			if !ok {
				break
			}
			p.tableValues[hi] = power
		}
		p.openStreams(at, lo, hi)
		p.wordsUsed = 0
		p.sameRung = !slices.ContainsFunc(rung[lo:hi], func(k int32) bool { return k != rung[lo] })

		if !reversed {
			p.drawBlocks(lo, hi, false)
		}
		for k := range p.f.singles {
			if reversed {
				k = len(p.f.singles) - 1 - k
			}
			place := p.f.singles[k]
			p.nextWord()
			p.draw(place, p.l.partsAt[place], p.wordsUsed-1, lo, hi, p.beta[lo:hi], p.isHard[lo:hi])
		}
		if reversed {
			p.drawBlocks(lo, hi, true)
		}
	}

	// Rows at b = 0 are drawn from the base, independently of their state.
	for r, k := range rung {
		if p.f.base != nil && p.ladder[k] == 0 {
			p.drawFromBase(at, r)
		}
	}
}

// drawFromBase sets row r to a sample of the base.
func (p *treeRows) drawFromBase(at rng.At, r int) {
	if p.singleRow == nil {
		p.singleRow = newTreeRows(p.m, 1, p.ladder)
	}
	at.Slot += uint32(r)
	p.singleRow.Draw(at)
	for place := range p.l.order {
		p.s[place*p.stride+r] = p.singleRow.s[place]
	}
}

// nextWord advances to the next random word of each row.
func (p *treeRows) nextWord() {
	if p.wordsUsed%4 == 0 {
		p.More()
	}
	p.wordsUsed++
}

// Draw sets every row to a sample of the base, whose spanning tree is one block.
func (p *treeRows) Draw(at rng.At) {
	if p.f.base == nil {
		p.rows.Draw(at)
		return
	}
	if p.baseValues == nil {
		p.baseValues = make([]float64, len(p.f.entries))
		p.f.fillPowers(0, p.exps, p.baseValues)
	}
	for r := range p.tableValues {
		p.tableValues[r] = p.baseValues
	}
	p.openStreams(at, 0, len(p.tableValues))
	p.wordsUsed, p.sameRung, p.isStale = 0, true, true
	p.drawBlock(p.f.base, p.f.entryStart[len(p.f.blocks)], 0, len(p.tableValues))
}

// drawBlocks draws all blocks for rows [lo, hi).
func (p *treeRows) drawBlocks(lo, hi int, reversed bool) {
	for k := range p.f.blocks {
		if reversed {
			k = len(p.f.blocks) - 1 - k
		}
		p.drawBlock(p.f.blocks[k], p.f.entryStart[k], lo, hi)
	}
}

// drawBlock draws the variables of one block for rows [lo, hi). entryStart has the index of the first table value of
// each node.
func (p *treeRows) drawBlock(nodes []node, entryStart []int32, lo, hi int) {
	meter.Pulse(float64((hi - lo) * len(nodes) * p.f.maxStates * 10))
	if p.f.maxStates == 2 {
		p.upward(nodes, entryStart, lo, hi)
		p.downward(nodes, entryStart, lo, hi)
	} else {
		p.upwardGeneral(nodes, entryStart, lo, hi)
		p.downwardGeneral(nodes, entryStart, lo, hi)
	}
}

// upward computes the messages of belief propagation if all variables have two states. It sets weights to the odds of
// each node given its subtree and the variables outside the block, leaves first.
func (p *treeRows) upward(nodes []node, entryStart []int32, lo, hi int) {
	n := hi - lo
	for i := range p.weights[:n*len(nodes)] {
		p.weights[i] = 1
	}
	for i, node := range nodes {
		x, from := p.weights[i*n:(i+1)*n], int(entryStart[i])
		for k := range node.outer {
			t := &node.outer[k]
			if len(t.places) == 1 {
				p.multiply(x, p.states(t.places[0], lo, hi), from, lo, hi)
			} else {
				for r, at := range p.tableIndex(t.places, t.odds.strides, lo, hi) {
					x[r] *= p.tableValues[lo+r][from+int(at)]
				}
			}
			from += len(t.odds.x)
		}
		if node.parent >= 0 {
			p.sendOdds(x, p.weights[node.parent*n:(node.parent+1)*n], from, lo, hi)
		}
	}
}

// multiply multiplies x[r] by the table value with index entry + states[r], for each row; all variables have two
// states.
func (p *treeRows) multiply(x []float64, states []uint8, entry, lo, hi int) {
	x = x[:len(states)]
	if p.sameRung {
		t := [2]float64(p.tableValues[lo][entry : entry+2])
		for r, s := range states {
			x[r] *= t[s&1]
		}
		return
	}
	of := p.tableValues[lo:hi]
	for r, s := range states {
		x[r] *= of[r][entry+int(s)]
	}
}

// sendOdds multiplies the odds y of the parent by the message of a node with odds x. The three table values from entry
// on are those of listValues for the table of node and parent.
func (p *treeRows) sendOdds(x, y []float64, entry, lo, hi int) {
	y = y[:len(x)]
	if p.sameRung {
		t := [3]float64(p.tableValues[lo][entry : entry+3])
		for r, w := range x {
			y[r] *= float64(t[2]*(1+float64(w*t[1]))) / (1 + float64(w*t[0]))
		}
		return
	}
	of := p.tableValues[lo:hi]
	for r, w := range x {
		t := of[r][entry : entry+3]
		y[r] *= float64(t[2]*(1+float64(w*t[1]))) / (1 + float64(w*t[0]))
	}
}

// downward draws the nodes from the roots to the leaves, if all variables have two states.
func (p *treeRows) downward(nodes []node, entryStart []int32, lo, hi int) {
	n := hi - lo
	for i := len(nodes) - 1; i >= 0; i-- {
		node := &nodes[i]
		x := p.weights[i*n : (i+1)*n]
		if node.parent >= 0 {
			from := int(entryStart[i])
			for k := range node.outer {
				from += len(node.outer[k].odds.x)
			}
			p.multiply(x, p.states(int32(nodes[node.parent].place), lo, hi), from, lo, hi)
		}
		p.nextWord()
		row := p.states(int32(node.place), lo, hi)
		for r, word := range p.Of((p.wordsUsed - 1) % 4) {
			w := x[r] // the sign bit avoids an unpredictable branch
			row[r] = uint8(math.Float64bits(num.Mul(float64(word)+.5, 1+w)-num.Mul(1<<32, w)) >> 63)
		}
	}
}

// upwardGeneral is upward for variables with any number of states. It sets weights to the weight of each state of each
// node, scaled to about 1.
func (p *treeRows) upwardGeneral(nodes []node, entryStart []int32, lo, hi int) {
	n, q := hi-lo, p.f.maxStates
	for i := range p.weights[:n*q*len(nodes)] {
		p.weights[i] = 1
	}
	for i, node := range nodes {
		x, from := p.weights[i*q*n:(i+1)*q*n], int(entryStart[i])
		for k := range node.outer {
			t := &node.outer[k]
			index := p.tableIndex(t.places, t.strides, lo, hi)
			for s := range p.l.states[node.place] {
				p.multiplyIndexed(x[s*n:(s+1)*n], index, from+s*int(t.stride), lo, hi)
			}
			from += len(t.x)
		}
		if node.parent >= 0 {
			p.sendMessage(&node, x, p.weights[node.parent*q*n:(node.parent+1)*q*n], from, lo, hi)
		}
	}
}

// multiplyIndexed multiplies x[r] by the table value with index entry + index[r], for each row.
func (p *treeRows) multiplyIndexed(x []float64, index []int32, entry, lo, hi int) {
	x = x[:len(index)]
	if p.sameRung {
		t := p.tableValues[lo][entry:]
		for r, at := range index {
			x[r] *= t[at]
		}
		return
	}
	of := p.tableValues[lo:hi]
	for r, at := range index {
		x[r] *= of[r][entry+int(at)]
	}
}

// sendMessage multiplies the weights y of the parent by the message of a node with weights x. The message is scaled to
// a maximum of 1 in each row.
func (p *treeRows) sendMessage(node *node, x, y []float64, entry, lo, hi int) {
	n, t := hi-lo, node.parentTable
	childStates, childStride := p.l.states[node.place], int(t.stride)
	parentStates, parentStride := p.l.states[t.places[0]], int(t.strides[0])
	p.message, p.maxMessage = num.Sized(p.message, n*parentStates), num.Sized(p.maxMessage, n)
	clear(p.message)
	clear(p.maxMessage)
	for s := range parentStates {
		sum := p.message[s*n : (s+1)*n]
		for k := range childStates {
			p.addProduct(sum, x[k*n:(k+1)*n], entry+s*parentStride+k*childStride, lo, hi)
		}
		for r, w := range sum {
			p.maxMessage[r] = max(p.maxMessage[r], w)
		}
	}
	for r, w := range p.maxMessage {
		p.maxMessage[r] = 1 / w
	}
	for s := range parentStates {
		to := y[s*n : (s+1)*n]
		for r, w := range p.message[s*n : (s+1)*n] {
			to[r] *= float64(w * p.maxMessage[r])
		}
	}
}

// addProduct adds x[r] times the table value with index entry to sum[r], for each row.
func (p *treeRows) addProduct(sum, x []float64, entry, lo, hi int) {
	x = x[:len(sum)]
	if p.sameRung {
		t := p.tableValues[lo][entry]
		for r := range sum {
			sum[r] += float64(x[r] * t)
		}
		return
	}
	of := p.tableValues[lo:hi]
	for r := range sum {
		sum[r] += float64(x[r] * of[r][entry])
	}
}

// downwardGeneral is downward for variables with any number of states.
func (p *treeRows) downwardGeneral(nodes []node, entryStart []int32, lo, hi int) {
	n, q := hi-lo, p.f.maxStates
	for i := len(nodes) - 1; i >= 0; i-- {
		node := &nodes[i]
		states := p.l.states[node.place]
		x := p.weights[i*q*n : (i+1)*q*n]
		if node.parent >= 0 {
			from := int(entryStart[i])
			for k := range node.outer {
				from += len(node.outer[k].x)
			}
			t := node.parentTable
			index := p.tableIndex(t.places, t.strides, lo, hi)
			for k := range states {
				p.multiplyIndexed(x[k*n:(k+1)*n], index, from+k*int(t.stride), lo, hi)
			}
		}
		p.nextWord()
		row := p.states(int32(node.place), lo, hi)
		for r, word := range p.Of((p.wordsUsed - 1) % 4) {
			row[r] = drawState(x, r, n, states, word)
		}
	}
}

// drawState returns a random state with probabilities proportional to the weights x of row r, which are stored by state
// and row. word is the random number.
func drawState(x []float64, r, n, states int, word uint32) uint8 {
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

// SlopeAt implements models.Slopes.
func (p *treeRows) SlopeAt(_ []int32, first, second []float64) { p.fillSlopes(first, second) }

// SlopesAtAll implements models.Slopes.
func (p *treeRows) SlopesAtAll(out []float64) { p.fillAllSlopes(out) }
