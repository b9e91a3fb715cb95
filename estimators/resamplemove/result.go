package resamplemove

import (
	"strconv"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
)

func (f *resampleMove) Estimate(peeked [][]byte) []*estimators.Result {
	return estimators.SingleResult(f.estimate(peeked))
}

func (f *resampleMove) estimate(peeked [][]byte) *estimators.Result {
	known := f.known
	if more := readIslands(peeked); known == nil {
		known = furthest(more, min(f.Islands, 2))
	} else if len(more) == f.Islands {
		known = more
	}
	if len(known) == 0 {
		return nil
	}

	// The last stage that all islands have reached.
	reached := f.n
	for _, d := range known {
		reached = min(reached, 1+len(d.Stages))
	}
	res := estimators.NewIslandsResult(f.mean)
	res.Doing = "stage " + strconv.Itoa(reached) + " of " + strconv.Itoa(f.n)

	// Each stage, with its share of V_min.
	root, sum := roots(known, reached), 0.0
	for _, x := range root {
		sum += x
	}
	for n := 1; n <= reached; n++ {
		s := stageMean(known, n)
		s.LogZ, s.SE = f.combine(known, n)
		if n < reached && sum > 0 {
			s.Share = root[n-1] / sum
		}
		res.Stages = append(res.Stages, s)
	}

	// The work, including the pilot.
	for _, d := range append(f.pilotRecords[:len(f.pilotRecords):len(f.pilotRecords)], known...) {
		res.Sweeps += d.Sweeps
		res.Evaluations += d.Evals
	}
	if reached == f.n && !f.pilot {
		f.conclude(res, known, sum)
	}
	return res
}

// combine returns the estimate of log Z_n from islands and its standard error (nats): the log of the mean of Zhat if
// E[Zhat] = Z, else the mean of log Zhat.
func (f *resampleMove) combine(known []*island, n int) (z, se float64) {
	all := make([]float64, len(known))
	for i, d := range known {
		all[i] = d.logZ(n)
	}
	if !f.mean {
		w := stats.LogWeights(all)
		return w.LogMean, w.SE
	}
	moved := make([]float64, len(known))
	for i, d := range known {
		moved[i] = d.moved(n)
	}
	return estimators.MeanOfLogs(all, moved)
}

// conclude fills in the result of a complete run. The variance within a run is sum_n vhat_n / R_n; with the best R_n it
// would be V_min = (sum_n sqrt(v_n))^2 / sum_n R_n ([ARM] Theorem 1 and eq. 7), both over all islands. roots is the sum
// of sqrt(v_n).
func (f *resampleMove) conclude(res *estimators.Result, known []*island, roots float64) {
	if res.LogZ, res.SE = f.combine(known, f.n); res.SE > estimators.Rounding {
		res.SE = max(res.SE, 1/float64(len(known)*f.Particles)) // a part of the target with 1/N of the mass may be missing among N particles
	}

	// Sums over the stages of all islands.
	within, gammas, below, total, exhausted, ancestors := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	worst := 1.0
	z := make([]float64, len(known))
	for i, d := range known {
		z[i] = d.logZ(f.n)
		res.Climbed = append(res.Climbed, d.Climbed...)
		ancestors += d.Ancestors.Count()
		for j := range d.Stages {
			s := &d.Stages[j]
			g := s.gamma()
			within += s.Within
			gammas += g
			total += float64(s.Count)
			worst = min(worst, g)
			if g < max(f.Gamma, f.MinESS) {
				below++
			}
			if f.IMax > 0 && g < f.Gamma {
				exhausted++
			}
		}
	}

	// The spread between islands, and means over stages.
	steps := float64(len(known)) * float64(max(f.n-1, 1))
	res.AddIslands(z, within)
	if ancestors > 0 {
		res.Diagnose(estimators.DiagAncestors, ancestors/float64(len(known)))
	}
	if f.n > 1 {
		res.Diagnose(estimators.DiagGammaMean, gammas/steps)
		res.Diagnose(estimators.DiagGammaMin, worst)
		res.Diagnose(estimators.DiagStagesBelow, below/steps)
		res.Diagnose(estimators.DiagParticlesMean, total/steps)
		res.Diagnose(estimators.DiagVMin, num.Mul(roots, roots)/total)
	}
	if f.Gamma > 0 {
		res.Diagnose(estimators.DiagIMaxShare, exhausted/steps)
	}
}
