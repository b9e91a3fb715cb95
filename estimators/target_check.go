package estimators

import (
	"iter"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/wire"
	"logzlab/models"
)

// A tempering run that misses a mode does not reveal this by its spread: its error bar is even shorter. If exact samples
// of the target can be drawn, a last round therefore draws some, and compares the increase of log Z over the last rungs
// with that of the run. For x ~ f_K/Z_K,
//
//	log Z_K - log Z_j = -log E[f_j(x)/f_K(x)].
//
// Chains that start at the base miss a mode whose probability falls off quickly below beta = 1. The derivative of the log
// of this probability by beta is the mean of log f_1/f_0 over the mode minus its mean over the whole target, so a missed
// mode changes the slope of log Z. The check makes no sweep and does not change the estimate; it sets the diagnostics
// target_gap and target_gap_se.

// TargetDraws is the number of exact samples, 50 in each lane.
const TargetDraws = 1000

var targetLanes = Lanes{N: TargetDraws, Size: 50}

// Kinds of lanes of the check. The run that includes the check uses the kinds 0, 1 and those above the two of the check.
const (
	LaneExact Work = 2 + iota
	LaneTarget
)

// TargetCheck makes the rounds of the check, after all other rounds of a run. It compares log Z at some rungs of the
// results.
type TargetCheck struct {
	Config
	rungs  []int
	ladder []float64
	step   int
}

// maxCompared is the approximate largest number of rungs at which densities are compared.
const maxCompared = 1000

// NewTargetCheck returns a check of results whose ladder has these inverse temperatures.
func NewTargetCheck(c Config, betas []float64) TargetCheck {
	r := TargetCheck{Config: c}
	top := len(betas) - 1
	first, _ := slices.BinarySearch(betas, MinComparedBeta)
	if top > 0 && betas[top-1] >= minBetaWithError {
		first = min(first, top-1) // on a short ladder at least one rung below the top, or a missed mode would not show
	}
	stride := 1 + (top-first)/maxCompared
	for k := first + (top-first)%stride; k <= top; k += stride {
		r.rungs, r.ladder = append(r.rungs, k), append(r.ladder, betas[k])
	}
	return r
}

// AddNeed adds the cost of the check to the need of a run.
func (r *TargetCheck) AddNeed(n *Need, p Costs) {
	n.Retained += float64(24 * TargetDraws * len(r.ladder))
	n.Time += num.Mul(TargetDraws, p.Target)
	n.AddModel(p)
}

// Next returns the next round: the enumeration if the model needs one, then the exact draws. It returns nil when the
// results have been checked, or if they cannot be checked.
func (r *TargetCheck) Next(partials [][]byte, results ...*Result) *Round {
	if len(r.ladder) < 2 {
		return nil
	}
	r.step++
	switch r.step {
	case 1:
		blocks, ok := ExactTarget(r.Model)
		if !ok {
			return nil
		}
		if blocks > 0 {
			return ExactRound(LaneExact, blocks, r.Costs())
		}
		r.step++
		return r.drawRound(nil)
	case 2:
		return r.drawRound(ExactBlocks(partials))
	}
	r.compare(partials, results)
	return nil
}

func (r *TargetCheck) drawRound(blocks []float64) *Round {
	var w wire.Writer
	w.Floats(blocks)
	return &Round{Name: "target", Work: LaneTarget, Plan: w.B, Lanes: targetLanes.Count(),
		Time: TargetDraws * r.Costs().Target}
}

// Lane draws the exact samples of a lane. The partial holds log f of each sample at every compared rung.
func (r *TargetCheck) Lane(u *Unit, lane int) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		blocks := ReadBlocks(r.Model, &wire.Reader{B: u.Plan})
		first, n := targetLanes.Span(lane)
		f := &frame.Frame{Phase: "target", Steps: n}
		pop := r.Model.New(n, r.ladder)
		isWanted := true
		models.RowCapabilitiesOf(pop).DrawTarget(r.At(PhaseReverse, first), blocks, func() bool {
			f.Step++
			isWanted = yield(f)
			return isWanted
		})
		if !isWanted {
			return
		}
		logf := make([]float64, n*len(r.ladder))
		pop.LogF(0, len(r.ladder), logf)
		var w wire.Writer
		w.Floats(logf)
		u.Partial = w.B
	}
}

func (r *TargetCheck) compare(partials [][]byte, results []*Result) {
	var logf []float64
	for _, p := range partials {
		in := wire.Reader{B: p}
		logf = append(logf, in.Floats()...)
		MustDecode(&in)
	}
	for _, res := range results {
		res.compare(logf, r.rungs)
		res.Evaluations += float64(len(logf))
	}
}

// MinComparedBeta is the lowest inverse temperature whose densities are compared. On a geometric path the n-th moment
// of f_j/f_K under f_K is Z(n beta_j - n + 1)/Z_K, so from .75 on four moments are finite, and the standard error of the
// mean can be trusted.
const MinComparedBeta = .75

// minBetaWithError is the inverse temperature from which two moments are finite, so that the mean has a standard error.
const minBetaWithError = .5

// compare sets target_gap, the increase of log Z from rung j to the top by exact samples of the target minus the increase
// in the result, and its standard error. logf holds log f of each sample at the given rungs of the result. j is the
// lowest rung with an effective sample size of at least TargetDraws/2, or else the rung below the top.
func (r *Result) compare(logf []float64, rungs []int) {
	n, top := len(rungs), len(rungs)-1
	ladder := r.Ladder
	if r.Compared != nil {
		ladder = r.Compared
	}
	lw := make([]float64, len(logf)/n)
	for j := top - 1; j >= 0; j-- {
		for i := range lw {
			lw[i] = logf[i*n+j] - logf[i*n+top]
		}
		w := stats.LogWeights(lw)
		if j < top-1 && !(w.ESS >= TargetDraws/2) {
			break
		}
		k := rungs[j]
		r.Diagnose(DiagTargetGap, -w.LogMean-(ladder[rungs[top]].LogZ-ladder[k].LogZ))
		r.Diagnose(DiagTargetGapSE, math.Sqrt(num.Mul(w.SE, w.SE)+num.Mul(r.RiseSE[k], r.RiseSE[k])))
	}
}

// CheckTarget compares the run with exact samples of the target.
var CheckTarget = Check{Name: "Bars off exact samples",
	Meaning: "Exact samples of the target give log Z another rise over the last rungs than this run, which misses " +
		"part of the target.",
	Advice: "Trust another method, or start elsewhere and use more sweeps.",
	Judge: func(f Facts) (Finding, bool) {
		gap, se := f.Number(DiagTargetGap), f.Number(DiagTargetGapSE)
		distance := math.Abs(gap) / se
		return Finding{Value: distance, Text: FormatAgainst(distance, 3, 1), Needs: "≤ 3",
			OK: distance <= 3 || math.Abs(gap) < HarmlessGap, Bad: distance > 6 && math.Abs(gap) > .05}, num.NotNaN(gap) && se > 0
	}}
