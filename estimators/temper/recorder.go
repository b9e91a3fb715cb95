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
	// floats returns the number of floats that a chain with the given number of rungs records in a batch, for Need.
	floats func(r *run, rungs int) int
	// fixed reports whether runs with chains at fixed rungs record the statistic, too.
	fixed bool
}

// recorder accumulates one statistic of the chains of a lane, in batches of sweeps. If there are enough chains for an
// error between chains, all sweeps of an iteration are one batch.
type recorder interface {
	// begin starts a batch.
	begin()
	// observe records a sweep after every chain has drawn its next rung. kept counts the recorded sweeps from 0.
	observe(l *rows, kept int)
	// append encodes the sums. whole is false in partials of an unfinished iteration, which are sent often: these leave
	// out large statistics.
	append(w *wire.Writer, whole bool)
	// load decodes the given number of batches.
	load(r *wire.Reader, batches int)
	// inBatches returns the sums in batches, from which earlier sums can be subtracted; nil if there are none.
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

// current returns the sums of a chain in the last batch.
func (s *sums) current(chain int) []float64 {
	return s.x[len(s.x)-(s.chains-chain)*s.size:][:s.size:s.size]
}

// get returns the sums of a chain in a batch.
func (s *sums) get(chain, batch int) []float64 {
	return s.x[(batch*s.chains+chain)*s.size:][:s.size:s.size]
}

func (s *sums) append(w *wire.Writer, _ bool) { w.Floats(s.x) }

func (s *sums) load(r *wire.Reader, batches int) {
	if s.x = r.Floats(); len(s.x) != batches*s.chains*s.size {
		r.Fail()
	}
}

func (s *sums) inBatches() *sums { return s }

// largeSums are left out of (empty in) partials that are not whole.
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
	full   int // sweeps of a full batch; math.MaxInt: all sweeps are one batch
}

// whole reports whether a batch is a row, from which error bars are made.
func (b batchCounts) whole(i int) bool { return b.full == math.MaxInt || b.sweeps[i] == b.full }

// laneRecord is the record of a lane since its iteration began.
type laneRecord struct {
	kept, batch int         // sweeps recorded; sweeps in a batch
	trips       *roundTrips // nil if chains stay at their rungs
	recorders   []recorder
}

// newRecord returns an empty record of the chains of a lane in an iteration.
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

// batches returns the sizes of the recorded batches.
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
	c.kept = r.IntWithin(0, maxSweeps)
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

// subtract removes an earlier record of the lane. Both have one batch. Large sums exist only in whole records.
func (c *laneRecord) subtract(early *laneRecord) {
	if c.kept <= early.kept { // nothing is later
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

// statistics returns the statistics that an iteration records. An initial iteration needs conditionals only.
func (r *run) statistics(iteration int) []*Statistic {
	if iteration < r.rounds {
		return []*Statistic{Conditionals}
	}
	return r.needs
}

// batchLength returns the number of sweeps in a batch of an iteration. An initial iteration is one batch.
func (r *run) batchLength(iteration int) int {
	if iteration < r.rounds {
		return math.MaxInt
	}
	return r.batch(r.keptSweeps)
}
