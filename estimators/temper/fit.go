package temper

import (
	"context"
	"iter"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/wire"
	"logzlab/estimators"
)

// Fit is work on all samples of a tempering run that would hold up whoever folds its rounds. One lane does the work for
// all readers, since the samples are large; its reader then finds Record.Fit.
type Fit struct {
	Solve solver
	// Time is what it takes, as in Need, for some samples under the densities of some rungs.
	Time func(samples, rungs float64) float64
}

// solver finds log Z of the rungs from samples. start is log Z of each rung by rts, nil in runs with fixed samples. The
// error is that of work, which is told of operations and may end the work.
type solver func(s *Samples, start []float64, work *meter.Meter) (*ladderFit, error)

// fits are the readers with such work.
func (r *run) fits() (at []int) {
	for i, reader := range r.Readers {
		if reads(reader).Fit != nil {
			at = append(at, i)
		}
	}
	return at
}

// last is the next round after the final run: the check's, with the work of the readers as one more lane of its draws,
// the first since it takes longest; or in a round of its own, where nothing can be drawn.
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
	var start []float64
	if !b.Fixed {
		start = b.Conditionals.logZ(b.levels())
	}
	w.Floats(start)
	b.Samples.Rung, b.Samples.Row, b.Samples.LogF, r.coded.B = nil, nil, nil, nil // they stand there now
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
		var s Samples
		s.load(&in)
		start := in.Floats()
		estimators.Must(&in)
		estimators.Refuse(!s.of(len(r.ladder)) || s.Rows > r.N*r.keptSweeps ||
			len(start) != 0 && len(start) != len(r.ladder))
		if len(start) == 0 {
			start = nil
		}
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
			fit.append(&w)
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
		b.Fit = &ladderFit{}
		b.Fit.load(&in)
		estimators.Must(&in)
		r.final[i] = r.readOne(b, i)
	}
}

func (s *Samples) load(r *wire.Reader) {
	s.LogF = r.Bytes()
	s.Rows, s.Rung, s.Row = r.Int(), r.Ints(), r.Ints()
}

// of reports whether samples are those of so many rungs.
func (s *Samples) of(rungs int) bool {
	n := len(s.Rung)
	if n == 0 || len(s.Row) != n || len(s.LogF) != 8*n*rungs {
		return false
	}
	return slices.Min(s.Rung) >= 0 && int(slices.Max(s.Rung)) < rungs && slices.Min(s.Row) >= 0 &&
		int(slices.Max(s.Row)) < s.Rows
}

func (f *ladderFit) append(w *wire.Writer) {
	for _, x := range [][]float64{f.Z, f.N, f.Overlap, f.Effective, f.Overlaps, {f.IID, f.Gap}} {
		w.Floats(x)
	}
	w.Int(len(f.Parts))
	for _, row := range f.Parts {
		w.Floats(row)
	}
	w.Bool(f.Converged)
}

func (f *ladderFit) load(r *wire.Reader) {
	var ends []float64
	for _, x := range []*[]float64{&f.Z, &f.N, &f.Overlap, &f.Effective, &f.Overlaps, &ends} {
		*x = r.Floats()
	}
	for range r.Int() {
		f.Parts = append(f.Parts, r.Floats())
	}
	if len(ends) != 2 {
		r.Err = wire.ErrShort
		return
	}
	f.IID, f.Gap, f.Converged = ends[0], ends[1], r.Bool()
}
