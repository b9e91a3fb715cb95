package kernel

import "logzlab/core/num/rng"

// spinsArgs has the arguments of a call of spinsAVX2.
type spinsArgs struct {
	state, constant *uint8
	first           *int32
	edges           *Edge
	limits          *uint32
	base            *int32
	index           *uint8
	stride          int
	groups          int // number of groups of eight rows
	quads           int
	keys            *rng.Key
	place           *uint8 // states of the first place
	alike           int    // 1 if all rows have the same rung, and at most sixteen sums
	ctr             [4]uint32
}

//go:noescape
func spinsAVX2(call *spinsArgs)

func (p *Spins) draw(at rng.At, n, quad, quads int, block uint32) {
	if !avx2 || quads == 0 || len(p.Edges) == 0 {
		p.drawGo(at, n, quad, quads, block)
		return
	}
	keys, alike := at.Key.RoundKeys(), 0
	if p.alike(n) {
		alike = 1
	}
	spinsAVX2(&spinsArgs{&p.State[0], &p.Const[4*quad], &p.First[4*quad], &p.Edges[0], &p.Limits[0], &p.Base[0],
		&p.index[0], p.Stride, (n + 7) / 8, quads, &keys[0], &p.State[4*quad*p.Stride], alike,
		[4]uint32{block, at.Step, at.Slot, at.Phase}})
}

// alike reports whether the first n rows have the same rung, with thresholds that fit into two registers.
func (p *Spins) alike(n int) bool {
	for _, b := range p.Base[:n] {
		if b != p.Base[0] {
			return false
		}
	}
	return p.Sums <= SpareLimits && int(p.Base[0])+SpareLimits <= len(p.Limits)
}

// energyArgs has the arguments of a call of energyAVX2.
type energyArgs struct {
	state, plus, minus *uint8
	before             *int32
	edges              *Edge
	halves             *uint64
	place              *uint8 // the states of the first place
	stride, places     int
}

//go:noescape
func energyAVX2(args *energyArgs)

func (p *Spins) add(from, to int) {
	if !avx2 || len(p.EdgesBefore) == 0 {
		p.addGo(from, to)
		return
	}
	energyAVX2(&energyArgs{&p.State[0], &p.Plus[from], &p.Minus[from], &p.Before[from], &p.EdgesBefore[0], &p.halves[0],
		&p.State[from*p.Stride], p.Stride, to - from})
}

//go:noescape
func wordsAVX2(words *uint32, stride, groups int, keys *rng.Key, ctr *[4]uint32)

func (w *RowWords) draw() {
	if !avx2 || w.n == 0 {
		w.drawGo()
		return
	}
	keys := w.at.Key.RoundKeys()
	wordsAVX2(&w.words[0], 4*w.stride, w.stride/8, &keys[0], &[4]uint32{w.block, w.at.Step, w.at.Slot, w.at.Phase})
}
