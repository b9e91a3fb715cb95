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

// LoadIsland decodes len(logw) rows that SaveIsland has encoded.
func LoadIsland(in *wire.Reader, logw []float64, rows rowCodec) {
	for r := range logw {
		logw[r] = in.Float()
		rows.Load(r, in)
	}
}

// Ancestors holds, for each row, the index of the initial particle of its island that it descends from. Ancestors are
// tracked in islands whose particles never move: copies stay equal, so an island has only as many independent particles
// as distinct ancestors. Empty means not tracked.
type Ancestors []int32

// Valid reports whether there are n rows with ancestors in 0..n-1, or ancestors are not tracked.
func (a Ancestors) Valid(n int) bool {
	return len(a) == 0 || len(a) == n && slices.Min(a) >= 0 && int(slices.Max(a)) < n
}

// Init starts tracking n rows that are their own ancestors.
func (a *Ancestors) Init(n int) {
	*a = make(Ancestors, n)
	for r := range *a {
		(*a)[r] = int32(r)
	}
}

// Descend records a resampling: row r is now a copy of row parents[r].
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

// Add appends n new rows, each its own ancestor.
func (a *Ancestors) Add(n int) {
	if len(*a) == 0 {
		return
	}
	for next := slices.Max(*a) + 1; n > 0; n-- {
		*a = append(*a, next)
		next++
	}
}

// DropFirst removes the first n rows.
func (a *Ancestors) DropFirst(n int) { *a = (*a)[min(n, len(*a)):] }

// Count returns the number of distinct ancestors.
func (a Ancestors) Count() float64 {
	return float64(len(slices.Compact(slices.Sorted(slices.Values(a)))))
}

// IslandBits determines the random-number slots of particles: the slots of island i begin at i << IslandBits.
const IslandBits = 22

// Purposes are the last three bits of the phase of a random-number address (rng.At) of methods with islands. The higher
// bits are the stage, and the top bit is set in a pilot run. The step of the address is the number of the sweep; each
// batch of generated particles has its own range of steps.
const (
	PurposeStart = iota
	PurposeMove
	PurposeGenerate
	PurposeResample
	PurposeAugment
)

// ResampleParam is the parameter resample, the resampling scheme.
var ResampleParam = spec.Param{Name: "resample", Type: "choice", Default: resample.Schemes[0],
	Choices: resample.Schemes,
	Help:    "How offspring are drawn in proportion to the weights."}

// IslandsParam returns the parameter islands with default n. It is not inlined, as it fills package variables: see
// RATIONALE.md.
//
//go:noinline
func IslandsParam(n string) spec.Param {
	return IntParam("islands", n, 1, 1000, "Number of independent groups of particles (islands); their spread "+
		"gives the error bar.")
}

// IslandChecks are the checks of methods that weight and resample islands of particles.
var IslandChecks = []Check{
	{Name: "Islands agree",
		Meaning: "Independent groups of particles end far apart, so each misses part of the target.", Advice: MoreParticles,
		Judge: JudgeNumber(DiagIslandsSD, func(sd float64) Finding {
			return Finding{Text: FormatAgainst(sd, 1, 2) + " nats", Needs: "≤ 1", OK: sd <= 1, Bad: sd > 5}
		})},
	{Name: "Bias",
		Meaning: "The log of a noisy Z is too low by about half its variance.", Advice: MoreParticles,
		Judge: func(f Facts) (Finding, bool) {
			sd := f.Number(DiagIslandsSD)
			bias := sd * sd / 2
			return Finding{Value: bias, Text: FormatAgainst(bias, .1, 3) + " nats", Needs: "≤ 0.1", OK: bias <= .1}, num.NotNaN(sd)
		}},
	{Name: "Ancestors",
		Meaning: "Without moves copies stay equal: the particles of a group descend from only this many of the first " +
			"ones, and its effective sample sizes count copies.",
		Advice: "Move particles (moves), or use more of them.",
		Judge: JudgeNumber(DiagAncestors, func(n float64) Finding {
			return Finding{Text: FormatAgainst(n, minAncestors, 0), Needs: "≥ 10", OK: n >= minAncestors}
		})},
}

// minAncestors is the smallest number of independent particles with which an island is trusted.
const minAncestors = 10

// MoreParticles is the advice of checks of methods with particles.
const MoreParticles = "Use more particles, or more moves at every stage."

// NewIslandsResult returns a result of islands whose numbers are not known yet. The estimate will be the log of the mean
// Zhat, which is biased down for few particles; or the mean of log Zhat if useMeanOfLogs is set, which has a bias of order
// 1/R for R particles, in a direction that depends on the model.
func NewIslandsResult(useMeanOfLogs bool) *Result {
	nan := math.NaN()
	r := &Result{LogZ: nan, SE: nan, SEMethod: SEIslands, Bias: "down", Lower: nan, Upper: nan}
	if useMeanOfLogs {
		r.Bias = "either"
	}
	r.Flag(FlagNoSandwich)
	return r
}

// AddIslands records log Zhat of independent islands (z), the standard deviation between them, and the diagnostic
// se_within: the standard error under the assumption that the particles within an island are independent, from the sum
// sumVar of the variances of the islands. Particles are not independent, so se_within is too small.
func (r *Result) AddIslands(z []float64, sumVar float64) {
	n := float64(len(z))
	r.Islands = slices.Clone(z)
	r.Diagnose(DiagIslands, n)
	r.Diagnose(DiagSEWithin, math.Sqrt(max(sumVar, 0))/n)
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

// FlagFewIslands reports that there are fewer than four islands.
var FlagFewIslands = diag.NewFlag("few_islands",
	"Fewer than four groups (islands) give a rough error bar, one gives none: run more of them.")
