package temper

import (
	"iter"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// temperLane makes a stretch of the sweeps of an iteration: the loop of [RTS] Algorithm 1 under a frozen log Zhat. What
// a sweep does stands in hopping.sweep, and for chains at fixed rungs in staying.sweep.
func (r *run) temperLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		l := r.newRows(u)
		l.begin()
		for t := l.from; t < l.to; t++ {
			l.at.Step = uint32(t + 1)
			r.sweep(l, l.at, t-l.burn)
			l.note(t + 1)
			if !yield(l.v.Show(t + 1)) {
				return
			}
		}
		l.end()
	}
}

// rows are the chains of a lane at work.
type rows struct {
	*run
	u           *estimators.Unit
	v           *estimators.View
	at          rng.At // of the first row
	first       int    // its chain
	iteration   int
	from, to    int // sweeps of the iteration
	last        bool
	burn, batch int           // sweeps before those that are recorded, and in a batch of these
	what        Part          // is recorded
	records     []chainRecord // of each row
	step        *kernel.Tempering
	shares      [][]float64 // c of each row, where Step adds q(.|x)
	moves       [][]float64 // where Step adds q(.|x) again, to the moves from the rung of the row
	slopes      *slopes
}

// mostSweeps is more than any chain makes.
const mostSweeps = 1 << 31

// newRows reads the plan of a unit and makes its rows.
func (r *run) newRows(u *estimators.Unit) *rows {
	plan := wire.Reader{B: u.Plan}
	iteration, from, n := plan.Within(0, r.rounds), plan.Within(0, mostSweeps), plan.Within(1, mostSweeps)
	steps, levels := plan.Within(from+n, mostSweeps), plan.Exactly(len(r.ladder)) // more steps if the run may grow
	estimators.Must(&plan)
	first, size := r.Span(u.Lane)
	v := estimators.NewView(r.Config, r.ladder, u, r.Lanes)
	l := &rows{run: r, u: u, v: v, at: r.At(estimators.PhaseTemper+uint32(iteration), first), first: first,
		iteration: iteration, from: from, to: from + n, last: iteration == r.rounds, batch: r.batchLength(iteration),
		what:    r.records(iteration),
		records: make([]chainRecord, size), shares: make([][]float64, size), moves: make([][]float64, size),
		step:   kernel.NewTempering(make([]float64, size*len(r.ladder)), levels),
		slopes: newSlopes(v.Pop, size, len(r.ladder))}
	for i := range l.records {
		l.records[i] = *r.newRecord(iteration, first+i)
	}
	if l.last {
		l.burn = r.burn
	}

	// Lanes that are never shown make no film; an annealing pass has made one already.
	v.LogW = nil
	if v.Film != nil && (l.last || r.equal()) {
		v.Hops = 32
	}
	v.Film = nil
	v.Frame.Steps = steps
	u.Last = l.to
	u.Peek = func() []byte { return l.partial(false) }
	return l
}

// begin sets the rows where they go on, or draws them.
func (l *rows) begin() {
	if l.u.State == nil {
		l.v.Pop.Draw(l.At(estimators.PhaseStart, l.first))
	} else {
		l.Load(l.u.State)
	}

	// From equal guesses, initial iterations start from fresh uniform rungs ([RTS] section 2.4), or all chains would stay
	// at the base. After another first guess every chain has a state made at its own rung and goes on from there: a fresh
	// rung would quench hot states and undo the pass. The final run always goes on.
	if l.from == 0 && l.iteration < l.rounds && l.equal() || l.u.State == nil {
		l.draw(l.at, l.v.Rung)
	}
}

// end leaves the state and the partial of the unit.
func (l *rows) end() {
	steps := l.v.Frame.Steps
	goesOn := l.to < steps
	l.u.State, l.u.Partial = l.state(goesOn || l.last && l.ExtraSweeps != nil), l.partial(!goesOn)
	if !l.last {
		return
	}
	var bounds []float64
	if !goesOn && steps == l.run.burn+l.planned { // once, though the run may grow
		bounds = l.Climb(min(len(l.records), estimators.ClimbedChains-l.first), l.v.Pop.Read)
	}
	l.u.Partial = l.finish(l.u.Partial, bounds)
}

// note makes a point of the run's history after t sweeps.
func (l *rows) note(t int) {
	if l.last && l.u.Note != nil && estimators.HistoryStep(t-l.burn, l.v.Frame.Steps-l.burn) {
		l.u.Note(t, l.partial(false))
	}
}

// sampled and sloped report whether thinned samples, and slopes, are recorded of a sweep.
func (l *rows) sampled(kept int) bool {
	return kept >= 0 && l.what&Densities != 0 && kept%l.thinned.Every == 0
}

func (l *rows) sloped(kept int) bool {
	return kept >= 0 &&
		(l.what&Slopes != 0 && kept%l.slopes.every == 0 || l.what&MeanSlopes != 0 && kept%l.slopes.mean == 0)
}

// count counts a recorded sweep in the batch of each row.
func (l *rows) count(kept int) {
	for i := range l.records {
		if kept >= 0 {
			l.shares[i] = l.records[i].take(kept / l.batch)
		}
	}
}

// totals are where Step adds q(.|x) of each row: c of the batch that count has begun, and the moves from its rung; nil
// where readers want none, and before sweeps are recorded.
func (l *rows) totals(kept int) (c, moves [][]float64) {
	if kept >= 0 && l.what&Conditionals != 0 {
		c = l.shares
	}
	if kept >= 0 && l.what&Transitions != 0 {
		for i := range l.records {
			l.moves[i] = l.records[i].movesFrom(int(l.v.Rung[i]))
		}
		moves = l.moves
	}
	return c, moves
}

// recordDensities records thinned samples of the states that a sweep has made, and slopes.
func (l *rows) recordDensities(kept int) {
	if kept < 0 {
		return
	}
	sampled, rungs := l.sampled(kept), len(l.ladder)
	for i := range l.records {
		if !sampled || !l.sampledRow(i) {
			continue
		}
		s := &l.records[i].samples
		if s.logf == nil { // room for all of this cut at once
			s.logf = make(mbar.Floats, 0, 8*rungs*l.samplesOf(min(l.keptSweeps, l.CutAfter(temperCut))+l.thinned.Every))
		}
		s.logf = s.logf.With(l.step.X[i*rungs : (i+1)*rungs]...)
	}
	if l.slopes.curved == nil && l.sloped(kept) {
		l.slopes.line(l.step.X)
	}
}

// recordRungs records the rungs of samples, and slopes, when every row is at its next rung.
func (l *rows) recordRungs(kept int) {
	if l.sampled(kept) {
		for i := range l.records {
			if l.sampledRow(i) {
				l.records[i].samples.rung = append(l.records[i].samples.rung, l.v.Rung[i])
			}
		}
	}
	if kept >= 0 && l.what&Slopes != 0 && kept%l.slopes.every == 0 {
		l.slopes.At(l.v.Rung)
		for i := range l.records {
			c := &l.records[i]
			c.slopes.visit(c.slopes.At+c.rungs-int(l.v.Rung[i]), l.slopes.d[i], l.slopes.curve[i])
		}
	}
	if kept >= 0 && l.what&MeanSlopes != 0 && kept%l.slopes.mean == 0 {
		all, rungs := l.slopes.everywhere(), len(l.ladder)
		for i := range l.records {
			row := i * rungs
			l.records[i].means.spread(l.step.Q[row:row+rungs], l.step.Sum[i], all[row:row+rungs])
		}
	}
}

// sampledRow reports whether samples of a row are recorded.
func (l *rows) sampledRow(i int) bool { return (l.first+i)%l.thinned.EveryChain == 0 }

// Load decodes a state, with records if the iteration has begun.
func (l *rows) Load(state []byte) {
	s := wire.Reader{B: state}
	for i := range l.records {
		l.v.Pop.Load(i, &s)
		lowest, n := l.span(l.first + i)
		l.v.Rung[i] = int32(s.Within(lowest, lowest+n-1))
		if l.from > 0 {
			l.records[i].Load(&s)
		}
	}
	estimators.Must(&s)
}

// state encodes the rows, with their records if the iteration goes on.
func (l *rows) state(goesOn bool) []byte {
	return l.each(func(w *wire.Writer, i int) {
		l.v.Pop.Append(i, w)
		w.Int(int(l.v.Rung[i]))
		if goesOn {
			l.records[i].Append(w, true)
		}
	})
}

// partial encodes the records; what is large only in the last one of an iteration.
func (l *rows) partial(large bool) []byte {
	return l.each(func(w *wire.Writer, i int) { l.records[i].Append(w, large) })
}

// each encodes all rows, with room for all at once: they take about as much.
func (l *rows) each(row func(w *wire.Writer, i int)) []byte {
	var w wire.Writer
	for i := range l.records {
		row(&w, i)
		if i == 0 {
			w.B = slices.Grow(w.B, len(l.records)*len(w.B))
		}
	}
	return w.B
}

// finish appends to a partial what is in none that is peeked: bounds by climbing, and the samples of this cut.
func (l *rows) finish(partial []byte, bounds []float64) []byte {
	size := 0
	for i := range l.records {
		size += len(l.records[i].samples.logf) + 3*len(l.records[i].samples.rung) + 16
	}
	w := wire.Writer{B: slices.Grow(partial, size+8*len(bounds)+8)}
	w.Floats(bounds)
	for i := range l.records {
		s := &l.records[i].samples
		w.Ints(s.rung)
		w.Bytes(s.logf)
	}
	return w.B
}
