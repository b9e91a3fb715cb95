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

// Ancestors holds, for each row, the initial particle of its island that it descends from. Islands whose particles
// never move keep it: copies stay equal, so an island has as many independent particles as ancestors. Empty means not
// tracked.
type Ancestors []int32

// Valid reports whether the rows descend from n initial particles, or are not tracked.
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

// Descend records the earlier row that each row was copied from.
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

// Add appends n rows that do not descend from the others.
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

// IslandBits determines the slots of particles: the slots of island i begin at i << IslandBits.
const IslandBits = 22

// Purposes are the last three bits of the phase of a random-number address. The bits before them are the stage, and the
// top bit is set in a pilot run. The step is the sweep of a move; batch i of generated particles draws from a range of
// steps of its own.
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
		Means: "Independent groups of particles end far apart, so each misses part of the target.", Do: MoreParticles,
		Judge: JudgeNumber(DiagIslandsSD, func(sd float64) Finding {
			return Finding{Text: FormatAgainst(sd, 1, 2) + " nats", Needs: "≤ 1", OK: sd <= 1, Bad: sd > 5}
		})},
	{Name: "Bias",
		Means: "The log of a noisy Z is too low by about half its variance.", Do: MoreParticles,
		Judge: func(f Facts) (Finding, bool) {
			sd := f.Number(DiagIslandsSD)
			bias := sd * sd / 2
			return Finding{Value: bias, Text: FormatAgainst(bias, .1, 3) + " nats", Needs: "≤ 0.1", OK: bias <= .1}, num.NotNaN(sd)
		}},
	{Name: "Ancestors",
		Means: "Without moves copies stay equal: the particles of a group descend from only this many of the first " +
			"ones, and its effective sample sizes count copies.",
		Do: "Move particles (moves), or use more of them.",
		Judge: JudgeNumber(DiagAncestors, func(n float64) Finding {
			return Finding{Text: FormatAgainst(n, minAncestors, 0), Needs: "≥ 10", OK: n >= minAncestors}
		})},
}

// minAncestors is the number of independent particles from which an island is trusted.
const minAncestors = 10

// MoreParticles is the advice of checks of methods with particles.
const MoreParticles = "Use more particles, or more moves at every stage."

// NewIslandsResult returns a result of islands without numbers, which come when all islands are done. The log of the
// mean of their Zhat is biased down for few particles. If means is set, the estimate is the mean of log Zhat instead,
// off by O(1/R) in a direction that depends on the model.
func NewIslandsResult(means bool) *Result {
	nan := math.NaN()
	r := &Result{LogZ: nan, SE: nan, SEMethod: SEIslands, Bias: "down", Lower: nan, Upper: nan}
	if means {
		r.Bias = "either"
	}
	r.Flag(FlagNoSandwich)
	return r
}

// AddIslands records the spread of log Zhat over independent islands, and se_within, the standard error if the
// particles within an island were independent, from within, the sum of the islands' variances. se_within is too small,
// as they are not independent.
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

// FlagFewIslands reports that there are fewer than four islands.
var FlagFewIslands = diag.NewFlag("few_islands",
	"Fewer than four groups (islands) give a rough error bar, one gives none: run more of them.")
