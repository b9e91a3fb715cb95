package graph

import "logzlab/core/num"

// odds is the contribution of a table to the log odds of a variable of two states, for each joint state of the other
// variables of the table: x = log T(state 1) - log T(state 0). zeros is the number of zeros at state 1 minus that at
// state 0; nil if the table has no zeros.
type odds struct {
	strides []int32
	x       []float64
	zeros   []int32
}

// maxOddsEntries is the largest number of entries of a table that has odds.
const maxOddsEntries = 1 << 12

// oddsOf returns the odds of a part, or nil if the table is too large.
func (l *layout) oddsOf(p *part) *odds {
	if len(p.x) > maxOddsEntries {
		return nil
	}
	o := &odds{strides: make([]int32, len(p.places))}
	size := int32(1)
	for k := len(p.places) - 1; k >= 0; k-- {
		o.strides[k] = size
		size *= int32(l.states[p.places[k]])
	}
	o.x = make([]float64, size)
	if p.isZero != nil {
		o.zeros = make([]int32, size)
	}
	for i := range size {
		index, remainder := int32(0), i
		for k, stride := range o.strides {
			index += remainder / stride * p.strides[k]
			remainder %= stride
		}
		o.x[i] = p.x[index+p.stride] - p.x[index]
		if p.isZero != nil {
			o.zeros[i] = toInt(p.isZero[index+p.stride]) - toInt(p.isZero[index])
		}
	}
	return o
}

// toInt returns 1 for true and 0 for false.
func toInt(isSet bool) int32 {
	if isSet {
		return 1
	}
	return 0
}

// logOdds returns, for each row of [lo, hi), the log odds of a variable of two states given the tables in parts. zeros
// is the number of zeros at state 1 minus that at state 0; nil if no table has zeros.
func (c *cells) logOdds(parts []part, lo, hi int) (x []float64, zeros []int32) {
	c.weight = num.Sized(c.weight, hi-lo)
	x = c.weight
	clear(x)
	for i := range parts {
		p := &parts[i]
		if p.isZero != nil && zeros == nil {
			c.zeroCounts = num.Sized(c.zeroCounts, hi-lo)
			zeros = c.zeroCounts
			clear(zeros)
		}
		if p.odds == nil || len(p.places) > 2 {
			c.addOdds(p, x, zeros, lo, hi)
			continue
		}
		c.addSmallOdds(p, x, lo, hi)
		if p.isZero != nil {
			for r, at := range c.tableIndex(p.places, p.odds.strides, lo, hi) {
				zeros[r] += p.odds.zeros[at]
			}
		}
	}
	return x, zeros
}

// addSmallOdds adds the odds of a table on at most three variables to x, without computing an index.
func (c *cells) addSmallOdds(p *part, x []float64, lo, hi int) {
	t := p.odds.x
	switch len(p.places) {
	case 0:
		for r := range x {
			x[r] += t[0]
		}
	case 1:
		for r, s := range c.states(p.places[0], lo, hi) {
			x[r] += t[s]
		}
	default:
		second := c.states(p.places[1], lo, hi)
		stride := int(p.odds.strides[0])
		for r, s := range c.states(p.places[0], lo, hi) {
			x[r] += t[int(s)*stride+int(second[r])]
		}
	}
}

// addOdds adds the odds and the numbers of zeros of any table to x and zeros.
func (c *cells) addOdds(p *part, x []float64, zeros []int32, lo, hi int) {
	if o := p.odds; o != nil {
		for r, at := range c.tableIndex(p.places, o.strides, lo, hi) {
			x[r] += o.x[at]
			if o.zeros != nil {
				zeros[r] += o.zeros[at]
			}
		}
		return
	}
	for r, at := range c.tableIndex(p.places, p.strides, lo, hi) {
		x[r] += p.x[at+p.stride] - p.x[at]
		if p.isZero != nil {
			zeros[r] += toInt(p.isZero[at+p.stride]) - toInt(p.isZero[at])
		}
	}
}
