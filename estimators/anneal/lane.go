package anneal

import (
	"iter"
	"math"
	"sort"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/schedule"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

func (a *run) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	switch u.Work {
	case workForward:
		return a.forwardLane(u)
	case workExact:
		return estimators.ExactLane(a.Model, u)
	}
	return a.reverseLane(u)
}

// forwardLane takes chains from rung to rung: annealed importance sampling ([Neal2001]).
func (a *run) forwardLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		l := a.newForward(u)
		v, pairs, at := l.v, make([]float64, 2*len(l.record)), a.At(estimators.PhaseForward, l.first)
		at.Step = uint32((l.from - 1) * a.sweeps)
		if u.State == nil && !yield(v.Show(0)) {
			return
		}
		for k := l.from; k < l.to; k++ {
			l.noteCurves(k - 1)

			// log w grows by log f_k - log f_k-1 of the states made at rung k-1.
			v.Pop.LogF(k-1, 2, pairs)
			for r := range v.LogW {
				v.LogW[r] += WeightStep(pairs[2*r], pairs[2*r+1])
			}
			l.note(k)

			// Sweeps leave f_k invariant. Nothing moves at the target, but its weights are shown.
			estimators.Fill(v.Rung, int32(k))
			if k == len(a.ladder)-1 {
				if !yield(v.Show(int(at.Step))) {
					return
				}
				break
			}
			for range a.sweeps {
				v.Pop.Move(at, v.Rung, false)
				at.Step++
				if !yield(v.Show(int(at.Step))) {
					return
				}
			}
		}
		l.end()
	}
}

// mostChains is more than any run has.
const mostChains = 1 << 31

// forward is a lane of forward chains at work.
type forward struct {
	*run
	u        *estimators.Unit
	v        *estimators.View
	first    int // chain of the first row
	from, to int // rungs
	all      []float64
	record   [][]float64 // log w of each row at the recorded rungs: parts of all, complete only in the last stretch
	slopes   []float64   // room
	curves   []float64   // where curves are asked for: of all rows at every CurveEvery-th rung, one rung after the other
}

// newForward makes the chains of a unit, from its state or from the base.
func (a *run) newForward(u *estimators.Unit) *forward {
	plan := wire.Reader{B: u.Plan}
	from := plan.Within(1, len(a.ladder)-1)
	to, rows := plan.Within(from+1, len(a.ladder)), a.after(plan.Within(1, mostChains), plan.Within(0, mostChains))
	estimators.Must(&plan)
	estimators.Refuse((u.State == nil) != (from == 1))
	first, n := rows.Span(u.Lane)

	// The rungs of the plan, and the frames.
	v, size := estimators.NewView(a.Config, a.ladder, u, rows), len(a.recorded)
	v.Frame.Steps = (len(a.ladder) - 2) * a.sweeps
	u.Last = min((to-1)*a.sweeps, v.Frame.Steps)

	// The log weights of a chain at the rungs recorded.
	l := &forward{run: a, u: u, v: v, first: first, from: from, to: to, all: make([]float64, n*size),
		record: make([][]float64, n)}
	for r := range l.record {
		l.record[r] = l.all[r*size : r*size : (r+1)*size]
	}
	if a.curved {
		l.slopes = make([]float64, n)
	}

	// A first unit draws its chains from the base.
	if u.State == nil {
		v.Pop.Draw(a.At(estimators.PhaseStart, first))
		l.note(0)
		return l
	}

	// A later unit goes on from the state saved.
	s, recorded := wire.Reader{B: u.State}, sort.SearchInts(a.recorded, from)
	for r := range l.record {
		v.Pop.Load(r, &s)
		v.LogW[r] = s.Float()
		l.record[r] = append(l.record[r], s.Exactly(recorded)...)
	}
	l.curves = s.Floats()
	estimators.Must(&s)
	return l
}

// note records log w at a rung, if it is the next one of which a record is kept.
func (l *forward) note(k int) {
	if i := len(l.record[0]); i == len(l.recorded) || l.recorded[i] != k {
		return
	}
	for r := range l.record {
		l.record[r] = append(l.record[r], l.v.LogW[r])
	}
}

// noteCurves records the curves of the states made at rung k, a multiple of CurveEvery.
func (l *forward) noteCurves(k int) {
	if !l.curved || k%schedule.CurveEvery != 0 {
		return
	}
	estimators.Fill(l.v.Rung, int32(k))
	from := len(l.curves)
	l.curves = append(l.curves, l.slopes...)
	l.v.Can.Slopes.Slope(l.v.Rung, l.slopes, l.curves[from:])
}

// end leaves the records, or the state from which the chains go on.
func (l *forward) end() {
	var w wire.Writer
	if l.to == len(l.ladder) {
		w.Floats(l.all)
		w.Floats(l.Climb(min(len(l.record), estimators.ClimbedChains-l.first), l.v.Pop.Read))
		w.Floats(l.curves)
		l.u.State, l.u.Partial = nil, w.B
		return
	}
	for r := range l.record {
		l.v.Pop.Append(r, &w)
		w.Float(l.v.LogW[r])
		w.Floats(l.record[r])
	}
	w.Floats(l.curves)
	l.u.State, l.u.Partial = w.B, []byte{}
}

// WeightStep is b - a, the log density at the next rung less that at this one, and -Inf once a density is zero (never
// NaN).
func WeightStep(a, b float64) float64 {
	if math.IsInf(b, -1) {
		return b
	}
	return b - a
}

// reverseLane takes chains from the target, or from data, down to the base ([Burda2015]). The picture keeps showing the
// samples of the forward chains, so reverse lanes report progress only.
func (a *run) reverseLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		// The chains are drawn exactly, or are data, which are moved at the target first.
		l := a.newReverse(u, yield)
		if !l.begin() {
			return
		}
		top, pairs := len(a.ladder)-1, make([]float64, 2*len(l.v.LogW))
		for range l.burnIn {
			if !l.sweep(top) {
				return
			}
		}

		// On the way down log w grows by log f_k-1 - log f_k of the states made at rung k.
		for k := top; k >= 1; k-- {
			l.v.Pop.LogF(k-1, 2, pairs)
			for r := range l.v.LogW {
				l.v.LogW[r] += WeightStep(pairs[2*r+1], pairs[2*r])
			}
			if k > 1 && !l.sweep(k-1) {
				return
			}
		}

		var p wire.Writer
		p.Floats(l.v.LogW)
		if u.Work == workFromData {
			p.Floats(l.logData)
		}
		u.Partial = p.B
	}
}

// reverse is a lane of reverse chains at work.
type reverse struct {
	*run
	u       *estimators.Unit
	v       *estimators.View
	at      rng.At
	data    bool      // the chains begin at data
	blocks  []float64 // of the exact sum, else
	burnIn  int       // steps at the target
	logData []float64 // log f of the data that chains begin at, where these are what is asked for
	yield   func(*frame.Frame) bool
}

// newReverse makes the chains of a unit.
func (a *run) newReverse(u *estimators.Unit, yield func(*frame.Frame) bool) *reverse {
	plan := wire.Reader{B: u.Plan}
	l := &reverse{run: a, u: u, data: plan.Bool(), yield: yield}
	if l.data {
		estimators.Refuse(a.known.Data == 0)
	} else {
		l.blocks = estimators.ReadBlocks(a.Model, &plan)
	}
	first, _ := a.back.Span(u.Lane)
	l.at = a.At(estimators.PhaseReverse, first)
	if u.Work == workFromData {
		l.at.Phase = estimators.PhaseData
	}
	l.v = estimators.NewView(a.Config, a.ladder, u, a.back)
	l.burnIn = a.atTarget(u.Work, l.data)
	l.v.Frame.Steps = (len(a.ladder) - 2 + l.burnIn) * a.sweeps
	return l
}

// begin draws the chains. It returns false if the run is to stop.
func (l *reverse) begin() bool {
	going := true
	if l.data {
		l.v.Can.Data.DrawData(l.at)
	} else {
		l.v.Can.DrawTarget(l.at, l.blocks, func() bool {
			going = l.yield(l.v.Tick(0))
			return going
		})
	}
	if going && l.u.Work == workFromData {
		l.logData = logDataOf(l.v.Pop, len(l.v.LogW), len(l.ladder)-1)
	}
	return going
}

// sweep moves the chains at rung k. It returns false if the run is to stop.
func (l *reverse) sweep(k int) bool {
	estimators.Fill(l.v.Rung, int32(k))
	for range l.sweeps {
		l.at.Step++
		l.v.Pop.Move(l.at, l.v.Rung, true)
		if !l.yield(l.v.Tick(int(l.at.Step))) {
			return false
		}
	}
	return true
}

// logDataOf lists log f of n rows at the target, rung top, with what is not data summed out.
func logDataOf(pop models.Population, n, top int) []float64 {
	out := make([]float64, n)
	if d := models.RowsCan(pop).Data; d != nil {
		d.LogData(out)
	} else {
		pop.LogF(top, 1, out)
	}
	return out
}
