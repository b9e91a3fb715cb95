package rbm

import (
	"maps"
	"sync"
)

// blocks keeps log f of all states of some blocks of an enumeration: exact draws of every lane fall into the same heavy
// blocks.
type blocks struct {
	lock sync.Mutex
	of   map[int][]float64
}

// mostKept is the most blocks that are kept: a megabyte.
const mostKept = 128

// recall is what is kept, in a map of the caller's own.
func (k *blocks) recall() map[int][]float64 {
	k.lock.Lock()
	defer k.lock.Unlock()
	out := make(map[int][]float64, len(k.of))
	maps.Copy(out, k.of)
	return out
}

// keep keeps the blocks of some rows while there is room.
func (k *blocks) keep(of []int, states map[int][]float64) {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.of == nil {
		k.of = map[int][]float64{}
	}
	for _, i := range of {
		if len(k.of) < mostKept {
			k.of[i] = states[i]
		}
	}
}
