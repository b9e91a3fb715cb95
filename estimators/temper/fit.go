package temper

import (
	"context"
	"iter"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// Fit is a long computation on all samples of a tempering run. It runs in a lane of its own, for all readers, so that
// it does not block the fold. The reader then finds the outcome in Record.Fit.
type Fit struct {
	Solve mbar.Solver
	// Time returns the planned time in nanoseconds for samples x rungs densities, as in Need.
	Time func(samples, rungs float64) float64
}

// fitReaders returns the indices of the readers with a Fit.
func (r *run) fitReaders() (at []int) {
	for i, reader := range r.Readers {
		if reads(reader).Fit != nil {
			at = append(at, i)
		}
	}
	return at
}

// lastRound returns the round after the final run: the draws of the check, and one lane for the fits, which comes first
// as it takes longest. If the target cannot be drawn, the round has the lane of the fits only.
func (r *run) lastRound(partials [][]byte) *estimators.Round {
	if r.awaitingFit != nil && r.solveState.B == nil { // the fits are done
		r.readFits(partials[0])
		if partials = partials[1:]; len(partials) == 0 {
			return nil
		}
	}
	round := r.check.Next(partials, r.final...)
	if r.awaitingFit != nil && round == nil {
		round = &estimators.Round{Work: estimators.LaneTarget}
	}
	if r.awaitingFit == nil || round.Work != estimators.LaneTarget {
		return round
	}
	round.Name, round.Lanes, round.Time = "solve", round.Lanes+1, round.Time+r.fitTime()
	round.States = make([][]byte, round.Lanes)
	round.States[0] = r.samplesAsState()
	return round
}

// samplesAsState completes the state that begins with the densities.
func (r *run) samplesAsState() []byte {
	b, w := r.awaitingFit, r.solveState
	w.Int(b.Samples.Rows)
	w.Int32s(b.Samples.Rung)
	w.Int32s(b.Samples.Row)
	start := b.logZ(b.Conditionals) // empty if chains stay at their rungs
	w.Floats(start)
	b.Samples.Rung, b.Samples.Row, b.Samples.LogF, r.solveState.B = nil, nil, nil, nil // they are in the state now
	return w.B
}

// fitTime returns the planned time of the fits.
func (r *run) fitTime() (time float64) {
	n := float64(r.sampledChains() * r.samplesOf(r.keptSweeps))
	for _, i := range r.fitReaders() {
		time += reads(r.Readers[i]).Fit.Time(n, float64(len(r.ladder)))
	}
	return time
}

// fitLane computes the fits one after another. The partial is the concatenation of their outcomes (mbar.Fit).
func (r *run) fitLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		in := wire.Reader{B: u.State}
		var s mbar.Samples
		s.Load(&in)
		start := in.Floats()
		estimators.MustDecode(&in)
		estimators.CorruptIf(!s.Valid(len(r.ladder)) || s.Rows > r.N*r.keptSweeps ||
			len(start) != 0 && len(start) != len(r.ladder))
		if len(start) == 0 {
			start = nil
		}

		// Each reader solves in turn and reports progress.
		fits := r.fitReaders()
		f, going := &frame.Frame{Phase: "solve", Steps: 100 * len(fits)}, true
		var w wire.Writer
		for n, i := range fits {
			work := &meter.Meter{Yield: func(share float64) error {
				if f.Step = 100*n + int(100*share); going && yield(f) {
					return nil
				}
				going = false
				return context.Canceled
			}}
			fit, err := reads(r.Readers[i]).Fit.Solve(&s, start, work)
			if f.Step = 100 * (n + 1); err != nil || !going || !yield(f) {
				return
			}
			fit.Append(&w)
		}
		u.State, u.Partial = nil, w.B
	}
}

// readFits decodes the fits and makes the results of their readers.
func (r *run) readFits(partial []byte) {
	b := r.awaitingFit
	r.awaitingFit = nil
	in := wire.Reader{B: partial}
	for _, i := range r.fitReaders() {
		b.Fit = &mbar.Fit{}
		b.Fit.Load(&in)
		estimators.MustDecode(&in)
		r.final[i] = r.readOne(b, i)
	}
}
