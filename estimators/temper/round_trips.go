package temper

import (
	"logzlab/core/frame"
	"logzlab/core/wire"
)

// trip tracks the round trips of a chain between the ends of the ladder.
type trip struct {
	end int // last end visited: 0 none, 1 the bottom, 2 the top after the bottom
	n   int // round trips: bottom, top, bottom
}

// visit records that the chain chose rung k.
func (t *trip) visit(k, rungs int) {
	switch {
	case k == 0:
		if t.end == 2 {
			t.n++
		}
		t.end = 1
	case k == rungs-1 && t.end == 1:
		t.end = 2
	}
}

func (t *trip) append(w *wire.Writer) {
	w.Int(t.end)
	w.Int(t.n)
}

func (t *trip) load(r *wire.Reader) { t.end, t.n = r.Int(), r.Int() }

// travelChains is the number of chains whose travel is recorded, for pictures.
const travelChains = 32

// roundTrips records the round trips of chains from the first sweep on, including burn-in, not in batches. For the
// first chains it also records, for pictures, how they moved up and down the ladder; this is not hashed.
type roundTrips struct {
	rungs    int
	trips    []trip  // of each chain
	followed int     // number of chains, the first ones, whose visits are counted
	visits   []int32 // followed x rungs: sweeps since the chain has been at the base
	up       []int32 // followed x rungs: the same, while its last end was the base
}

func newRoundTrips(rungs, chains int) *roundTrips {
	return &roundTrips{rungs: rungs, trips: make([]trip, chains)}
}

// follow counts the visits of the first n chains.
func (c *roundTrips) follow(n int) {
	c.followed = max(n, 0)
	c.visits, c.up = make([]int32, c.followed*c.rungs), make([]int32, c.followed*c.rungs)
}

// observe records the rungs of all chains.
func (c *roundTrips) observe(rung []int32) {
	for i, k := range rung {
		t := &c.trips[i]
		t.visit(int(k), c.rungs)
		if i < c.followed && t.end > 0 {
			c.visits[i*c.rungs+int(k)]++
			if t.end == 1 {
				c.up[i*c.rungs+int(k)]++
			}
		}
	}
}

func (c *roundTrips) append(w *wire.Writer) {
	for i := range c.trips {
		c.trips[i].append(w)
	}
	w.Int32s(c.visits)
	w.Int32s(c.up)
}

func (c *roundTrips) load(r *wire.Reader) {
	for i := range c.trips {
		c.trips[i].load(r)
	}
	n := c.followed * c.rungs
	if c.visits, c.up = r.Int32s(), r.Int32s(); len(c.visits) != n || len(c.up) != n {
		r.Fail()
	}
}

func (c *roundTrips) merge(t *Record) {
	for i := range c.trips {
		t.RoundTrips += c.trips[i].n
	}
	if c.followed == 0 {
		return
	}
	if t.visited == nil {
		t.visited, t.up = make([]float64, c.rungs), make([]float64, c.rungs)
	}
	for i := range c.followed {
		t.trips = append(t.trips, int32(c.trips[i].n))
		for k := range c.rungs {
			t.visited[k] += float64(c.visits[i*c.rungs+k])
			t.up[k] += float64(c.up[i*c.rungs+k])
		}
	}
}

// travel returns how the chains of the run travelled; nil if none was followed.
func (t *Record) travel(chains int) *frame.Travel {
	if t.visited == nil {
		return nil
	}
	out := &frame.Travel{Chains: chains, Total: t.RoundTrips, Trips: t.trips}
	for k, n := range t.visited {
		out.FractionUp = append(out.FractionUp, t.up[k]/n) // NaN if no chain was there
	}
	for k, n := range t.Visits.Count {
		out.Visits = append(out.Visits, t.Prior.over(k, float64(len(t.Ladder))*n/t.N))
	}
	return out
}
