package costs

import (
	"fmt"
	"math"
	"strings"

	"logzlab/core/num"
	"logzlab/estimators/papers"
	"logzlab/models/rbm"
)

// Start measures the errors of annealing and of tempering of RBMs with each base of the path, at equal numbers of
// sweeps.
var Start = &papers.Experiment{
	Name: "start",
	About: "RBMs annealed and tempered from each base that start names, at equal sweeps: all bundled " +
		"ones; -model takes the published one.",
	Figure:       "Where paths start",
	File:         papers.Published,
	FileOptional: true, Data: papers.DigitsByColumns,
	By:     "this lab",
	Points: startPoints, Judge: startJudge, Chart: errorChart,
	Axes: papers.Axes{RMSE: true},
	Notes: []string{
		"Each row is made of 100 runs of 20 chains, of some 307 sweeps, 200 on RBMs of 500 hidden units. Ladders are " +
			"those of the defaults, linear in annealing, which suits no base: a better schedule makes the differences smaller.",
		"The sweeps of annealing's chains on the way back are not counted: they give an upper bound. Those with which the " +
			"base is fitted are not counted either; a column of the table has all.",
		"Of RBMs with 20 hidden units one is tempered: the check of such runs by exact samples takes many times as " +
			"long as the runs.",
		"Where log Z is not known, auto at a wanted error of 0.04 nat stands for it.",
		"In the run of 100 seeds a fitted base has a larger error by annealing on four RBMs, cd25-20, pcd-20, " +
			"pcd-100 and pcd-500, although perfect moves would make Var(log w) smaller: 0.30, 0.30, 0.50 and 0.82, from " +
			"clipped rates 0.71, 0.73, 1.1 and 2.7. There 20 chains miss modes, so log Z is too low: by 1.5, 0.7, 1.5 and " +
			"3.7 nats in the mean, from clipped rates by 1.2, 0.3, 0.8 and 2.7. A base that is nearer to the modes that " +
			"were found has chains that leave them less. On plain-cd25-20 annealing from uniform misses fewer modes than " +
			"from clipped rates, and is 1.1 nats too low instead of 2.2.",
		"The published RBM is that of Salakhutdinov and Murray (2008). It has no rates, so those of the bundled digits " +
			"stand for them.",
	},
	Title: "Where paths start",
	Lead: "A path to an RBM starts at independent pixels. Which rates should they have? The same RBMs, " +
		"sweeps and ladders, from six bases.",
	Alt: "For each RBM a row for each method and base: a dot at the root mean squared error of one run, with its " +
		"error bar, on a logarithmic axis.",
	Live: [2]string{"v=1&model=rbm-cd25-20&start=smoothed&method=ais,rts&ais.chains=20&rts.chains=20",
		"Anneal and temper from smoothed rates"},
}

// startSeries returns the name of the series of a method and a base.
func startSeries(method, start string) string { return strings.ToUpper(method) + ", " + start }

// startPoints returns the points of both methods with each base on all RBMs.
func startPoints(size papers.Size) (out []papers.Point) {
	rbms := []papers.RBM{{Model: "rbm-cd25-500"}, {Model: "rbm-cd25-20"}, {Model: "rbm-pcd-100"},
		{Model: "rbm-cd1-20"},
		{Panel: "published RBM", Model: papers.Published + "&data=" + papers.PublishedRows}, {Model: "rbm-pcd-20"},
		{Model: "rbm-pcd-500"}, {Model: "rbm-cd1-500"}, {Model: "rbm-plain-cd25-20"}, {Model: "rbm-plain-cd1-20"},
		{Model: "rbm-plain-pcd-20"}}
	n := map[papers.Size]int{papers.Small: 3, papers.Normal: 100, papers.Full: 1000}[size]
	if size == papers.Small {
		rbms = rbms[1:2]
	}
	for _, m := range rbms {
		name := strings.TrimPrefix(m.Model, "rbm-")
		if m.Panel == "" {
			m.Panel = name
		}
		m.Exact = strings.HasSuffix(name, "-20")

		// Numbers of rungs and sweeps, by the size of the RBM.
		sweep, rungs, sweeps := 1e-5, 308, 140
		if !m.Exact && name != "pcd-100" {
			sweep, rungs, sweeps = 2e-5, 200, 40
		}
		if size == papers.Small {
			rungs, sweeps = 10, 10
		}

		// A reference for RBMs without exact log Z.
		if !m.Exact {
			out = append(out, papers.ByAuto(m.Panel, m.Model))
		}

		// Annealing and tempering with each base.
		for _, start := range rbm.Starts {
			addPoint := func(method, params string) {
				link := fmt.Sprintf("v=1&model=%s&start=%s&method=%s&%[3]s.chains=20", m.Model, start, method)
				for _, p := range strings.Fields(params) {
					link += "&" + method + "." + p
				}
				out = append(out, papers.Point{Panel: m.Panel, Series: startSeries(method, start),
					Cost: 20 * sweep * float64(n*rungs), Link: fmt.Sprintf("%s&replicates=%d", link, n)})
			}
			addPoint("ais", fmt.Sprintf("temperatures=%d schedule=linear", rungs))
			if m.Exact && name != "cd25-20" {
				continue // checking its exact samples takes many times as long as the run
			}
			addPoint("rts", fmt.Sprintf("temperatures=30 init_rounds=3 init_sweeps=20 sweeps=%d schedule=linear", sweeps))
		}
	}
	return out
}

// startJudge compares the error with each base with the error with clipped rates, in the mean over the RBMs of the log
// of their ratio. There is a finding for each method and base.
func startJudge(rows []papers.Row) (out []papers.Finding) {
	for _, method := range []string{"ais", "rts"} {
		for _, start := range rbm.Starts {
			if start == rbm.StartClipped {
				continue
			}

			// Sum over the RBMs, and count those with a significantly smaller and with a significantly larger error.
			n, smaller, larger := 0, 0, 0
			mean, variance := 0., 0.
			for _, panel := range papers.Panels(rows) {
				x := papers.Series(rows, panel, startSeries(method, start))
				base := papers.Series(rows, panel, startSeries(method, rbm.StartClipped))
				if len(x) == 0 || len(base) == 0 {
					continue
				}
				size, v := papers.ByRMS(&x[0])
				clipped, w := papers.ByRMS(&base[0])
				ratio := math.Log(size / clipped)
				if !num.NotNaN(ratio) {
					continue
				}
				n, mean, variance = n+1, mean+ratio, variance+v+w
				switch papers.Below(ratio, math.Sqrt(v+w)) {
				case papers.Agrees:
					smaller++
				case papers.Contradicts:
					larger++
				}
			}
			if n == 0 {
				continue
			}

			// The claim is about their mean.
			mean, se := mean/float64(n), math.Sqrt(variance)/float64(n)
			better, worse, sign := start, rbm.StartClipped, 1.
			if start == rbm.StartBiases || start == rbm.StartUniform { // these bases are far from any target, so the claim is that clipped rates are better
				better, worse, sign = worse, better, -1
			}
			out = append(out, papers.Finding{Paper: fmt.Sprintf("%s has a smaller error from %s than from %s.",
				strings.ToUpper(method), better, worse),
				Here: fmt.Sprintf("from %s it is %s times that from clipped, in the mean over the logarithms of %d RBMs; "+
					"on %d of them it is smaller and on %d larger by more than %d standard errors.", start,
					papers.FormatErrorRatio(mean, se), n, smaller, larger, papers.Sigmas),
			}.Below(sign*mean, se, papers.UnitErrors))
		}
	}
	return out
}
