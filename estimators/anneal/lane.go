package anneal

import (
	"iter"
	"math"

	"logzlab/core/frame"
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

func (a *run) forwardLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		from, to, rows := plan.Int(), plan.Int(), a.after(plan.Int(), plan.Int())
		first, n := rows.Span(u.Lane)
		v := estimators.NewView(a.Config, a.ladder, u, rows)
		v.Frame.Steps = (len(a.ladder) - 2) * a.sweeps
		u.Last = min((to-1)*a.sweeps, v.Frame.Steps)
		pop, logw, pairs := v.Pop, v.LogW, make([]float64, 2*n)
		all, size := make([]float64, n*len(a.recorded)), len(a.recorded)
		record := make([][]float64, n) // parts of all, complete only in the last stretch
		for r := range record {
			record[r] = all[r*size : r*size : (r+1)*size]
		}
		if u.State == nil {
			pop.Draw(a.At(estimators.PhaseStart, first))
			for r := range record {
				if a.recorded[0] == 0 {
					record[r] = append(record[r], 0)
				}
			}
			if !yield(v.Show(0)) {
				return
			}
		} else {
			s := wire.Reader{B: u.State}
			for r := range record {
				pop.Load(r, &s)
				logw[r] = s.Float()
				record[r] = append(record[r], s.Floats()...)
			}
			estimators.Must(&s)
		}
		at := a.At(estimators.PhaseForward, first)
		at.Step = uint32((from - 1) * a.sweeps)
		for k := from; k < to; k++ {
			keep := len(record[0]) < len(a.recorded) && a.recorded[len(record[0])] == k
			pop.LogF(k-1, 2, pairs)
			for r := range record {
				logw[r] += WeightStep(pairs[2*r], pairs[2*r+1])
				if keep {
					record[r] = append(record[r], logw[r])
				}
			}
			estimators.Fill(v.Rung, k)
			if k == len(a.ladder)-1 { // nothing moves there, but the weights are now the target's
				if !yield(v.Show(int(at.Step))) {
					return
				}
				break
			}
			for t := 0; t < a.sweeps; t++ {
				pop.Move(at, v.Rung, false)
				at.Step++
				if !yield(v.Show(int(at.Step))) {
					return
				}
			}
		}
		if to == len(a.ladder) {
			var p wire.Writer
			p.Floats(all)
			p.Floats(a.Climb(min(n, estimators.ClimbedChains-first), pop.Read))
			u.State, u.Partial = nil, p.B
			return
		}
		var s wire.Writer
		for r := range record {
			pop.Append(r, &s)
			s.Float(logw[r])
			s.Floats(record[r])
		}
		u.State, u.Partial = s.B, []byte{}
	}
}

// WeightStep is b - a, and -Inf once a density is zero (never NaN).
func WeightStep(a, b float64) float64 {
	if math.IsInf(b, -1) {
		return b
	}
	return b - a
}

// The picture keeps showing the samples of the forward chains, so reverse lanes report
// progress only.
func (a *run) reverseLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		data, blocks := plan.Bool(), plan.Floats()
		first, n := a.back.Span(u.Lane)
		v := estimators.NewView(a.Config, a.ladder, u, a.back)
		top := len(a.ladder) - 1
		settle := a.atTarget(u.Work, data)
		v.Frame.Steps = (top - 1 + settle) * a.sweeps
		pop, logw, pairs := v.Pop, v.LogW, make([]float64, 2*n)
		at := a.At(estimators.PhaseReverse, first)
		if u.Work == workFromData {
			at.Phase = estimators.PhaseData
		}
		if data {
			pop.(models.DataDrawer).DrawData(at)
		} else {
			going := true
			pop.(models.TargetDrawer).DrawTarget(at, blocks, func() bool { going = yield(v.Tick(0)); return going })
			if !going {
				return
			}
		}
		sweep := func(k int) bool {
			estimators.Fill(v.Rung, k)
			for range a.sweeps {
				at.Step++
				pop.Move(at, v.Rung, true)
				if !yield(v.Tick(int(at.Step))) {
					return false
				}
			}
			return true
		}
		var logData []float64
		if u.Work == workFromData {
			logData = logDataOf(pop, n, top)
		}
		for range settle {
			if !sweep(top) {
				return
			}
		}
		for k := top; k >= 1; k-- {
			pop.LogF(k-1, 2, pairs)
			for r := range logw {
				logw[r] += WeightStep(pairs[2*r+1], pairs[2*r])
			}
			if k > 1 && !sweep(k-1) {
				return
			}
		}
		var p wire.Writer
		p.Floats(logw)
		if u.Work == workFromData {
			p.Floats(logData)
		}
		u.Partial = p.B
	}
}

// logDataOf lists log f of n rows at the target, rung top, with what is not data summed out.
func logDataOf(pop models.Population, n, top int) []float64 {
	out := make([]float64, n)
	if d, ok := pop.(models.DataDrawer); ok {
		d.LogData(out)
	} else {
		pop.LogF(top, 1, out)
	}
	return out
}
