package estimators

import (
	"iter"
	"math"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/models"
)

// AnnealRun is annealing: independent chains are cooled from the base to the target and, where target samples can
// be had, as many are warmed again. Its log weights are the works of the way there and back ([Neal2001]).
var AnnealRun = Run{
	Name: "ais", New: newAnneal,
	Params: []spec.Param{
		paramMain("chains", "100", 1, 1e6, "Number of independent annealing runs, each giving one weight."),
		paramMain("temperatures", "2000", 2, 1e6, "Number of inverse temperatures from 0 to 1, both ends counted."),
		paramSchedule,
		paramInt("sweeps", "1", 1, 1e4, "Kernel applications at each temperature between the ends."),
	},
}

// annealCut is the cut of annealing rounds, in sweeps.
const annealCut = 20000

// maxRecord bounds the log weights kept along the ladder, rungs x chains; longer
// ladders are recorded at evenly spaced rungs.
const maxRecord = 1 << 22

// maxWay bounds the rungs of an estimate made on the way.
const maxWay = 500

// anneal folds forward rounds, then, where target samples can be had, the exact
// preparation and the reverse round that gives the upper end of the sandwich.
//
// Forward: x_1 ~ f_1; for k = 2..K: log w += log f_k(x) - log f_{k-1}(x), and for
// k < K the kernel at k moves x. log Z = log-mean-exp of log w, plus log Z of the
// base. After the move at k the pair (x, log w) is properly weighted for f_k, so
// every rung has its own estimate.
//
// Reverse, from a target sample: for k = K..2: log w += log f_{k-1}(x) - log
// f_k(x), and for k > 2 the reversed kernel at k-1 moves x; E[-log w] >= log Z.
type anneal struct {
	Config
	lanes
	ladder []float64
	record []int // recorded rungs, increasing, the last is K-1
	sweeps int

	stage Work        // the lanes under way
	from  int         // next rung of the forward round
	read  [][]float64 // recorded log weights of each lane that is done
	known AnnealRecord
}

// Stages of annealing, each with lanes of its own.
const (
	annealForward Work = iota
	annealExact
	annealReverse
	annealDone
)

func newAnneal(c Config) (Method, error) {
	a := &anneal{Config: c, lanes: c.lanes(c.Values.Int("chains")), sweeps: c.Values.Int("sweeps")}
	var err error
	if a.ladder, err = c.ladder(); err != nil {
		return nil, err
	}
	a.record = recorded(len(a.ladder), a.n)
	a.note()
	return a, nil
}

// recorded are the rungs at which n log weights are kept; the last one is among them.
func recorded(rungs, n int) (record []int) {
	k := rungs - 1
	stride := 1 + k*n/maxRecord
	for i := k % stride; i <= k; i += stride {
		record = append(record, i)
	}
	return record
}

// reversible reports how reverse chains can start: from exact samples after an enumeration
// of some blocks, from data, or not at all.
func (a *anneal) reversible() (blocks int, exact, data bool) {
	pop := a.Model.New(1, []float64{0, 1})
	if n, ok := targetBlocks(a.Model, pop); ok {
		return n, true, false
	}
	if d, ok := pop.(models.DataDrawer); ok {
		return 0, false, d.DrawData(a.at(phaseReverse, 0))
	}
	return 0, false, false
}

func (a *anneal) Sweeps() float64 {
	runs := 1
	if _, exact, data := a.reversible(); exact || data {
		runs = 2
	}
	return float64(runs * a.n * a.sweeps * (len(a.ladder) - 2))
}

func (a *anneal) Next(partials, states [][]byte) (*Round, error) {
	k := len(a.ladder)
	switch {
	case partials == nil:
		a.from = 1
		return a.forward(nil), nil
	case a.stage == annealForward && a.from < k:
		return a.forward(states), nil
	case a.stage == annealForward:
		a.known.LogW, a.known.Forwarded = a.merge(partials), true
		blocks, exact, data := a.reversible()
		switch {
		case exact && blocks > 0:
			a.stage = annealExact
			return exactRound(annealExact, blocks, a.parts()), nil
		case exact || data:
			a.stage, a.known.FromData = annealReverse, data
			return a.backward(), nil
		}
	case a.stage == annealExact:
		a.known.Blocks = exactBlocks(partials)
		a.stage = annealReverse
		return a.backward(), nil
	case a.stage == annealReverse:
		for _, p := range partials {
			r := frame.Reader{B: p}
			a.known.Reverse = append(a.known.Reverse, r.Floats()...)
			must(&r)
		}
	}
	a.stage, a.known.Final = annealDone, true
	return nil, nil
}

// forward is the next stretch of sweeps up to a cut.
func (a *anneal) forward(states [][]byte) *Round {
	from := a.from
	a.from = min(from+max(a.cut(annealCut)/a.sweeps, 1), len(a.ladder))
	var w frame.Writer
	w.Int(from)
	w.Int(a.from)
	return &Round{Name: "forward", Work: annealForward, Plan: w.B, Lanes: a.count(), States: states,
		Sweeps: float64((a.from - from) * a.n * a.sweeps), Time: a.time(a.parts(), a.from-from)}
}

func (a *anneal) backward() *Round {
	var w frame.Writer
	w.Bool(a.known.FromData)
	w.Floats(a.known.Blocks)
	return &Round{Name: "reverse", Work: annealReverse, Plan: w.B, Lanes: a.count(),
		Sweeps: float64((len(a.ladder) - 2) * a.n * a.sweeps), Time: a.reverseTime()}
}

// merge lists the recorded log weights by lane; missing lanes are left out. A lane is
// decoded once, when it arrives, and not for each view.
func (a *anneal) merge(partials [][]byte) [][]float64 {
	if a.read == nil {
		a.read = make([][]float64, len(partials))
	}
	var out [][]float64
	for lane, p := range partials {
		if p == nil {
			continue
		}
		if a.read[lane] == nil {
			r := frame.Reader{B: p}
			a.read[lane] = r.Floats()
			a.known.Climbed = append(a.known.Climbed, r.Floats()...)
			must(&r)
		}
		out = append(out, a.read[lane])
	}
	return out
}

func (a *anneal) Lane(u *Unit) iter.Seq[*frame.Frame] {
	switch u.Work {
	case annealForward:
		return a.forwardLane(u)
	case annealExact:
		return exactLane(a.Model, u)
	}
	return a.reverseLane(u)
}

func (a *anneal) forwardLane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := frame.Reader{B: u.Plan}
		from, to := plan.Int(), plan.Int()
		first, n := a.span(u.Lane)
		v := newView(a.Config, a.ladder, u, a.lanes)
		v.f.Steps = (len(a.ladder) - 2) * a.sweeps
		u.Last = min((to-1)*a.sweeps, v.f.Steps)
		pop, logw, pairs := v.pop, v.logw, make([]float64, 2*n)
		all, size := make([]float64, n*len(a.record)), len(a.record)
		record := make([][]float64, n) // parts of all, complete only in the last stretch
		for r := range record {
			record[r] = all[r*size : r*size : (r+1)*size]
		}
		if u.State == nil {
			pop.Draw(a.at(phaseStart, first))
			for r := range record {
				if a.record[0] == 0 {
					record[r] = append(record[r], 0)
				}
			}
			if !yield(v.show(0)) {
				return
			}
		} else {
			s := frame.Reader{B: u.State}
			for r := range record {
				pop.Load(r, &s)
				logw[r] = s.Float()
				record[r] = append(record[r], s.Floats()...)
			}
			must(&s)
		}
		at := a.at(phaseForward, first)
		at.Step = uint32((from - 1) * a.sweeps)
		for k := from; k < to; k++ {
			keep := len(record[0]) < len(a.record) && a.record[len(record[0])] == k
			pop.LogF(k-1, 2, pairs)
			for r := range record {
				logw[r] += weightStep(pairs[2*r], pairs[2*r+1])
				if keep {
					record[r] = append(record[r], logw[r])
				}
			}
			fill(v.rung, k)
			if k == len(a.ladder)-1 { // nothing moves there, but the weights are now the target's
				if !yield(v.show(int(at.Step))) {
					return
				}
				break
			}
			for t := 0; t < a.sweeps; t++ {
				pop.Move(at, v.rung, false)
				at.Step++
				if !yield(v.show(int(at.Step))) {
					return
				}
			}
		}
		if to == len(a.ladder) {
			var p frame.Writer
			p.Floats(all)
			p.Floats(climb(a.Model, min(n, climbed-first), pop.Read))
			u.State, u.Partial = nil, p.B
			return
		}
		var s frame.Writer
		for r := range record {
			pop.Append(r, &s)
			s.Float(logw[r])
			s.Floats(record[r])
		}
		u.State, u.Partial = s.B, []byte{}
	}
}

// weightStep is b - a, and -Inf once a density is zero (never NaN).
func weightStep(a, b float64) float64 {
	if math.IsInf(b, -1) {
		return b
	}
	return b - a
}

// The picture keeps showing the samples of the forward chains, so reverse lanes report
// progress only.
func (a *anneal) reverseLane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := frame.Reader{B: u.Plan}
		data, blocks := plan.Bool(), plan.Floats()
		first, n := a.span(u.Lane)
		v := newView(a.Config, a.ladder, u, a.lanes)
		top := len(a.ladder) - 1
		v.f.Steps = (top - 1) * a.sweeps
		pop, logw, pairs := v.pop, v.logw, make([]float64, 2*n)
		at := a.at(phaseReverse, first)
		if data {
			pop.(models.DataDrawer).DrawData(at)
		} else {
			going := true
			pop.(models.TargetDrawer).DrawTarget(at, blocks, func() bool { going = yield(v.tick(0)); return going })
			if !going {
				return
			}
		}
		for k := top; k >= 1; k-- {
			pop.LogF(k-1, 2, pairs)
			for r := range logw {
				logw[r] += weightStep(pairs[2*r+1], pairs[2*r])
			}
			if k == 1 {
				break
			}
			fill(v.rung, k-1)
			for t := 0; t < a.sweeps; t++ {
				at.Step++
				pop.Move(at, v.rung, true)
				if !yield(v.tick(int(at.Step))) {
					return
				}
			}
		}
		var p frame.Writer
		p.Floats(logw)
		u.Partial = p.B
	}
}

// note fills in what is known before the run.
func (a *anneal) note() {
	a.known.Model, a.known.Rungs, a.known.Sweeps = a.Model, len(a.ladder), a.sweeps
	for _, i := range a.record {
		a.known.Betas = append(a.known.Betas, a.ladder[i])
	}
}

func (a *anneal) Estimate(peeked [][]byte) []*Result {
	known := &a.known
	if a.stage == annealForward && a.from == len(a.ladder) {
		way := a.known
		way.LogW = a.merge(peeked)
		known = &way
	}
	if len(known.LogW) == 0 {
		return nil
	}
	out := make([]*Result, len(a.Readers))
	for i, r := range a.Readers {
		out[i] = r.ReadAnneal(known, r.Values)
		out[i].Climbed = known.Climbed
		runs := float64(known.Chains() + len(known.Reverse))
		out[i].Sweeps = runs * (float64(len(a.ladder)) - 2) * float64(a.sweeps)
		out[i].Evaluations = runs * 2 * (float64(len(a.ladder)) - 1)
	}
	return out
}
