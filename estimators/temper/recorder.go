package temper

import (
	"math"
	"slices"

	"logzlab/core/wire"
	"logzlab/estimators"
)

// A Statistic is recorded by a tempering run for the readers that need it. Each lane has a recorder of each statistic,
// so the record for one reader does not depend on the other readers.
type Statistic struct {
	// new makes the recorder of a lane with the given first chain and number of chains.
	new func(r *run, first, chains int) recorder
	// floats is the number of floats that a chain with so many rungs records in a batch, for Need.
	floats func(r *run, rungs int) int
	// fixed reports whether chains that stay at their rungs record it, too.
	fixed bool
}

// recorder accumulates one statistic of the chains of a lane, in batches of sweeps. With enough chains for an error
// between chains, all sweeps of an iteration are one batch.
type recorder interface {
	// begin begins a batch.
	begin()
	// see records a sweep when every chain is at its next rung. kept is its number among those recorded, from 0 on.
	see(l *rows, kept int)
	// append encodes the sums. whole is false in the partial results of an iteration that goes on, which are sent often:
	// large statistics are left out there.
	append(w *wire.Writer, whole bool)
	// load decodes so many batches.
	load(r *wire.Reader, batches int)
	// inBatches are its sums in batches, from which those of an earlier record can be subtracted; nil: it has none.
	inBatches() *sums
	// merge adds the chains of the lane, in order, to the record of the run.
	merge(t *Record, b batchCounts)
}

// densityRecorder is a recorder that also reads log f of every chain at every rung (l.step.X), in the sweeps that are
// due, before the step between rungs overwrites it.
type densityRecorder interface {
	due(kept int) bool
	logF(l *rows)
}

// sums are sums over the sweeps of a batch, size of them for each chain: batches x chains x size.
type sums struct {
	chains, size int
	x            []float64
}

func (s *sums) begin() { s.x = append(s.x, make([]float64, s.chains*s.size)...) }

// now are the sums of a chain in the last batch.
func (s *sums) now(chain int) []float64 {
	return s.x[len(s.x)-(s.chains-chain)*s.size:][:s.size:s.size]
}

// of are the sums of a chain in a batch.
func (s *sums) of(chain, batch int) []float64 {
	return s.x[(batch*s.chains+chain)*s.size:][:s.size:s.size]
}

func (s *sums) append(w *wire.Writer, _ bool) { w.Floats(s.x) }

func (s *sums) load(r *wire.Reader, batches int) {
	if s.x = r.Floats(); len(s.x) != batches*s.chains*s.size {
		r.Fail()
	}
}

func (s *sums) inBatches() *sums { return s }

// largeSums are left out of partial results that are not whole. They are then empty.
type largeSums struct{ sums }

func (s *largeSums) append(w *wire.Writer, whole bool) {
	if !whole {
		w.Floats(nil)
		return
	}
	s.sums.append(w, whole)
}

func (s *largeSums) load(r *wire.Reader, batches int) {
	if s.x = r.Floats(); len(s.x) != 0 && len(s.x) != batches*s.chains*s.size {
		r.Fail()
	}
}

// batchCounts are the numbers of sweeps in the batches of a lane.
type batchCounts struct {
	sweeps []int
	full   int // sweeps of a batch that is full; math.MaxInt: all sweeps are one batch
}

// whole reports whether a batch is one of the rows that error bars are made from.
func (b batchCounts) whole(i int) bool { return b.full == math.MaxInt || b.sweeps[i] == b.full }

// laneRecord is the record of a lane since its iteration began.
type laneRecord struct {
	kept, batch int         // sweeps recorded; sweeps in a batch
	trips       *roundTrips // nil: chains stay at their rungs
	recorders   []recorder
}

// newRecord is the empty record of the chains of a lane in an iteration.
func (r *run) newRecord(iteration, lane int) *laneRecord {
	first, chains := r.Span(lane)
	c := &laneRecord{batch: r.batchLength(iteration)}
	if r.moves() {
		c.trips = newRoundTrips(len(r.ladder), chains)
		if iteration == r.rounds {
			c.trips.follow(min(chains, travelChains-first))
		}
	}
	for _, s := range r.statistics(iteration) {
		c.recorders = append(c.recorders, s.new(r, first, chains))
	}
	return c
}

// begin makes room for a recorded sweep.
func (c *laneRecord) begin(kept int) {
	if kept%c.batch == 0 {
		for _, x := range c.recorders {
			x.begin()
		}
	}
	c.kept = kept + 1
}

// batches are those recorded.
func (c *laneRecord) batches() batchCounts {
	b := batchCounts{full: c.batch}
	for n := c.kept; n > 0; n -= c.batch {
		b.sweeps = append(b.sweeps, min(n, c.batch))
	}
	return b
}

func (c *laneRecord) append(w *wire.Writer, whole bool) {
	w.Int(c.kept)
	if c.trips != nil {
		c.trips.append(w)
	}
	for _, x := range c.recorders {
		x.append(w, whole)
	}
}

func (c *laneRecord) load(r *wire.Reader) {
	c.kept = r.Within(0, mostSweeps)
	n := 0
	if c.kept > 0 {
		n = 1 + (c.kept-1)/c.batch
	}
	if c.trips != nil {
		c.trips.load(r)
	}
	for _, x := range c.recorders {
		x.load(r, n)
	}
	estimators.MustDecode(r)
}

// drop subtracts an earlier record of the lane. Both have one batch; large sums are there in whole records alone.
func (c *laneRecord) drop(early *laneRecord) {
	if c.kept <= early.kept { // it is not later
		return
	}
	c.kept -= early.kept
	for i, x := range c.recorders {
		sums, before := x.inBatches(), early.recorders[i].inBatches()
		if sums == nil || len(sums.x) != len(before.x) {
			continue
		}
		for j, y := range before.x {
			sums.x[j] -= y
		}
	}
}

// merge adds the record of a lane to the record of the run.
func (c *laneRecord) merge(t *Record, chains int) {
	t.N += float64(chains * c.kept)
	if c.trips != nil {
		c.trips.merge(t)
	}
	b := c.batches()
	for _, x := range c.recorders {
		x.merge(t, b)
	}
}

// records reports whether the final run records a statistic.
func (r *run) records(s *Statistic) bool { return slices.Contains(r.needs, s) }

// statistics are those that an iteration records: an initial one needs conditionals only.
func (r *run) statistics(iteration int) []*Statistic {
	if iteration < r.rounds {
		return []*Statistic{Conditionals}
	}
	return r.needs
}

// batchLength is the number of sweeps in a batch of an iteration. An initial iteration is one.
func (r *run) batchLength(iteration int) int {
	if iteration < r.rounds {
		return math.MaxInt
	}
	return r.batch(r.keptSweeps)
}
