package graph

import "logzlab/core/num"

// odds has what a table adds to the log odds of a variable of two states, for each joint state of its other variables.
// broken is the number of zeros at state 1 less that at state 0; nil if the table has no zeros.
type odds struct {
	strides []int32
	x       []float64
	broken  []int32
}

// mostOdds is the number of entries of the largest table that has odds.
const mostOdds = 1 << 12

func (l *layout) oddsOf(p *part) *odds {
	if len(p.x) > mostOdds {
		return nil
	}
	o := &odds{strides: make([]int32, len(p.places))}
	size := int32(1)
	for k := len(p.places) - 1; k >= 0; k-- {
		o.strides[k] = size
		size *= int32(l.states[p.places[k]])
	}
	o.x = make([]float64, size)
	if p.broken != nil {
		o.broken = make([]int32, size)
	}
	for i := range size {
		at, rest := int32(0), i
		for k, stride := range o.strides {
			at += rest / stride * p.strides[k]
			rest %= stride
		}
		o.x[i] = p.x[at+p.stride] - p.x[at]
		if p.broken != nil {
			o.broken[i] = count(p.broken[at+p.stride]) - count(p.broken[at])
		}
	}
	return o
}

func count(is bool) int32 {
	if is {
		return 1
	}
	return 0
}

// logOdds is the log odds of a variable of two states by some tables, for each row. breaks is the number of zeros at
// state 1 less that at state 0; nil if no table has zeros.
func (c *cells) logOdds(parts []part, lo, hi int) (x []float64, breaks []int32) {
	c.weight = num.Sized(c.weight, hi-lo)
	x = c.weight
	clear(x)
	for i := range parts {
		p := &parts[i]
		if p.broken != nil && breaks == nil {
			c.breaks = num.Sized(c.breaks, hi-lo)
			breaks = c.breaks
			clear(breaks)
		}
		if p.odds == nil || len(p.places) > 2 {
			c.addOdds(p, x, breaks, lo, hi)
			continue
		}
		c.addFew(p, x, lo, hi)
		if p.broken != nil {
			for r, at := range c.indices(p.places, p.odds.strides, lo, hi) {
				breaks[r] += p.odds.broken[at]
			}
		}
	}
	return x, breaks
}

// addFew adds the odds of a table on at most three variables, without an index.
func (c *cells) addFew(p *part, x []float64, lo, hi int) {
	t := p.odds.x
	switch len(p.places) {
	case 0:
		for r := range x {
			x[r] += t[0]
		}
	case 1:
		for r, s := range c.at(p.places[0], lo, hi) {
			x[r] += t[s]
		}
	default:
		second := c.at(p.places[1], lo, hi)
		wide := int(p.odds.strides[0])
		for r, s := range c.at(p.places[0], lo, hi) {
			x[r] += t[int(s)*wide+int(second[r])]
		}
	}
}

// addOdds adds the odds of any table, and its zeros.
func (c *cells) addOdds(p *part, x []float64, breaks []int32, lo, hi int) {
	if o := p.odds; o != nil {
		for r, at := range c.indices(p.places, o.strides, lo, hi) {
			x[r] += o.x[at]
			if o.broken != nil {
				breaks[r] += o.broken[at]
			}
		}
		return
	}
	for r, at := range c.indices(p.places, p.strides, lo, hi) {
		x[r] += p.x[at+p.stride] - p.x[at]
		if p.broken != nil {
			breaks[r] += count(p.broken[at+p.stride]) - count(p.broken[at])
		}
	}
}
