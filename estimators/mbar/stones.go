package mbar

import (
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/estimators"
)

// FitSteppingStone computes log Z along the ladder by stepping stones in both directions, forward in the first half of
// Z, backward in the second. It ignores start.
func FitSteppingStone(s *Samples, _ []float64, work *meter.Meter) (*Fit, error) {
	in := s.Sorted()
	f := newLadderFit(in)
	rungs, k := f.sampled(), len(f.Z)
	f.Z = make([]float64, 2*k)
	for r := range f.Parts {
		f.Parts[r] = make([]float64, 2*k)
	}
	work.Expect(float64(200 * len(s.Rung)))

	// carry computes log Z and the influences at rung to from rung from, by the samples of rung by.
	carry := func(way, from, to, by int) {
		up, down := in.weigh(by, to), in.weigh(by, from)
		f.Z[way+to] = f.Z[way+from] + up.rise - down.rise
		for r, row := range f.Parts {
			row[way+to] = row[way+from] + up.parts[r] - down.parts[r]
		}
	}
	last := len(rungs) - 1
	for i, at := range rungs {
		for _, way := range []int{0, k} {
			for below := at - 1; i == 0 && below >= 0; below-- {
				carry(way, at, below, at)
			}
			for above := at + 1; i == last && above < k; above++ {
				carry(way, at, above, at)
			}
		}
		if i < last {
			next := rungs[i+1]
			for to := at + 1; to <= next; to++ {
				carry(0, at, to, at)
				carry(k, at, to, next)
			}
			rise := float64((f.Z[next] - f.Z[at] + f.Z[k+next] - f.Z[k+at]) / 2)
			common := float64((in.accepted(at, next, -rise) + in.accepted(next, at, rise)) / 2)
			estimators.Fill(f.Overlap[at:next], common)
		}
		if err := work.Did(200 * f.N[at]); err != nil {
			return nil, err
		}
	}
	for _, x := range append(f.Parts, f.Z) { // log Z of the base is 0
		for _, way := range [][]float64{x[:k], x[k:]} {
			for at := k - 1; at >= 0; at-- {
				way[at] -= way[0]
			}
		}
	}
	return f, nil
}

// weighed is log Z of a rung minus log Z of another one, from samples of the latter, and the influence of rows.
type weighed struct {
	rise  float64
	parts []float64
}

// weigh weighs the samples of a rung under another one.
func (s *Sorted) weigh(rung, under int) weighed {
	w := s.logWeights(rung, under)
	out, n := weighed{num.LogMeanExp(w), make([]float64, s.rows)}, float64(len(w))
	for i, at := range s.Order[s.First[rung]:s.First[rung+1]] {
		out.parts[s.row[at]] += (num.Exp(w[i]-out.rise) - 1) / n
	}
	return out
}

// accepted returns the mean of min(1, weight e^shift) over the samples of a rung weighed under another one.
func (s *Sorted) accepted(rung, under int, shift float64) (mean float64) {
	w := s.logWeights(rung, under)
	for _, x := range w {
		mean += num.Exp(min(x+shift, 0)) / float64(len(w))
	}
	return mean
}

// logWeights returns log f_under(x) - log f_rung(x) for the samples x of a rung.
func (s *Sorted) logWeights(rung, under int) (w []float64) {
	for _, at := range s.Order[s.First[rung]:s.First[rung+1]] {
		logf := s.LogF[8*int(at)*s.all:]
		w = append(w, logf.At(under)-logf.At(rung))
	}
	return w
}
