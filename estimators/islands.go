package estimators

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/core/wire"
)

// rowCodec encodes and decodes rows: a models.Population or models.Particles.
type rowCodec interface {
	Append(row int, w *wire.Writer)
	Load(row int, r *wire.Reader)
}

// SaveIsland encodes the rows of an island, each after its log weight.
func SaveIsland(w *wire.Writer, logw []float64, rows rowCodec) {
	for r, x := range logw {
		w.Float(x)
		rows.Append(r, w)
	}
}

// LoadIsland decodes what SaveIsland has written, as many rows as logw has.
func LoadIsland(in *wire.Reader, logw []float64, rows rowCodec) {
	for r := range logw {
		logw[r] = in.Float()
		rows.Load(r, in)
	}
}

// Ancestors says from which of the first particles of its island each row descends. An island whose particles never
// move follows it: copies stay equal, so there are as many independent particles as ancestors. Empty: not followed.
type Ancestors []int32

// Of reports whether rows descend from n first ones, or are not followed.
func (a Ancestors) Of(n int) bool {
	return len(a) == 0 || len(a) == n && slices.Min(a) >= 0 && int(slices.Max(a)) < n
}

// Begin makes n rows that descend from themselves.
func (a *Ancestors) Begin(n int) {
	*a = make(Ancestors, n)
	for r := range *a {
		(*a)[r] = int32(r)
	}
}

// Descend notes from which earlier row each row was copied.
func (a *Ancestors) Descend(parents []int32) {
	if len(*a) == 0 {
		return
	}
	next := make(Ancestors, len(parents))
	for r, p := range parents {
		next[r] = (*a)[p]
	}
	*a = next
}

// Join adds n rows that descend from none of those before, and Leave drops the first n rows.
func (a *Ancestors) Join(n int) {
	if len(*a) == 0 {
		return
	}
	for next := slices.Max(*a) + 1; n > 0; n-- {
		*a = append(*a, next)
		next++
	}
}

func (a *Ancestors) Leave(n int) { *a = (*a)[min(n, len(*a)):] }

// Count is the number of ancestors.
func (a Ancestors) Count() float64 {
	return float64(len(slices.Compact(slices.Sorted(slices.Values(a)))))
}

// IslandBits sets the slots of particles: those of island i begin at i << IslandBits.
const IslandBits = 22

// Purposes are the last three bits of the phase of a randomness address, stages
// the bits before them; the top bit is set in a pilot run. The step is the sweep
// of a move; batch i of generated particles draws from its own range of steps.
const (
	PurposeStart = iota
	PurposeMove
	PurposeGenerate
	PurposeResample
	PurposeAugment
)

var ResampleParam = spec.Param{Name: "resample", Type: "choice", Default: resample.Schemes[0],
	Choices: resample.Schemes,
	Help:    "How offspring are drawn in proportion to the weights."}

// IslandsParam makes the parameter islands, with a default. It is not inlined, as it fills package variables: see
// RATIONALE.md.
//
//go:noinline
func IslandsParam(n string) spec.Param {
	return IntParam("islands", n, 1, 1000, "Number of independent sets of particles; their spread gives the error bar.")
}

// IslandChecks are those of methods whose islands of particles are weighted and resampled.
var IslandChecks = []Check{
	{Name: "Islands agree",
		Means: "Sets of particles that never met end far apart, so each misses part of the target.", Do: MoreParticles,
		Judge: JudgeNumber(DiagIslandsSD, func(sd float64) Finding {
			return Finding{Text: Against(sd, 1, 2) + " nats", Needs: "≤ 1", OK: sd <= 1, Bad: sd > 5}
		})},
	{Name: "Bias",
		Means: "The log of a noisy Z is too low by about half its variance.", Do: MoreParticles,
		Judge: func(f Facts) (Finding, bool) {
			sd := f.Number(DiagIslandsSD)
			bias := sd * sd / 2
			return Finding{Value: bias, Text: Against(bias, .1, 3) + " nats", Needs: "≤ 0.1", OK: bias <= .1}, num.Known(sd)
		}},
	{Name: "Ancestors",
		Means: "Without moves copies stay equal: the particles of an island descend from these few first ones, and its " +
			"effective sample sizes count copies.",
		Do: "Move particles (moves), or use more of them.",
		Judge: JudgeNumber(DiagAncestors, func(n float64) Finding {
			return Finding{Text: Against(n, leastAncestors, 0), Needs: "≥ 10", OK: n >= leastAncestors}
		})},
}

// leastAncestors is how many independent particles an island needs for trust.
const leastAncestors = 10

const MoreParticles = "Use more particles, or more moves at every stage."

// OfIslands is a result of islands without numbers, until all of them are at the end. The log of the mean of their Zhat
// is too low for few particles; with means the estimate is the mean of log Zhat, off by O(1/R), of a sign that depends
// on the model.
func OfIslands(means bool) *Result {
	nan := math.NaN()
	r := &Result{LogZ: nan, SE: nan, SEMethod: SEIslands, Bias: "down", Lower: nan, Upper: nan}
	if means {
		r.Bias = "either"
	}
	r.Flag(FlagNoSandwich)
	return r
}

// AddIslands records the spread of log Zhat over independent islands, and se_within, the error
// if the particles of an island were independent, from the sum of the islands' variances. It
// is too small, because they are not.
func (r *Result) AddIslands(z []float64, within float64) {
	n := float64(len(z))
	r.Islands = slices.Clone(z)
	r.Diagnose(DiagIslands, n)
	r.Diagnose(DiagSEWithin, math.Sqrt(max(within, 0))/n)
	if len(z) > 1 {
		_, v := stats.MeanVar(z)
		r.Diagnose(DiagIslandsSD, math.Sqrt(v))
	}
	if len(z) < 4 {
		r.Flag(FlagFewIslands)
	}
	if math.IsInf(num.LogSumExp(z), -1) {
		r.Flag(FlagZeroWeights)
	}
}

var FlagFewIslands = diag.NewFlag("few_islands",
	"Fewer than four islands give a rough error bar, one gives none: run more of them.")
