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

// Fit is long work on all samples of a tempering run. A lane of its own does the work, for all readers, so that the
// fold is not held up; the reader then finds Record.Fit.
type Fit struct {
	Solve mbar.Solver
	// Time is the time of the work in nanoseconds for samples x rungs densities, as in Need.
	Time func(samples, rungs float64) float64
}

// fits are the readers with such work.
func (r *run) fits() (at []int) {
	for i, reader := range r.Readers {
		if reads(reader).Fit != nil {
			at = append(at, i)
		}
	}
	return at
}

// last is the round after the final run: the draws of the check, and one lane for the work of the readers, the first
// since it takes longest. Where nothing can be drawn the readers' lane is alone.
func (r *run) last(partials [][]byte) *estimators.Round {
	if r.unfitted != nil && r.coded.B == nil { // the work is done
		r.fitted(partials[0])
		if partials = partials[1:]; len(partials) == 0 {
			return nil
		}
	}
	round := r.check.Next(partials, r.final...)
	if r.unfitted != nil && round == nil {
		round = &estimators.Round{Work: estimators.WorkTarget}
	}
	if r.unfitted == nil || round.Work != estimators.WorkTarget {
		return round
	}
	round.Name, round.Lanes, round.Time = "solve", round.Lanes+1, round.Time+r.fitTime()
	round.States = make([][]byte, round.Lanes)
	round.States[0] = r.samplesAsState()
	return round
}

// samplesAsState completes the state that begins with the densities.
func (r *run) samplesAsState() []byte {
	b, w := r.unfitted, r.coded
	w.Int(b.Samples.Rows)
	w.Ints(b.Samples.Rung)
	w.Ints(b.Samples.Row)
	start := b.logZ(b.Conditionals) // none of chains that stay
	w.Floats(start)
	b.Samples.Rung, b.Samples.Row, b.Samples.LogF, r.coded.B = nil, nil, nil, nil // they are in the state now
	return w.B
}

// fitTime is the time of that work.
func (r *run) fitTime() (time float64) {
	n := float64(r.sampledChains() * r.samplesOf(r.keptSweeps))
	for _, i := range r.fits() {
		time += reads(r.Readers[i]).Fit.Time(n, float64(len(r.ladder)))
	}
	return time
}

// fitLane does the work of the readers, one after another. Partial: a ladderFit of each.
func (r *run) fitLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		in := wire.Reader{B: u.State}
		var s mbar.Samples
		s.Load(&in)
		start := in.Floats()
		estimators.MustDecode(&in)
		estimators.CorruptIf(!s.Of(len(r.ladder)) || s.Rows > r.N*r.keptSweeps ||
			len(start) != 0 && len(start) != len(r.ladder))
		if len(start) == 0 {
			start = nil
		}

		// Reader after reader solves, and tells how far.
		fits := r.fits()
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

// fitted reads the results of readers whose work is done.
func (r *run) fitted(partial []byte) {
	b := r.unfitted
	r.unfitted = nil
	in := wire.Reader{B: partial}
	for _, i := range r.fits() {
		b.Fit = &mbar.Fit{}
		b.Fit.Load(&in)
		estimators.MustDecode(&in)
		r.final[i] = r.readOne(b, i)
	}
}
