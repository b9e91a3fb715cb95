package temper

import (
	"iter"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
)

// temperLane runs a stretch of the sweeps of an iteration: the loop of [RTS] Algorithm 1 with frozen log Zhat. The
// sweep itself is tempering.sweep, or fixedChains.sweep for chains at fixed rungs.
func (r *run) temperLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		l := r.newRows(u)
		l.start()
		for t := l.from; t < l.to; t++ {
			l.at.Step = uint32(t + 1)
			kept := t - l.burn
			if kept >= 0 {
				l.begin(kept)
			}
			r.sweep(l, l.at, kept)
			l.note(t + 1)
			if l.trips != nil {
				l.v.Trips = l.trips.trips[0].n
			}
			if !yield(l.v.Show(t + 1)) {
				return
			}
		}
		l.end()
	}
}

// rows are the chains of a running lane.
type rows struct {
	*run
	*laneRecord
	u         *estimators.Unit
	v         *estimators.View
	at        rng.At // random-number address of the first row
	first     int    // chain of the first row
	iteration int
	from, to  int // sweeps of the iteration
	last      bool
	burn      int // sweeps before those that are recorded
	step      *kernel.Tempering

	// Recorders that a sweep calls directly; nil if not recorded.
	conditionals *conditionals
	transitions  *transitions
	samples      *thinnedSamples
	densities    []densityRecorder
}

// maxSweeps exceeds the number of sweeps of any chain.
const maxSweeps = 1 << 31

// newRows reads the plan of a unit and makes its rows.
func (r *run) newRows(u *estimators.Unit) *rows {
	plan := wire.Reader{B: u.Plan}
	iteration, from, n := plan.IntWithin(0, r.rounds), plan.IntWithin(0, maxSweeps), plan.IntWithin(1, maxSweeps)
	steps, levels := plan.IntWithin(from+n, maxSweeps), plan.FloatsN(len(r.ladder)) // steps may be more than from+n, if the run can grow
	estimators.MustDecode(&plan)
	first, size := r.Span(u.Lane)
	v := estimators.NewView(r.Config, r.ladder, u, r.Lanes)
	l := &rows{run: r, laneRecord: r.newRecord(iteration, u.Lane), u: u, v: v,
		at: r.At(estimators.PhaseTemper+uint32(iteration), first), first: first, iteration: iteration, from: from,
		to: from + n, last: iteration == r.rounds, step: kernel.NewTempering(make([]float64, size*len(r.ladder)), levels)}
	for _, x := range l.recorders {
		switch x := x.(type) {
		case *conditionals:
			l.conditionals = x
		case *transitions:
			l.transitions = x
		case *thinnedSamples:
			l.samples = x
		}
		if x, ok := x.(densityRecorder); ok {
			l.densities = append(l.densities, x)
		}
	}
	if l.last {
		l.burn = r.burn
	}

	// Lanes that are never shown make no film. An annealing pass has made one already.
	v.LogW = nil
	if v.SnapshotRungs != nil && (l.last || r.startsEqual()) {
		v.EvenSnapshots = 32
	}
	v.SnapshotRungs = nil
	v.Frame.Steps = steps
	u.LastStep = l.to
	u.Peek = func() []byte { return l.partial(false) }
	return l
}

// start loads the rows from the state, or draws them.
func (l *rows) start() {
	if l.u.State == nil {
		l.v.Pop.Draw(l.At(estimators.PhaseStart, l.first))
	} else {
		l.Load(l.u.State)
	}

	// From equal guesses, initial iterations start from new uniform rungs ([RTS] section 2.4), or all chains would stay
	// at the base. After another first guess every chain has a state made at its own rung and continues from it: a new
	// rung would quench hot states and undo the pass. The final run always continues.
	if l.from == 0 && l.iteration < l.rounds && l.startsEqual() || l.u.State == nil {
		l.draw(l.at, l.v.Rung)
	}
}

// end sets the state and the partial of the unit.
func (l *rows) end() {
	steps := l.v.Frame.Steps
	goesOn := l.to < steps
	l.u.State, l.u.Partial = l.state(goesOn || l.last && l.ExtraSweeps != nil), l.partial(!goesOn)
	if !l.last {
		return
	}
	var bounds []float64
	if !goesOn && steps == l.run.burn+l.planned { // only once, though the run may grow
		bounds = l.Climb(min(len(l.v.Rung), estimators.ClimbedChains-l.first), l.v.Pop.Read)
	}
	l.u.Partial = l.finish(l.u.Partial, bounds)
}

// note makes a point of the run's history after t sweeps.
func (l *rows) note(t int) {
	if l.last && l.u.Note != nil && estimators.IsHistoryStep(t-l.burn, l.v.Frame.Steps-l.burn) {
		l.u.Note(t, l.partial(false))
	}
}

// due reports whether a recorder needs log f at every rung in this sweep.
func (l *rows) due(kept int) bool {
	return kept >= 0 && slices.ContainsFunc(l.densities, func(x densityRecorder) bool { return x.due(kept) })
}

// recordLogF passes log f at every rung to the recorders that need it.
func (l *rows) recordLogF(kept int) {
	if kept < 0 {
		return
	}
	for _, x := range l.densities {
		if x.due(kept) {
			x.logF(l)
		}
	}
}

// sums returns, for each row, the vectors to which the step adds q(.|x): the conditionals of its chain, and its
// transitions from the present rung. Both are nil during burn-in and if no reader needs them.
func (l *rows) sums(kept int) (c, moves [][]float64) {
	if kept >= 0 && l.conditionals != nil {
		c = l.conditionals.rows
	}
	if kept >= 0 && l.transitions != nil {
		moves = l.transitions.rows(l.v.Rung)
	}
	return c, moves
}

// record records a sweep after every row has drawn its next rung.
func (l *rows) record(kept int) {
	if l.trips != nil {
		l.trips.observe(l.v.Rung)
	}
	if kept < 0 {
		return
	}
	for _, x := range l.recorders {
		x.observe(l, kept)
	}
}

// Load decodes a state, which includes the record if the iteration has begun.
func (l *rows) Load(state []byte) {
	s := wire.Reader{B: state}
	for i := range l.v.Rung {
		l.v.Pop.Load(i, &s)
		lowest, n := l.span(l.first + i)
		l.v.Rung[i] = int32(s.IntWithin(lowest, lowest+n-1))
	}
	if l.from > 0 {
		l.laneRecord.load(&s)
	}
	estimators.MustDecode(&s)
}

// state encodes the rows, and their record if the iteration continues.
func (l *rows) state(goesOn bool) []byte {
	var w wire.Writer
	for i, k := range l.v.Rung {
		l.v.Pop.Append(i, &w)
		w.Int(int(k))
		if i == 0 { // rows have similar sizes
			w.B = slices.Grow(w.B, len(l.v.Rung)*len(w.B))
		}
	}
	if goesOn {
		l.laneRecord.append(&w, true)
	}
	return w.B
}

// partial encodes the record, large statistics only if whole is set.
func (l *rows) partial(whole bool) []byte {
	var w wire.Writer
	l.laneRecord.append(&w, whole)
	return w.B
}

// finish appends to the partial of a cut the bounds found by climbing and the samples of the cut.
func (l *rows) finish(partial []byte, bounds []float64) []byte {
	w := wire.Writer{B: partial}
	w.Floats(bounds)
	if l.samples != nil {
		l.samples.write(&w)
	}
	return w.B
}
