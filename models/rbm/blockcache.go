package rbm

import (
	"maps"
	"slices"
	"sync"

	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// blockCache caches log f of all states of some blocks of an enumeration: exact draws of all lanes fall into the same
// few blocks of large weight.
type blockCache struct {
	lock   sync.Mutex
	states map[int][]float64
}

// maxCachedBlocks is the largest number of cached blocks, about a megabyte in total.
const maxCachedBlocks = 128

// snapshot returns a copy of the map of cached blocks.
func (k *blockCache) snapshot() map[int][]float64 {
	k.lock.Lock()
	defer k.lock.Unlock()
	out := make(map[int][]float64, len(k.states))
	maps.Copy(out, k.states)
	return out
}

// add caches the states of some blocks, at most maxCachedBlocks in total.
func (k *blockCache) add(blocks []int, states map[int][]float64) {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.states == nil {
		k.states = map[int][]float64{}
	}
	for _, i := range blocks {
		if len(k.states) < maxCachedBlocks {
			k.states[i] = states[i]
		}
	}
}

// DrawTarget replaces every row by an exact sample of the target: a block with the weights blocks, a state of the
// enumerated layer in that block, then the other layer given this state. It calls onDraw, unless nil, after every row
// and stops if onDraw returns false.
func (p *population) DrawTarget(at rng.At, blocks []float64, onDraw func() bool) {
	m := p.m
	e := m.tables()
	full := float32(m.unit)

	// Draw the blocks of all rows first: rows can share a block, and blocks are enumerated together.
	streams, block := make([]rng.Stream, len(p.LinC)), make([]int, len(p.LinC))
	for r := range block {
		streams[r] = at.Row(r)
		block[r] = streams[r].Categorical(blocks)
	}

	// The states of the blocks, from the cache or enumerated now.
	states := e.cache.snapshot()
	for r, i := range block {
		if states[i] == nil {
			batch := []int{i}
			for _, k := range block[r:] {
				if states[k] == nil && len(batch) < models.BlocksAtOnce && !slices.Contains(batch, k) {
					batch = append(batch, k)
				}
			}
			for b, x := range m.logBlocks(batch...) {
				states[batch[b]] = x
			}
		}

		// A state of the enumerated layer, then the other layer.
		s := &streams[r]
		state := s.Categorical(states[i]) | i<<e.lowUnits
		v, h, actH, actV := p.Row(r)
		inner := h
		if e.visible {
			inner = v
		}
		for a := range inner {
			inner[a] = uint8(state >> a & 1)
		}
		p.Rebuild(r)
		if e.visible {
			kernel.Layer{N: m.J, Scale: full}.Draw(s, actH, h, p.On, p.Off)
		} else {
			kernel.Layer{N: m.M, Scale: full}.Draw(s, actV, v, p.On, p.Off)
		}
		p.Rebuild(r)
		if onDraw != nil && !onDraw() {
			return
		}
	}
	e.cache.add(block, states)
}
