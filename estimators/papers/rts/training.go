package rts

import (
	"context"
	"fmt"
	"math"
	"slices"

	"logzlab/core/cpu"
	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/num/stats"
	"logzlab/estimators/papers"
	"logzlab/estimators/training"
)

// Fig5 tracks the log-likelihood of RBMs during training.
var Fig5 = &papers.Experiment{
	Name: "rts-fig5",
	About: "RBMs in training: the likelihood followed by tempering against checks by AIS, and three gradients; " +
		"-data takes the dna rows.",
	Figure: "Figure 5 of the RTS paper (Carlson, Stinson, Pakman and Paninski)",
	File:   dnaFile, FileOptional: true, Rows: true,
	Points: fig5Points, Judge: fig5Judge, Chart: trainingChart,
	OtherModels: func(panel string) bool { return panel != panelPaper },
	More:        trained{},
	Notes: []string{
		"The paper shows dna with 500 hidden units, 8,000 updates of a preconditioned gradient after pretraining by CD-1, " +
			"2,000 chains of 25 sweeps and 100 rungs whose shares are as exp(2 beta). The last panel has these sizes and " +
			"shares with -full, in two to four hours a run; here are 250 chains and 4,000 updates, in one run. Its gradient " +
			"is centred, from small weights. The other dna panels have 100 hidden units, 4,000 updates (2,000 of 300 rows), " +
			"400 chains of 5 sweeps and 30 rungs, shares as exp(beta). The digits, with 20 hidden units and 1,000 updates, " +
			"are this lab's addition.",
		"A row is the mean log-likelihood of the rows for validation, as followed, over runs with seeds 1, 2, ...; a tenth " +
			"of the rows is for validation. The lines of the chart are those of seed 1.",
		"AIS has 100 chains at each check, over 10,000 temperatures for the paper's 500 hidden units, as in the paper, and " +
			"over 1,000 for the other RBMs.",
		"The paper does not compare gradients by likelihood. It takes samples from tempering because they mix better. Here " +
			"they are compared by the rows that train, as these are what a gradient makes likelier.",
		"The dna rows are no part of this lab: -data takes the 2,000 training rows of dna of the LIBSVM data sets, the " +
			"file that the links name. Without it the digits stand alone.",
	},
	Title: "Is the RBM getting better?",
	Lead: "The likelihood of an RBM in training needs log Z, which changes at every update. Here tempering chains " +
		"that persist from update to update track it, and annealing checks it from time to time.",
	Alt: "For each data set, on the left the mean log-likelihood of rows that train the RBM and of others, against " +
		"updates, with checks by annealing on the lines; on the right that of validation for three gradients.",
	Live: [2]string{"v=1&train=digits&rate=0.03&updates=1000&check=200", "Train an RBM in this browser"},
}

// dnaFile has the training rows of dna of the LIBSVM data sets, gzipped.
const dnaFile = "file:3471f97891f7"

const (
	seriesTracked = "RTS gradient"
	seriesPCD     = "PCD"
	seriesCD      = "CD-1"
)

// gradients are the series of a panel, with the name of the gradient in links.
var gradients = []struct{ series, name string }{{seriesTracked, training.RTS}, {seriesPCD, training.PCD},
	{seriesCD, training.CD}}

const (
	panelFew   = "dna, 300 rows"
	panelPaper = "dna, 500 hidden units"
)

// fig5Points returns a point for each data set and gradient.
func fig5Points(size papers.Size) (out []papers.Point) {
	panel := func(name, link string, lines, updates, seeds int, secondsPerUpdate float64) {
		for _, g := range gradients[:lines] {
			p := papers.Point{Panel: name, Series: g.series, Step: fmt.Sprintf("%d updates", updates), At: float64(updates),
				Cost: secondsPerUpdate * float64(updates*seeds), Make: train(seeds),
				Link: fmt.Sprintf("v=1&train=%s&start=rates&updates=%d&gradient=%s&check=%d", link, updates, g.name, updates/5)}
			if size == papers.Small {
				p.Link += "&chains=20&sweeps=1&temperatures=5&batch=20"
			}
			out = append(out, p)
		}
	}
	if size == papers.Small {
		panel("bars and stripes", "bars&hidden=4&rate=0.1", len(gradients), 50, 2, 1e-4)
		return out
	}
	seeds := map[papers.Size]int{papers.Normal: 3, papers.Full: 10}[size]
	panel("digits, 20 hidden units", "digits&hidden=20&rate=0.03", len(gradients), 1000, seeds, .03)
	panel("dna, 100 hidden units", dnaFile+"&hidden=100&rate=0.3", len(gradients), 4000, seeds, .025)
	panel(panelFew, dnaFile+"&rows=300&hidden=100&rate=0.1&decay=0", 1, 2000, seeds, .025)
	chains, updates, runs, second := 250, 4000, 1, .11
	if size == papers.Full {
		chains, updates, runs, second = 2000, 8000, 3, .9
	}
	link := fmt.Sprintf("%s&hidden=500&rate=0.1&chains=%d&sweeps=25&temperatures=100", dnaFile, chains)
	panel(panelPaper, link+"&tilt=2&alpha=0.2&annealing=10000", 1, updates, runs, second)
	return out
}

// train returns a function for Point.Make that trains the RBM of the link with several seeds, and makes a row for each
// check.
func train(seeds int) func(context.Context, papers.Point, papers.Load, func(float64)) ([]papers.Row, error) {
	return func(ctx context.Context, p papers.Point, load papers.Load, progress func(float64)) ([]papers.Row, error) {
		before := cpu.Seconds()
		l, err := training.ParseLink(p.Link)
		if err != nil {
			return nil, err
		}
		bits, m, err := trainingRows(l.Data, load)
		if err != nil {
			return nil, err
		}

		// Train with each seed.
		var runs []*training.Run
		for seed := range seeds {
			l.Seed = uint32(seed + 1)
			run, err := l.Open(bits, m)
			for finished := false; !finished && err == nil; {
				finished, err = run.Round(func(f *frame.Frame) bool {
					progress((float64(seed) + float64(f.Step)/float64(f.Steps)) / float64(seeds))
					return ctx.Err() == nil
				})
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
			}
			if err != nil {
				return nil, err
			}
			runs = append(runs, run)
		}

		// A row for each check, with equal shares of the time.
		var rows []papers.Row
		for i := range runs[0].Checks {
			rows = append(rows, checkRow(p, runs, i))
		}
		for i := range rows {
			rows[i].Seconds = (cpu.Seconds() - before) / float64(seeds*len(rows))
		}
		return rows, nil
	}
}

// trainingRows returns the training data of a given name: rows x m bits, and the number m of visible units.
func trainingRows(name string, load papers.Load) (bits []uint8, m int, err error) {
	switch name {
	case training.Stripes:
		bits, m = training.Bars(training.StripesRows)
	case training.Digits:
		var digits [][]uint8
		digits, err = papers.Digits(load)
		bits, m = slices.Concat(digits...), 28*28
	default:
		var b []byte
		if b, err = load(name); err == nil {
			bits, m, _, err = modelfile.ReadBits(b, math.NaN(), nil)
		}
	}
	return bits, m, err
}

// checkRow returns the row of check i with the results of all runs: its mean is the tracked validation log-likelihood,
// and its known value is that by AIS.
func checkRow(p papers.Point, runs []*training.Run, i int) papers.Row {
	nan := math.NaN()
	c := runs[0].Checks[i]
	p.At, p.Step = float64(c.Update), fmt.Sprintf("update %d", c.Update)
	row := papers.Row{Point: p, Model: "rbm", Method: papers.LinkValue(p.Link, "gradient"), Params: papers.LinkParams(p.Link, ""),
		N:          len(runs),
		LogMeanExp: nan, Skewness: nan, Kurtosis: nan, Paired: nan, Lower: nan, Upper: nan, Source: "AIS"}
	more := trained{Log: &runs[0].Log}
	var tracked, byAIS stats.Welford
	for _, r := range runs {
		c := r.Checks[i]
		at, _ := r.At(c.Update)
		tracked.Add(at.Validation)
		byAIS.Add(c.ValidateMean - c.LogZ)
		more.Checks = append(more.Checks, checked{at.LogZ - c.LogZ, math.Hypot(at.SE, c.SE), c.TrainMean - c.LogZ})
		row.Estimates = append(row.Estimates, c.ValidateMean-c.LogZ)
	}
	row.Mean, row.SD, row.SE = tracked.Mean, math.Sqrt(tracked.Var()), math.Sqrt(tracked.Var()/float64(len(runs)))
	row.Known, row.More = byAIS.Mean, more
	return row
}

// checked is the result of a check of one run: Off, the tracked log Z minus log Z by AIS; SE, the standard error of
// Off; and Train, the mean log-likelihood of the training rows by AIS.
type checked struct{ Off, SE, Train float64 }

// trained is the additional data of a row (Row.More).
type trained struct {
	Log    *training.Log // log of the first run, which all rows of a training share
	Checks []checked     // the check of this row, for each run
}

// trainedData returns the additional data of a row.
func trainedData(r *papers.Row) trained {
	t, _ := r.More.(trained)
	return t
}

// fig5Judge compares the tracked log Z with AIS, and the gradients with each other.
func fig5Judge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		tracked := papers.Series(rows, panel, seriesTracked)
		if len(tracked) == 0 {
			continue
		}
		add := func(f papers.Finding) {
			out = papers.AppendFinding(panel, out, f, true)
		}
		add(followsAIS(tracked))
		if panel == panelFew {
			add(overTrains(tracked))
			continue
		}
		for _, other := range []string{seriesPCD, seriesCD} {
			if last := papers.Series(rows, panel, other); len(last) == len(tracked) {
				add(asLikely(tracked[len(tracked)-1], last[len(last)-1]))
			}
		}
	}
	return out
}

// maxTrackingGap is the largest difference of two log-likelihoods, in nats, that is not visible in a figure like the
// paper's.
const maxTrackingGap = .25

// followsAIS returns the finding that the tracked log Z agrees with AIS at all checks.
func followsAIS(rows []papers.Row) papers.Finding {
	sumSquares, sumVariances, n, within := 0.0, 0.0, 0, 0
	for _, r := range rows {
		for _, c := range trainedData(&r).Checks {
			sumSquares += c.Off * c.Off
			sumVariances += c.SE * c.SE
			n++
			if math.Abs(c.Off) < papers.Sigmas*c.SE {
				within++
			}
		}
	}
	rms := math.Sqrt(sumSquares / float64(n))
	return papers.Finding{Paper: "the likelihood that is followed is that of AIS at every check.", Here: fmt.Sprintf(
		"%.3f nats apart (rms of %d checks, by bars %.3f), %d of them within %d standard errors. Up to %g is what "+
			"we read as the same in a picture like the paper's.",
		rms, n, math.Sqrt(sumVariances/float64(n)), within, papers.Sigmas, maxTrackingGap),
	}.Within(rms, maxTrackingGap, rms/math.Sqrt(2*float64(n)), "nats")
}

// overTrains returns the finding that the validation likelihood falls after its maximum while training continues.
func overTrains(rows []papers.Row) papers.Finding {
	last := rows[len(rows)-1]
	best := slices.MaxFunc(rows, func(a, b papers.Row) int { return int(math.Copysign(1, a.Known-b.Known)) })
	var fall stats.Welford
	for i := range last.Estimates {
		fall.Add(last.Estimates[i] - best.Estimates[i])
	}
	return papers.Finding{
		Paper: "the likelihood of validation tells when to stop, before the RBM learns its rows by heart.",
		Here:  fmt.Sprintf("by AIS it is %.2f after %.0f updates and %.2f at the end.", best.Known, best.At, last.Known),
	}.Below(fall.Mean, math.Sqrt(fall.Var()/float64(len(last.Estimates))), "nats")
}

// asLikely returns the finding that the training likelihood of the final RBMs of a is at least that of b, up to
// maxTrackingGap. It compares the runs seed by seed.
func asLikely(a, b papers.Row) papers.Finding {
	var mean, difference stats.Welford
	checksA, checksB := trainedData(&a).Checks, trainedData(&b).Checks
	for i := range checksA {
		mean.Add(checksA[i].Train)
		difference.Add(checksB[i].Train - checksA[i].Train)
	}
	se := math.Sqrt(difference.Var() / float64(len(checksA)))
	return papers.Finding{Paper: "samples by tempering train as well as those of " + b.Series + ", or better.",
		Here: fmt.Sprintf("%.2f against %.2f nats by AIS, %+.2f +- %.2f. Up to %g less counts as the same.", mean.Mean,
			mean.Mean+difference.Mean, -difference.Mean, se, maxTrackingGap)}.Within(difference.Mean, maxTrackingGap, se, "nats")
}
