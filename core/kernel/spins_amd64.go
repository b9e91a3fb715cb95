package kernel

import "logzlab/core/rng"

// spinsCall is one call of spinsAVX2.
type spinsCall struct {
	state, constant *uint8
	first           *int32
	edges           *Edge
	limits          *uint32
	base            *int32
	index           *uint8
	stride          int
	groups          int // of eight rows
	quads           int
	keys            *rng.Key
	place           *uint8 // the states of the first place
	ctr             [4]uint32
}

//go:noescape
func spinsAVX2(call *spinsCall)

func (p *Spins) draw(at rng.At, n, quad, quads int, block uint32) {
	if !avx2 || quads == 0 || len(p.Edges) == 0 {
		p.drawGo(at, n, quad, quads, block)
		return
	}
	keys := at.Key.Rounds()
	spinsAVX2(&spinsCall{&p.State[0], &p.Const[4*quad], &p.First[4*quad], &p.Edges[0], &p.Limits[0], &p.Base[0],
		&p.index[0], p.Stride, (n + 7) / 8, quads, &keys[0], &p.State[4*quad*p.Stride],
		[4]uint32{block, at.Step, at.Slot, at.Phase}})
}
