package rts

import (
	"fmt"
	"math"

	"logzlab/estimators/papers"
)

// Fig4 measures the effect of the number of temperatures on each method that reads a tempering run.
var Fig4 = &papers.Experiment{
	Name:   "rts-fig4",
	About:  "The number of temperatures: errors of rts, ts, ti, ti-rb, mbar from 10,000 samples over 10 to 1,000 rungs.",
	Figure: "Figure 4 of the RTS paper (Carlson, Stinson, Pakman and Paninski)",
	File:   papers.Published, FileOptional: true, Data: papers.DigitsByColumns,
	Points: fig4Points, Judge: fig4Judge, Chart: papers.Lines,
	OtherModels: notPublished,
	Axes:        papers.Axes{Reach: 4, X: "temperatures", RMSE: true},
	Notes: []string{
		"Paths start from the rates of the pixels in the training digits, as in the paper, those of the published RBM " +
			"from the rates of the bundled digits, as its file has none.",
		"The paper's RBM of 500 hidden units is that of Salakhutdinov and Murray (2008). It may not be shipped: -model " +
			"takes it. The others are this lab's own; the one with 20 units is here because its log Z is exact.",
		"The paper drew 10,000 bootstrap samples from a run of 3 million; here each estimate is a run of its own, 100 " +
			"chains of 100 kept sweeps after the initial iterations, so its error includes how slowly chains mix.",
		"The paper averaged over 200 estimates, 20 of MBAR; here are 200 of each, and 400 where RTS with 1,000 rungs is " +
			"held against RTS with 100 on the paper's RBM.",
		"The error of TI with the trapezoid rule is 1.1 to 1.3 times that of RTS from 100 temperatures on, and hardly " +
			"grows faster. What grows is the error of TS.",
		"MBAR keeps a number for each sample and rung and solves for all rungs at once: beyond 100 rungs it is left out.",
	},
	Title: "How many temperatures?",
	Lead: "The same number of samples on ladders with more and more rungs: which estimators become worse when there " +
		"are few samples at each rung?",
	Alt: "For each RBM, log Z on the left and its root mean squared error on the right against the number of " +
		"temperatures, a line for each estimator; the solid level is exact, or annealing's estimate.",
	Live: [2]string{"v=1&model=rbm-pcd-20&start=rates&method=rts,ts,ti,ti-rb&rts.temperatures=1000&ts.temperatures=1000" +
		"&ti.temperatures=1000&ti-rb.temperatures=1000&rts.sweeps=100&ts.sweeps=100&ti.sweeps=100&ti-rb.sweeps=100" +
		"&view.scene=ladder", "Climb a ladder of 1,000 rungs"},
}

// maxRungsMBAR is the largest number of rungs at which MBAR is run.
const maxRungsMBAR = 100

// fig4Points returns a point for each RBM and number of rungs; all methods read the same runs.
func fig4Points(size papers.Size) (out []papers.Point) {
	rungs := []int{10, 20, 50, 100, 200, 500, 1000}
	run := tempering{chains: 100, kept: 100, burn: 20, initialRounds: 4, initialSweeps: 50}
	rbms := []papers.RBM{rbm20, rbm500, published}
	if size == papers.Small {
		rbms, rungs = rbms[:1], []int{4, 12}
		run = tempering{chains: 10, kept: 20, burn: 2, initialRounds: 1, initialSweeps: 5}
	}

	for _, m := range rbms {
		out = m.Reference(out, size)
		n := 200
		if size == papers.Small {
			n = 3
		}
		for _, run.rungs = range rungs {
			n := n
			if m.Panel == published.Panel && (run.rungs == maxRungsMBAR || run.rungs == rungs[len(rungs)-1]) {
				n *= 2
			}
			p := papers.Point{Panel: m.Panel, Series: "one run", At: float64(run.rungs),
				Cost: float64(n*run.chains*run.sweeps()) * m.Sweep}
			methods := "rts,ts,ti,ti-rb"
			p.Readers = []string{seriesRTS, seriesTS, seriesTI, seriesTIRB}
			if run.rungs <= maxRungsMBAR {
				methods, p.Readers = methods+",mbar", append(p.Readers, seriesMBAR)
				p.Cost += float64(n*run.chains*run.kept) * costMBAR
			}
			p.Link = run.link(m.Model, methods, n, "&ti.rule=trapezoid", "&ti-rb.rule=trapezoid")
			out = append(out, p)
		}
	}
	return out
}

// fig4Judge compares the errors at few and at many rungs.
func fig4Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		rowAt := func(name string, k int) []papers.Row { // the row at K = k
			for _, r := range papers.Series(rows, panel, name) {
				if r.At == float64(k) {
					return []papers.Row{r}
				}
			}
			return nil
		}
		rts := papers.Series(rows, panel, seriesRTS)
		if len(rts) < 2 {
			continue
		}

		// The smallest and the largest number of rungs, and a number that is enough for RTS.
		few, many := int(rts[0].At), int(rts[len(rts)-1].At)
		enough := min(maxRungsMBAR, many)
		add := func(f papers.Finding, ok bool) {
			out = papers.AppendFinding(panel, out, f, ok)
		}

		// RTS with more rungs than necessary.
		if many > enough {
			ratio, se := papers.CompareAtEqualCost(atCost(rowAt(seriesRTS, many), enough), rowAt(seriesRTS, enough), papers.ByRMS)
			add(papers.Finding{Paper: "more temperatures hardly affect RTS once there are enough.",
				Here: fmt.Sprintf("its RMSE at %d temperatures is %s times that at %d, and up to %g times, either way, counts as "+
					"nearly the same.", many, papers.FormatErrorRatio(ratio, se), enough, maxRatio),
			}.Within(math.Abs(ratio), math.Log(maxRatio), se, papers.UnitErrors), true)
		}

		// Other methods on the same ladder.
		add(closer(rowAt(seriesTIRB, few), rowAt(seriesRTS, few), rowAt(seriesTIRB, many), rowAt(seriesRTS, many)))
		for _, s := range []string{seriesTS, seriesTI} {
			add(unstable(s, rowAt(s, enough), rowAt(seriesRTS, enough), rowAt(s, many), rowAt(seriesRTS, many)))
		}
	}
	return out
}

// closer returns the finding that the errors of two lines are more similar with many temperatures than with few.
func closer(fewA, fewB, manyA, manyB []papers.Row) (papers.Finding, bool) {
	few, many, se, here := compareErrors(fewA, fewB, manyA, manyB)
	return papers.Finding{Paper: "TI-RB and RTS become more and more alike with more temperatures.", Here: here}.Below(
		math.Abs(many)-math.Abs(few), se, papers.UnitErrors), here != ""
}

// unstable returns the finding that the error of a series relative to that of RTS grows with the number of
// temperatures.
func unstable(series string, fewA, fewB, manyA, manyB []papers.Row) (papers.Finding, bool) {
	few, many, se, here := compareErrors(fewA, fewB, manyA, manyB)
	return papers.Finding{Paper: fmt.Sprintf("without Rao-Blackwellization, %s becomes unstable with many temperatures; "+
		"RTS does not.", series), Here: here}.Below(few-many, se, papers.UnitErrors), here != ""
}

// compareErrors returns log(error of A / error of B) with few and with many temperatures, the standard error of the
// difference of these logs, and a sentence with both; the sentence is "" if rows are missing.
func compareErrors(fewA, fewB, manyA, manyB []papers.Row) (few, many, se float64, here string) {
	if len(fewA) == 0 || len(fewB) == 0 || len(manyA) == 0 || fewA[0].At == manyA[0].At {
		return math.NaN(), math.NaN(), math.NaN(), ""
	}
	few, se1 := papers.CompareAtEqualCost(fewA, fewB, papers.ByRMS)
	many, se2 := papers.CompareAtEqualCost(manyA, manyB, papers.ByRMS)
	return few, many, math.Hypot(se1, se2), fmt.Sprintf("the RMSE of %s is %s times that of %s at %.0f temperatures and "+
		"%s times at %.0f.", fewA[0].Series, papers.FormatErrorRatio(few, se1), fewB[0].Series, fewA[0].At,
		papers.FormatErrorRatio(many, se2), manyA[0].At)
}
