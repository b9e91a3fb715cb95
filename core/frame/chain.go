package frame

import "logzlab/core/wire"

// Chain has the last moves of the first chain of a run, oldest first, at most MaxMoves of them.
type Chain struct {
	Moves []Move
	Trips int // round trips of the chain so far, from the base to the target and back
}

// Move is one proposal of a kernel, in the coordinates of Frame.Points.
type Move struct {
	Step     int     // sweep of the phase in which the move was proposed
	X, Y     float32 // the proposed state
	Beta     float32 // inverse temperature of the chain at that sweep
	Rung     int     // rung of the chain at that sweep
	Accepted bool
}

// MaxMoves is the largest number of moves of a frame.
const MaxMoves = 64

func (c *Chain) append(w *wire.Writer) {
	w.Bool(c != nil)
	if c == nil {
		return
	}
	w.Int(c.Trips)
	w.Uint(uint64(len(c.Moves)))
	for _, m := range c.Moves {
		w.Int(m.Step)
		w.Int(m.Rung)
		for _, x := range [...]float32{m.X, m.Y, m.Beta} {
			w.Float32(x)
		}
		w.Bool(m.Accepted)
	}
}

// minMoveBytes is the smallest size of an encoded Move.
const minMoveBytes = 15

func readChain(r *wire.Reader) *Chain {
	if !r.Bool() {
		return nil
	}
	c := &Chain{Trips: r.Int()}
	n := r.Length(minMoveBytes)
	if n > MaxMoves {
		r.Fail()
		return nil
	}
	for range n {
		c.Moves = append(c.Moves, Move{Step: r.Int(), Rung: r.Int(), X: r.Float32(), Y: r.Float32(), Beta: r.Float32(), Accepted: r.Bool()})
	}
	return c
}
