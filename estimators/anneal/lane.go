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
		return func(yield func(*frame.Frame) bool) { a.newForward(u, yield).cool() }
	case workExact:
		return estimators.ExactLane(a.Model, u)
	}
	return func(yield func(*frame.Frame) bool) { a.newReverse(u, yield).warm() }
}

// maxChains is the largest number of chains in plans.
const maxChains = 1 << 31

// forward runs a lane of chains from the base to the target.
type forward struct {
	*run
	u        *estimators.Unit
	out      estimators.Observer
	v        *estimators.View // its LogW are log w
	at       rng.At
	first    int         // chain of the first row
	from, to int         // rungs
	pairs    []float64   // log f of each row at two rungs
	all      []float64   // log w of each row at the recorded rungs, complete only in the last stretch
	record   [][]float64 // the part of all that belongs to each row
	slopes   []float64   // unused output of Slope
	curves   []float64   // curves of all rows at every CurveEvery-th rung, rung after rung, if recorded
}

// cool is annealed importance sampling ([Neal2001]). Chains start at x ~ f_1; the kernel T_k leaves f_k invariant.
func (l *forward) cool() {
	for k := l.from; k < l.to && !l.out.Stopped; k++ {
		l.weigh(k) // log w += log f_k(x) - log f_{k-1}(x)
		l.move(k)  // x ~ T_k(x; x), except at the target
	}
	if !l.out.Stopped {
		l.end()
	}
}

// weigh updates the weights of the states made at rung k-1 to rung k.
func (l *forward) weigh(k int) {
	l.noteCurves(k - 1)
	l.v.Pop.LogF(k-1, 2, l.pairs)
	for r := range l.v.LogW {
		l.v.LogW[r] += WeightStep(l.pairs[2*r], l.pairs[2*r+1])
	}
	l.note(k)
}

// move makes the sweeps of rung k. At the target chains do not move, but their weights are shown.
func (l *forward) move(k int) {
	estimators.Fill(l.v.Rung, int32(k))
	if k == len(l.ladder)-1 {
		l.out.Show(l.v.Show(int(l.at.Step)))
		return
	}
	for t := 0; t < l.sweeps && !l.out.Stopped; t++ {
		l.v.Pop.Move(l.at, l.v.Rung, false)
		l.at.Step++
		l.out.Show(l.v.Show(int(l.at.Step)))
	}
}

// newForward makes the chains of a unit, from its state or from the base.
func (a *run) newForward(u *estimators.Unit, yield func(*frame.Frame) bool) *forward {
	plan := wire.Reader{B: u.Plan}
	from := plan.IntWithin(1, len(a.ladder)-1)
	to, rows := plan.IntWithin(from+1, len(a.ladder)), a.after(plan.IntWithin(1, maxChains), plan.IntWithin(0, maxChains))
	estimators.MustDecode(&plan)
	estimators.CorruptIf((u.State == nil) != (from == 1))
	first, n := rows.Span(u.Lane)

	// Frames, one for each sweep.
	v, size := estimators.NewView(a.Config, a.ladder, u, rows), len(a.recorded)
	v.Frame.Steps = (len(a.ladder) - 2) * a.sweeps
	u.LastStep = min((to-1)*a.sweeps, v.Frame.Steps)

	// Each chain records its log weights at some rungs.
	l := &forward{run: a, u: u, out: estimators.NewObserver(yield), v: v, at: a.At(estimators.PhaseForward, first),
		first: first, from: from, to: to, pairs: make([]float64, 2*n), all: make([]float64, n*size),
		record: make([][]float64, n)}
	l.at.Step = uint32((from - 1) * a.sweeps)
	for r := range l.record {
		l.record[r] = l.all[r*size : r*size : (r+1)*size]
	}
	if a.curved {
		l.slopes = make([]float64, n)
	}

	// The first unit draws its chains from the base.
	if u.State == nil {
		v.Pop.Draw(a.At(estimators.PhaseStart, first))
		l.note(0)
		l.out.Show(v.Show(0))
		return l
	}

	// A later unit continues from the state of the one before.
	s, recorded := wire.Reader{B: u.State}, sort.SearchInts(a.recorded, from)
	for r := range l.record {
		v.Pop.Load(r, &s)
		v.LogW[r] = s.Float()
		l.record[r] = append(l.record[r], s.FloatsN(recorded)...)
	}
	l.curves = s.Floats()
	estimators.MustDecode(&s)
	return l
}

// note records log w at rung k, if it is the next rung to record.
func (l *forward) note(k int) {
	if i := len(l.record[0]); i == len(l.recorded) || l.recorded[i] != k {
		return
	}
	for r := range l.record {
		l.record[r] = append(l.record[r], l.v.LogW[r])
	}
}

// noteCurves records the curves of the states made at rung k, if k is a multiple of CurveEvery.
func (l *forward) noteCurves(k int) {
	if !l.curved || k%schedule.CurveEvery != 0 {
		return
	}
	estimators.Fill(l.v.Rung, int32(k))
	from := len(l.curves)
	l.curves = append(l.curves, l.slopes...)
	l.v.Can.Slopes.SlopeAt(l.v.Rung, l.slopes, l.curves[from:])
}

// end sets the partial after the last rung, else the state for the next unit.
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

// WeightStep returns the log of an incremental weight, b - a, with a and b the log densities at this rung and at the
// next. It is -Inf if the density at the next rung is zero, and never NaN.
func WeightStep(a, b float64) float64 {
	if math.IsInf(b, -1) {
		return b
	}
	return b - a
}

// reverse runs a lane of chains from the target, or from data, to the base.
type reverse struct {
	*run
	u       *estimators.Unit
	out     estimators.Observer
	v       *estimators.View // its LogW are log w
	at      rng.At
	data    bool      // chains start at data
	blocks  []float64 // otherwise the sums over the blocks of an enumeration, for exact draws
	burnIn  int       // moves at the target
	pairs   []float64 // log f of each row at two rungs
	logData []float64 // log f of the datum of each chain, in a round from data
}

// warm is reverse annealing ([Burda2015]). Chains start at x ~ f_K or at data; the reversed kernel T~_k leaves f_k
// invariant. The picture continues to show the samples of the forward chains, so reverse lanes report progress only.
func (l *reverse) warm() {
	top := len(l.ladder) - 1
	l.begin()
	for range l.burnIn {
		l.move(top)
	}
	for k := top; k >= 1 && !l.out.Stopped; k-- {
		l.weigh(k) // log w += log f_{k-1}(x) - log f_k(x)
		if k > 1 {
			l.move(k - 1) // x ~ T~_{k-1}(x; x)
		}
	}
	if !l.out.Stopped {
		l.end()
	}
}

// weigh updates the weights of the states made at rung k to rung k-1.
func (l *reverse) weigh(k int) {
	l.v.Pop.LogF(k-1, 2, l.pairs)
	for r := range l.v.LogW {
		l.v.LogW[r] += WeightStep(l.pairs[2*r+1], l.pairs[2*r])
	}
}

// move makes the sweeps of rung k.
func (l *reverse) move(k int) {
	estimators.Fill(l.v.Rung, int32(k))
	for t := 0; t < l.sweeps && !l.out.Stopped; t++ {
		l.at.Step++
		l.v.Pop.Move(l.at, l.v.Rung, true)
		l.out.Show(l.v.Tick(int(l.at.Step)))
	}
}

// end sets the partial to the log weights.
func (l *reverse) end() {
	var p wire.Writer
	p.Floats(l.v.LogW)
	if l.u.Work == workFromData {
		p.Floats(l.logData)
	}
	l.u.Partial = p.B
}

// newReverse makes the chains of a unit.
func (a *run) newReverse(u *estimators.Unit, yield func(*frame.Frame) bool) *reverse {
	plan := wire.Reader{B: u.Plan}
	l := &reverse{run: a, u: u, data: plan.Bool(), out: estimators.NewObserver(yield)}
	if l.data {
		estimators.CorruptIf(a.known.Data == 0)
	} else {
		l.blocks = estimators.ReadBlocks(a.Model, &plan)
	}
	first, _ := a.back.Span(u.Lane)
	l.at = a.At(estimators.PhaseReverse, first)
	if u.Work == workFromData {
		l.at.Phase = estimators.PhaseData
	}
	l.v = estimators.NewView(a.Config, a.ladder, u, a.back)
	l.pairs = make([]float64, 2*len(l.v.LogW))
	l.burnIn = a.movesAtTarget(u.Work, l.data)
	l.v.Frame.Steps = (len(a.ladder) - 2 + l.burnIn) * a.sweeps
	return l
}

// begin draws the chains.
func (l *reverse) begin() {
	if l.data {
		l.v.Can.Data.DrawData(l.at)
	} else {
		l.v.Can.DrawTarget(l.at, l.blocks, func() bool {
			l.out.Show(l.v.Tick(0))
			return !l.out.Stopped
		})
	}
	if l.u.Work == workFromData && !l.out.Stopped {
		l.logData = logDataOf(l.v.Pop, len(l.v.LogW), len(l.ladder)-1)
	}
}

// logDataOf returns log f of n rows at the target, rung top, with the coordinates that are not data summed out.
func logDataOf(pop models.Population, n, top int) []float64 {
	out := make([]float64, n)
	if d := models.RowCapabilitiesOf(pop).Data; d != nil {
		d.LogData(out)
	} else {
		pop.LogF(top, 1, out)
	}
	return out
}
