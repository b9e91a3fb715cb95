package temper

import (
	"logzlab/core/frame"
	"logzlab/core/wire"
)

// travel is what each of the first chains records of its final run for pictures: how it went up and down the ladder. It
// reaches no digit.
type travel struct {
	visits []int32 // of each rung, once the chain has been at the base
	up     []int32 // those of them since it was at the base, and not at the target
}

// travelChains is how many chains record their travel.
const travelChains = 32

func (r *run) newTravel() *travel {
	k := len(r.ladder)
	return &travel{visits: make([]int32, k), up: make([]int32, k)}
}

// see notes that the chain chose rung k; ends as in chainRecord.
func (t *travel) see(k, ends int) {
	if ends > 0 {
		t.visits[k]++
	}
	if ends == 1 {
		t.up[k]++
	}
}

func (t *travel) Append(w *wire.Writer) {
	w.Ints(t.visits)
	w.Ints(t.up)
}

func (t *travel) Load(r *wire.Reader) {
	rungs := len(t.visits)
	if t.visits, t.up = r.Ints(), r.Ints(); len(t.visits) != rungs || len(t.up) != rungs {
		r.Err = wire.ErrShort
	}
}

// travels joins what chains recorded, in their order.
type travels struct {
	frame.Travel
	visits, up []float64
}

func (s *travels) add(c *chainRecord) {
	s.Total += c.trips
	t := c.travel
	if t == nil {
		return
	}
	if s.visits == nil {
		s.visits, s.up = make([]float64, len(t.visits)), make([]float64, len(t.up))
	}
	s.Trips = append(s.Trips, int32(c.trips))
	for k, n := range t.visits {
		s.visits[k] += float64(n)
		s.up[k] += float64(t.up[k])
	}
}

// result is nil if no chain recorded anything.
func (s *travels) result() *frame.Travel {
	if s.visits == nil {
		return nil
	}
	for k, n := range s.visits {
		s.Up = append(s.Up, s.up[k]/n) // NaN where no chain was
	}
	return &s.Travel
}
