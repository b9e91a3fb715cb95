package rendertest

import (
	"math"
	"math/rand/v2"

	"logzlab/core/frame"
)

// TravelFrames returns the frames of a tempering run whose chains rarely pass rung bad of the ladder, with all fields
// of frame.Travel.
func TravelFrames(rungs, bad int) []*frame.Frame {
	fs := LadderRunOverlaps(rungs, bad)
	r := rand.New(rand.NewPCG(8, 9))
	last := fs[len(fs)-1]
	t := frame.Travel{Methods: []string{"rts", "ts"}, Chains: 100}
	visits, up := make([]float64, rungs), make([]float64, rungs)
	for range 32 {
		k, ends, trips := r.IntN(rungs), 0, int32(0)
		for range 1080 {
			to := k + r.IntN(5) - 2
			if to >= 0 && to < rungs && !(k <= bad && to > bad || k > bad && to <= bad) || r.Float64() < 0.3 {
				k = min(max(to, 0), rungs-1)
			}
			switch {
			case k == 0 && ends != 1:
				if ends == 2 {
					trips++
				}
				ends = 1
			case k == rungs-1 && ends == 1:
				ends = 2
			}
			if ends > 0 {
				visits[k]++
			}
			if ends == 1 {
				up[k]++
			}
		}
		t.Trips = append(t.Trips, trips)
		t.Total += 3 * int(trips)
	}
	for k := range visits {
		t.FractionUp = append(t.FractionUp, up[k]/visits[k])
		t.Visits = append(t.Visits, last.Ladders[len(last.Ladders)-1].Occupancy[k]*math.Exp(0.12*r.NormFloat64()))
	}
	last.Travels = []frame.Travel{t}
	return fs
}

// GuessFrames returns the frames of a run whose guesses of log Z converge to the exact curve.
func GuessFrames(method string, rungs, rounds int, shares bool) []*frame.Frame {
	fs := LadderRun(rungs, rungs/2)
	r := rand.New(rand.NewPCG(12, 9))
	for _, f := range fs {
		if f.Method == "rts" {
			f.Method = method
		}
	}
	last := fs[len(fs)-1]
	for i := range last.Curves {
		last.Curves[i].Method = method
	}
	for i := range last.Ladders {
		last.Ladders[i].Method = method
	}
	l := &last.Ladders[len(last.Ladders)-1]
	for g := range rounds {
		done := 1 - math.Exp(-3.2*float64(g)/float64(max(rounds-1, 1)))
		guess := frame.Guess{Sweeps: 50 * float64(g+1)}
		sum := 0.0
		for k, z := range l.Exact {
			guess.LogZ = append(guess.LogZ, l.Exact[0]+(z-l.Exact[0])*done+
				0.02*(1.1-done)*r.NormFloat64()*math.Abs(z-l.Exact[0]))
			c := -12 * (1 - done) * math.Pow(float64(k)/float64(rungs-1), 0.7)
			guess.LogC, sum = append(guess.LogC, c+0.03*r.NormFloat64()), sum+math.Exp(c)
		}
		for k := range guess.LogC {
			guess.LogC[k] -= math.Log(sum)
		}
		if !shares {
			guess.LogC = nil
		}
		l.Guesses = append(l.Guesses, guess)
	}
	return fs
}

// AdaptiveGuesses returns guesses of two adaptive methods, one faster than the other.
func AdaptiveGuesses() []*frame.Frame {
	fs, other := GuessFrames("wl", 24, 30, false), GuessFrames("sams", 24, 18, false)
	last, from := fs[len(fs)-1], other[len(other)-1]
	last.Ladders, last.Curves = append(last.Ladders, from.Ladders...), append(last.Curves, from.Curves...)
	return append(other[:len(other)-1], fs...)
}

// NineMethods returns histories of nine methods, seven of which share a run.
func NineMethods(final bool) []*frame.Frame {
	names := []string{"ais", "rts", "ts", "ti", "ti-rb", "bar", "mbar", "rts-stationary", "sams"}
	f := Histories(final, names...)
	for i := range f.Curves {
		c := &f.Curves[i]
		if i > 0 && i < 8 { // errors of readers of one run are correlated
			c.Run = 1
			for j := range c.Points {
				q, to := &c.Points[j], f.Curves[1].Points[j]
				q.LogZ, q.SE = to.LogZ+0.03*float64(i-4)+0.1*(q.LogZ-to.LogZ)*0.1, to.SE*(1+0.05*float64(i))
			}
		} else if i == 8 {
			c.Run = 8
		}
	}
	return []*frame.Frame{f}
}
