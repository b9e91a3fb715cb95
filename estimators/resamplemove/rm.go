package resamplemove

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// RM is resample-move ([Gilks2001]; [ARM] Algorithm 1), with the same number R of particles at every stage. E[Zhat] =
// Z.
var RM = rmInfo("rm", "RM", "resampling", "Resample-move: particles grow unit by unit, are moved at every stage "+
	"and resampled where their weights are uneven; the mean weights multiply up to Z.", true,
	func(f *resampleMove) (estimators.Method, error) { return f.withOpinion(f.beginWithSamples(f)) })

// RMOptimal is resample-move with R_n particles at stage n, proportional to sqrt(v_n) ([ARM] Theorem 1). A pilot run
// estimates v_n.
var RMOptimal = rmInfo("rm-optimal", "RM-optimal", "planned",
	"Resample-move with more particles at stages where weights vary more: a short pilot run finds how many.", false,
	func(f *resampleMove) (estimators.Method, error) {
		f.pilot, f.maxGrowth = f.n > 1, max(maxOptimal, optimalRows/float64(f.Particles))
		f.maxGrowth = min(f.maxGrowth, max(1, float64(f.n-1)), max(1, (1<<estimators.IslandBits)/float64(f.Particles)))
		return f.withOpinion(f.beginWithSamples(&rmOptimal{f}))
	})

// rmInfo describes a variant of RM; wrap makes its run from a resampleMove. It is not inlined, as it fills package
// variables: see RATIONALE.md.
//
//go:noinline
func rmInfo(name, label, short, about string, unbiased bool, wrap func(*resampleMove) (estimators.Method,
	error)) estimators.Info {
	return estimators.Info{Name: name, Label: label, Short: short, About: about, Path: estimators.Sequential,
		Provenance: estimators.OnStages,
		Checks:     checks,
		Unbiased:   unbiased,
		Params: []spec.Param{
			paramParticles, paramIslands, paramMoves,
			estimators.FloatParam("ess", "0.7", 0, 1,
				"Ratio of effective sample size to particles below which particles are resampled."),
			estimators.ResampleParam, paramAbsent,
		},
		New: func(c estimators.Config) (estimators.Method, error) {
			f, err := newResampleMove(c, name)
			if err != nil {
				return nil, err
			}
			return wrap(f)
		}}
}

// rmOptimal is a pilot of resample-move followed by the run itself. The pilot has its own random numbers, so E[Zhat] =
// Z holds given the sizes that it sets.
type rmOptimal struct{ *resampleMove }

// pilotParticles returns the number of particles of an island of the pilot, for a run with r.
func pilotParticles(r int) int { return max(r/4, min(r, 10)) }

func (o *rmOptimal) Next(partials, states [][]byte) (*estimators.Round, error) {
	if o.pilot && partials != nil && o.from == o.n {
		o.pilotRecords = readIslands(partials)
		o.sizes = optimalSizes(o.pilotRecords, o.Particles)
		if n := float64(slices.Max(append(o.sizes, 0))); n > o.maxGrowth*float64(o.Particles) {
			return nil, problem.New("%s: by the pilot run a stage should have %.0f particles, which may take more memory "+
				"than was counted; use fewer particles, or rm", o.name, n)
		}
		o.pilot, o.from, o.known = false, 1, nil
		return o.nextStages(nil), nil
	}
	return o.resampleMove.Next(partials, states)
}

func (o *rmOptimal) Sweeps() float64 {
	if o.n == 1 {
		return 0
	}
	return o.resampleMove.Sweeps() * (1 + float64(pilotParticles(o.Particles))/float64(o.Particles))
}

// minShare is the smallest number of particles at a stage as a share of R. Theorem 1 assumes independent particles;
// with fewer of them resampling would lose all diversity.
const minShare = .1

// optimalSizes divides (N-1) R particles among stages in proportion to sqrt(v_n), with v_n the pilot's mean of vhat_n
// ([ARM] eq. 6). Each stage gets at least minShare R, and at least two. It returns nil, which means R at each stage, if
// no weight varies.
func optimalSizes(pilot []*island, r int) []int32 {
	n := len(pilot[0].Stages)
	root := roots(pilot, n+1)
	if !(slices.Max(root) > 0) {
		return nil
	}
	least := max(math.Ceil(num.Mul(minShare, float64(r))), min(2, float64(r)))
	sizes := make([]int32, n)
	total := float64(n * r)

	// Stages that would get less than the minimum get the minimum; the others share the remainder.
	for again := true; again; {
		again = false
		left, sum := total, 0.0
		for i, x := range root {
			if sizes[i] > 0 {
				left -= float64(sizes[i])
			} else {
				sum += x
			}
		}
		for i, x := range root {
			if sizes[i] == 0 && !(num.Mul(left, x) > num.Mul(least, sum)) {
				sizes[i], again = int32(least), true
			}
		}
		if again {
			continue
		}
		acc := 0.0
		for i, x := range root { // rounded so that the total stays exact
			if sizes[i] == 0 {
				before := math.Floor(num.Mul(left, acc)/sum + .5)
				acc += x
				sizes[i] = int32(min(math.Floor(num.Mul(left, acc)/sum+.5)-before, 1<<estimators.IslandBits))
			}
		}
	}
	return sizes
}
