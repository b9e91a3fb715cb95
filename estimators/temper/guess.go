package temper

import (
	"iter"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
)

// The first guess of log Zhat is 0 at every rung (init = ones), the weights of an annealing pass (ais), or the weights
// that islands of the run's chains adapt by the rule of wl or sams.

// guessRules are the rules of adaptive weights by value of init, given the numbers of rungs and sweeps. A method with a
// rule of its own needs no entry, unless init is to offer it.
var guessRules = map[string]func(rungs, sweeps int) gainRule{WL.Name: wangLandau(0, 1), SAMS.Name: selfAdjusted}

// annealLane is one AIS pass over the ladder, with initAISSweeps sweeps at each rung. Each chain has drawn its start
// rung beforehand, and keeps the state that it has there. The partial is log w of each chain at every rung.
func (r *run) annealLane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		first, n := r.Span(u.Lane)
		v := estimators.NewView(r.Config, r.ladder, u, r.Lanes)
		k1 := len(r.ladder) - 1
		v.Frame.Steps = initAISSweeps * k1
		u.LastStep = v.Frame.Steps

		// Draw the rung of every chain, at which its state is kept.
		at := r.At(estimators.PhaseForward, first)
		start := make([]int32, n)
		r.draw(at, start)
		kept := make([][]byte, n)
		keep := func(k int) {
			for i := range start {
				if int(start[i]) == k {
					var w wire.Writer
					v.Pop.Append(i, &w)
					w.Int(k)
					kept[i] = w.B
				}
			}
		}

		// From draws of the base, weights grow rung by rung as in AIS.
		v.Pop.Draw(r.At(estimators.PhaseStart, first))
		keep(0)
		record := make([][]float64, n)
		for i := range record {
			record[i] = make([]float64, len(r.ladder))
		}
		pairs := make([]float64, 2*n)
		for k := 1; k <= k1; k++ {
			v.Pop.LogF(k-1, 2, pairs)
			for i := range record {
				v.LogW[i] += anneal.WeightStep(pairs[2*i], pairs[2*i+1])
				record[i][k] = v.LogW[i]
			}
			estimators.Fill(v.Rung, int32(k))
			for t := 0; t < initAISSweeps; t++ {
				at.Step++
				v.Pop.Move(at, v.Rung, false)
				if !yield(v.Show(int(at.Step))) {
					return
				}
			}
			keep(k)
		}

		var s, p wire.Writer
		for i := range record {
			s.B = append(s.B, kept[i]...)
			p.Floats(record[i])
		}
		u.State, u.Partial = s.B, p.B
	}
}

// draw sets the first rung of every row of a lane, uniform over the rungs that its chain can be at.
func (r *run) draw(at rng.At, rung []int32) {
	for i := range rung {
		s := at.Row(i)
		first, n := r.span(int(at.Slot) + i)
		rung[i] = int32(first + s.Intn(n))
	}
}

// guessFromWeights sets log Zhat_k to the log-mean-exp of the weights at rung k.
func (r *run) guessFromWeights(partials [][]byte) {
	sums := make([]num.LSE, len(r.ladder))
	for lane, p := range partials {
		in := wire.Reader{B: p}
		for _, n := r.Span(lane); n > 0; n-- {
			for k, w := range in.Floats() {
				sums[k].Add(w)
			}
		}
		estimators.MustDecode(&in)
	}
	for k := range sums {
		r.zhat[k] = sums[k].Value() - num.Log(float64(r.N))
	}
	r.guess(nil)
}

// guessFromIslands sets log Zhat from the islands, and distributes the states of their chains over the lanes.
func (r *run) guessFromIslands(partials, states [][]byte) [][]byte {
	islands := r.adapt.read(partials)
	r.zhat = mean(islands, zhatOf)
	r.guesses = guesses(islands, r.Model.LogZ0())
	rows := r.adapt.rows(states)
	out := make([][]byte, r.Count())
	for lane := range out {
		first, n := r.Span(lane)
		out[lane] = slices.Concat(rows[first : first+n]...)
	}
	return out
}

// guess stores log Zhat for pictures.
func (r *run) guess(logC []float64) {
	g := estimators.Guess{Sweeps: int(r.total) / r.N, LogZ: slices.Clone(r.zhat), LogC: logC}
	for k := range g.LogZ {
		g.LogZ[k] += r.Model.LogZ0()
	}
	r.guesses = append(r.guesses, g)
}

// provisional returns log Zhat as the estimate, for use between rounds.
func (r *run) provisional(zhat []float64, guesses []estimators.Guess) []*estimators.Result {
	out := make([]*estimators.Result, len(r.Readers))
	nan := math.NaN()
	for i := range out {
		out[i] = &estimators.Result{LogZ: zhat[len(zhat)-1] + r.Model.LogZ0(), Guesses: guesses, SE: nan, Lower: nan,
			Upper:    nan,
			SEMethod: estimators.SENone, Bias: "either", Sweeps: r.total, Evaluations: r.evaluations()}
		if r.maxDev > 0 {
			out[i].Diagnose(estimators.DiagInitialMaxDev, r.maxDev)
		}
	}
	return out
}
