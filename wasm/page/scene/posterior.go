package scene

import (
	"fmt"
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

// flowAbout and flowTables belong to the scenes of a particle filter.
const flowAbout = "The newest filter's estimate of each hidden state given the data so far, thinned to 200 rows."

var flowTables = []Table{{[]string{"datum", "Value", "Mean", "Standard deviation", "ESS ratio"}, flowRows}}

// Views of the plane for models with parameters, and for time series.
var (
	_ = Register(Scene{
		Name: "posterior", Of: "plane", Key: 11, Label: "Posterior",
		Applies: func(s *state.Snapshot) bool { return s.Traits().Axes != models.Coordinates },
		Captions: Texts{{Text: "Each parameter goes from its prior (grey) to its posterior as β goes to 1. Dots: " +
			"particles. Beside each name: mean ± standard deviation."}},
		Legend: sizes,
		About:  newestFrames,
		Tables: []Table{{[]string{"Parameter", "beta", "Mean", "Standard deviation"}, parameterRows}},
	})
	_ = Register(Scene{
		Name: "series", Of: "plane", Key: 12, Label: "Series",
		Applies: isTimeSeries,
		opens:   func(*state.Snapshot) bool { return true },
		Captions: Texts{
			{"A particle filter estimates how volatile each day is. Orange: mean and middle 80 %; for returns, two " +
				"standard deviations. Blue: particles with descendants. Grey: dropped particles.",
				axes(models.Volatility)},
			{Text: "A particle filter estimates the hidden state. Orange: mean and middle 80 %. Blue: particles " +
				"with descendants. Grey: dropped particles. Black or white line: exact."},
		},
		About:  flowAbout,
		Tables: flowTables,
	})
)

// isTimeSeries reports whether the model is a time series for a particle filter.
func isTimeSeries(s *state.Snapshot) bool {
	a := s.Traits().Axes
	return a == models.Volatility || a == models.TwoVariances
}

// parameterRows returns the parameters of the newest frame of each lane.
func parameterRows(p *state.Snapshot) (rows [][]string) {
	for _, f := range p.Frames {
		if f.Parameters == nil || len(f.Beta) == 0 {
			continue
		}
		d, w := len(f.Parameters.Names), weights(f.LogW, f.N)
		for k, name := range f.Parameters.Names {
			mean, sd := weighted(f.N, func(i int) (x, share float64) { return float64(f.Parameters.X[i*d+k]), w[i] })
			rows = append(rows, []string{fmt.Sprintf("%s (%s %d–%d)", name, state.Label(f.Method), f.First+1, f.First+f.N),
				p.NumberOrDash(float64(f.Beta[0]), 4), p.NumberOrDash(mean, 3), p.NumberOrDash(sd, 3)})
		}
	}
	return rows
}

// flowRows returns the data of the newest particle filter.
func flowRows(p *state.Snapshot) (rows [][]string) {
	var q *frame.Flow
	for _, f := range p.Frames {
		if f.Flow != nil {
			q = f.Flow
		}
	}
	if q == nil {
		return nil
	}
	every := 1 + (len(q.Y)-1)/200
	for t := 0; t < len(q.Y); t += every {
		squares := 0.
		for _, w := range q.W[t*q.N : (t+1)*q.N] {
			squares += float64(float64(w) * float64(w))
		}
		mean, sd := weighted(q.N, func(i int) (x, share float64) {
			return float64(q.X[t*q.N+i]), float64(q.W[t*q.N+i])
		})
		rows = append(rows, []string{fmt.Sprint(q.First + t + 1), p.NumberOrDash(float64(q.Y[t]), 3), p.NumberOrDash(mean, 3),
			p.NumberOrDash(sd, 3), p.NumberOrDash(stats.ESSFraction(squares, float64(q.N)), 2)})
	}
	return rows
}

// weights returns the weights of n rows, normalised to sum 1; equal ones if there are none.
func weights(logW []float32, n int) []float64 {
	w, top, sum := make([]float64, n), math.Inf(-1), 0.
	for _, x := range logW {
		top = max(top, float64(x))
	}
	for i := range w {
		if w[i] = 1; i < len(logW) && num.Finite(top) {
			w[i] = math.Exp(float64(logW[i]) - top)
		}
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// weighted returns the mean and standard deviation of n numbers x. value returns number i and its weight; the weights
// sum to 1.
func weighted(n int, value func(i int) (x, share float64)) (mean, sd float64) {
	for i := range n {
		x, w := value(i)
		mean += float64(w * x)
	}
	for i := range n {
		x, w := value(i)
		sd += float64(w * float64((x-mean)*(x-mean)))
	}
	return mean, math.Sqrt(sd)
}
