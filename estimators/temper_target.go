package estimators

import (
	"iter"
	"math"

	"logzlab/core/frame"
	"logzlab/core/stats"
	"logzlab/models"
)

// Tempering chains cannot count a mode that they have not found, and their spread does not
// show it: a run that misses a mode has an even shorter error bar. If the target can be drawn
// exactly, a last round therefore draws it and checks how log Z rises towards the top. For
// x ~ f_K,
//
//	log Z_K - log Z_j = -log E[f_j(x)/f_K(x)].
//
// A mode that chains from the hot end miss is one whose share falls off quickly
// below the top, d log(share)/d beta being its mean log f_1/f_0 minus that of all,
// so it changes this slope. The check makes no sweep and changes no digit of the estimate; its
// result is in the diagnostics target_gap and target_gap_se.

// targetDraws is the number of exact samples, fifty a lane.
const targetDraws = 1000

var targetLanes = lanes{n: targetDraws, size: 50}

// targetRounds are the rounds of the check, after all others of a run.
type targetRounds struct {
	Config
	ladder []float64
	step   int
}

// next is the next round: the model's exact preparation, then the draws; nil when the results have been checked, or
// cannot be.
func (r *targetRounds) next(partials [][]byte, results ...*Result) *Round {
	r.step++
	switch r.step {
	case 1:
		blocks, ok := targetBlocks(r.Model, r.Model.New(1, []float64{0, 1}))
		if !ok {
			return nil
		}
		if blocks > 0 {
			return exactRound(workExact, blocks, r.parts())
		}
		r.step++
		return r.drawRound(nil)
	case 2:
		return r.drawRound(exactBlocks(partials))
	}
	r.compare(partials, results)
	return nil
}

func (r *targetRounds) drawRound(blocks []float64) *Round {
	var w frame.Writer
	w.Floats(blocks)
	return &Round{Name: "target", Work: workTarget, Plan: w.B, Lanes: targetLanes.count(),
		Time: targetDraws * r.parts().Target}
}

// lane draws the samples of a lane. Partial: log f of each at every rung.
func (r *targetRounds) lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		blocks := (&frame.Reader{B: u.Plan}).Floats()
		first, n := targetLanes.span(u.Lane)
		f := &frame.Frame{Phase: "target", Steps: n}
		pop := r.Model.New(n, r.ladder)
		going := true
		pop.(models.TargetDrawer).DrawTarget(r.at(phaseReverse, first), blocks, func() bool {
			f.Step++
			going = yield(f)
			return going
		})
		if !going {
			return
		}
		logf := make([]float64, n*len(r.ladder))
		pop.LogF(0, len(r.ladder), logf)
		var w frame.Writer
		w.Floats(logf)
		u.Partial = w.B
	}
}

// compare looks at each result.
func (r *targetRounds) compare(partials [][]byte, results []*Result) {
	k := len(r.ladder)
	var logf []float64
	for _, p := range partials {
		in := frame.Reader{B: p}
		logf = append(logf, in.Floats()...)
		must(&in)
	}
	for _, res := range results {
		res.compare(logf, k)
		res.Evaluations += float64(len(logf))
	}
}

// evenBeta is the lowest inverse temperature whose densities are compared: on a geometric path the n-th moment of
// f_j/f_K under f_K is Z(n beta_j - n + 1)/Z_K, so from here on four moments are finite, and the error bar of their
// mean can be trusted.
const evenBeta = .75

// compare sets target_gap: the rise of log Z from rung j to the top by exact samples of the target, minus the same rise
// in the result. logf has log f of each sample at all rungs. j is the lowest rung from evenBeta on at which the
// effective number of samples is at least half of them, or else the rung below the top; nothing is set if that lies
// below evenBeta.
func (r *Result) compare(logf []float64, rungs int) {
	top := rungs - 1
	lw := make([]float64, len(logf)/rungs)
	for j := top - 1; j >= 0 && r.Ladder[j].Beta >= evenBeta; j-- {
		for i := range lw {
			lw[i] = logf[i*rungs+j] - logf[i*rungs+top]
		}
		w := stats.LogWeights(lw)
		if j < top-1 && !(w.ESS >= targetDraws/2) {
			break
		}
		r.diagnose(DiagTargetGap, -w.LogMean-(r.Ladder[top].LogZ-r.Ladder[j].LogZ))
		r.diagnose(DiagTargetGapSE, math.Sqrt(float64(w.SE*w.SE)+float64(r.riseSE[j]*r.riseSE[j])))
	}
}
