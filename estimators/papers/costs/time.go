package costs

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/num/stats"
	"logzlab/core/schedule"
	"logzlab/estimators/papers"
)

// TimeTo measures the processor seconds that each method needs to an error of log Z of 0.1 nats.
var TimeTo = &papers.Experiment{
	Name: "time-to-0.1",
	About: "Processor seconds until the error of log Z is 0.1 and 0.05 nat: auto, annealing by each schedule, " +
		"tempering, particles, and annealing in NumPy.",
	Figure:       "What a tenth of a nat costs",
	File:         papers.Published,
	FileOptional: true, Data: papers.DigitsByColumns,
	By:     "this lab",
	Points: timeToPoints, Judge: timeToJudge, Chart: timeChart,
	Axes: papers.Axes{RMSE: true, Needs: true},
	Notes: []string{
		"Rows of which something is claimed are made of 120 estimates of one size, 60 in NumPy and 600 of the mixture, as " +
			"the differences are small and errors of errors large; other rows are made of a third of that. From their root " +
			"mean squared error e in t seconds follow the seconds until it is 0.1, t (e/0.1)^2, as if errors fell with the " +
			"root of the time: right where an error is chance, too kind where a part of the target is missed.",
		"Seconds are those of one core. A run shares its work among all cores, NumPy does not.",
		"auto aims at an error bar of 0.1: its errors are 0.10 to 0.12 on the RBMs and 0.04 on the mixture. Its time " +
			"has the pilot and the second opinion in it, that of each learned schedule its pilot.",
		"A fifth of NumPy's time was the goal for 500 hidden units, and is claimed of them only. On 100 hidden units " +
			"chains mix so slowly that auto takes 1.06 million sweeps, and 0.16 million on 500. On the published RBM log " +
			"Z is bounded from above only by rows that the user gives, and they may lack modes; so auto also forms the " +
			"RBM unit by unit, which is 2.6 of its 3.4 million sweeps.",
		"The time of annealing's chains on the way back is not counted: they give an upper bound.",
		"varopt is the best schedule for perfect moves. Where fewer than half of its chains count, moves lag, and " +
			"nothing is claimed of varopt against linear steps.",
		"RBMs are annealed and tempered from the rates of the pixels in the training digits, the published one from " +
			"those of the bundled digits; auto finds its own base, and NumPy has rates within 0.05 and 0.95.",
		"The published RBM is that of Salakhutdinov and Murray (2008), whose log Z they give as 451.28. It may not be " +
			"shipped: -model takes it.",
		"NumPy anneals 100 chains at once by the schedule sm08, 14,500 steps, in single precision; each 20 chains are an " +
			"estimate.",
	},
	Title: "What a tenth of a nat costs",
	Lead:  "How many processor seconds does each method need until the error of log Z is a tenth of a nat?",
	Alt: "For each model a row for each method: a dot at the processor seconds to an error of 0.1 nat, with its error " +
		"bar, a ring at those to 0.05, on a logarithmic axis.",
	Live: [2]string{"v=1&model=rbm-cd25-500&method=auto", "Get log Z to 0.1 nat"},
}

const (
	pilotSweeps    = 29800 // number of sweeps of a pilot
	sweepCostRatio = .25   // mean time of a sweep in this experiment relative to papers.RBM.Sweep, that of a tempering sweep
)

const (
	seriesAuto  = "auto"
	seriesNumPy = "AIS in NumPy, sm08"
	seriesMBAR  = "MBAR"
)

// annealedBy are the schedules of the annealing series.
var annealedBy = []string{"linear", "power:5", "geometric:0.0001", "sigmoid:4", "sm08", "gms13", "varopt", "friction",
	"adaptive"}

// claimed are the series that timeToJudge compares.
var claimed = []string{seriesAuto, seriesNumPy, seriesMBAR, annealedSeries("linear"), annealedSeries("varopt"),
	annealedSeries("friction")}

// annealedSeries returns the name of the series of annealing by a schedule.
func annealedSeries(schedule string) string {
	name, _, _ := strings.Cut(schedule, ":")
	return "AIS, " + name
}

// timeToPoints returns the points of all methods on three RBMs and a mixture.
func timeToPoints(size papers.Size) (out []papers.Point) {
	rbms := []papers.RBM{papers.RBM500, papers.RBM100,
		{Panel: "published RBM", Model: papers.Published + "&data=" + papers.PublishedRows, Sweep: 2e-5},
		{Panel: "mixture in 10 dimensions", Model: "mixture10", Sweep: 2e-6, Exact: true}}
	temps, sweeps := 2000, 1500
	if size == papers.Small {
		rbms, temps, sweeps = rbms[3:], 20, 30
	}
	for _, m := range rbms {
		n, base := map[papers.Size]int{papers.Small: 3, papers.Normal: 120, papers.Full: 400}[size], "&start=rates"
		if m.Exact {
			n, base = map[papers.Size]int{papers.Small: 3, papers.Normal: 600, papers.Full: 2000}[size], ""
		}

		// The reference; then a function that adds a point.
		withRates := m
		withRates.Model += base
		out = withRates.Reference(out, size)
		addPoint := func(series, method, params string, sweeps int, counted float64) {
			n := n
			if size != papers.Small && !slices.Contains(claimed, series) {
				n /= 3
			}
			link := fmt.Sprintf("v=1&model=%s&method=%s", withRates.Model, method)
			for _, p := range strings.Fields(params) {
				link += "&" + method + "." + p
			}
			out = append(out, papers.Point{Panel: m.Panel, Series: series, Counted: counted,
				Cost: sweepCostRatio * m.Sweep * float64(n*sweeps),
				Link: fmt.Sprintf("%s&replicates=%d", link, n)})
		}

		// Replicates share a target error, so auto runs separately for each seed.
		out = append(out, papers.Point{Panel: m.Panel, Series: seriesAuto, Link: "v=1&model=" + m.Model + "&method=auto",
			Seeds: n,
			Kept:  true, Cost: m.Sweep * float64(n) * 4e5})

		// Annealing by each schedule.
		for _, s := range annealedBy {
			forward, pilot := 100*temps, 0 // forward sweeps; there are as many reverse sweeps
			if schedule.NeedsPilot(s) {
				pilot = pilotSweeps
			}
			addPoint(annealedSeries(s), "ais", fmt.Sprintf("chains=100 temperatures=%d schedule=%s", temps, s), pilot+2*forward,
				float64(pilot+forward)/float64(pilot+2*forward))
		}

		// Tempering, MBAR and SMC.
		addPoint("RTS", "rts", fmt.Sprintf("chains=100 sweeps=%d temperatures=100 schedule=linear", sweeps), 100*sweeps, 1)
		addPoint(seriesMBAR, "mbar", fmt.Sprintf("chains=100 sweeps=%d temperatures=30 schedule=varopt", sweeps), 100*sweeps, 1)
		addPoint("SMC", "smc", fmt.Sprintf("islands=1 particles=100 temperatures=%d schedule=varopt", temps), 100*temps, 1)
		if m.Exact {
			continue
		}

		// RBMs only: arm, and annealing in NumPy.
		addPoint("ARM", "arm", "islands=1 particles=400 moves=3", 400*784*3, 1)
		if size != papers.Small {
			out = append(out, papers.Point{Panel: m.Panel, Series: seriesNumPy, Cost: m.Sweep * 14500 * 45 * float64(n/2),
				Make: numpyRows(strings.Split(m.Model, "&")[0], n/2), Kept: true})
		}
	}
	return out
}

// numpyRows returns a function for Point.Make that anneals a bundled RBM with the Python program of ./build.sh bench
// until there are n estimates, each of 20 chains. It needs python3 with NumPy, and the project's folder as the working
// folder.
func numpyRows(model string, n int) func(context.Context, papers.Point, papers.Load, func(float64)) ([]papers.Row, error) {
	return func(ctx context.Context, p papers.Point, load papers.Load, progress func(float64)) ([]papers.Row, error) {
		b, err := load(model + ".npz")
		if err != nil {
			return nil, err
		}

		// Write the RBM to a file for Python.
		dir, err := os.MkdirTemp("", "logz")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, model+".npz")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			return nil, err
		}

		// Run further seeds until there are enough estimates.
		row, seconds := papers.Row{Point: p, Model: model, Method: "NumPy"}, 0.0
		for seed := 1; len(row.Estimates) < n; seed++ {
			c := exec.CommandContext(ctx, "python3", "wasm/tool/bench/yardstick.py", file, fmt.Sprintf("sm08:%d", seed),
				"float32")
			var stderr bytes.Buffer
			c.Stderr = &stderr
			output, err := c.Output()
			if err != nil {
				return nil, fmt.Errorf("NumPy does not anneal: %w: %s; this point needs python3 with numpy, and the project's "+
					"folder", err, strings.TrimSpace(stderr.String()))
			}
			for _, word := range strings.Fields(string(output)) {
				z, err := strconv.ParseFloat(word, 64)
				if err != nil {
					return nil, err
				}
				row.Estimates = append(row.Estimates, z)
			}
			seconds += (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
			progress(float64(len(row.Estimates)) / float64(n))
		}

		// A row of all estimates.
		row.N = len(row.Estimates)
		mean, v := stats.MeanVar(row.Estimates)
		row.Mean, row.SD, row.LogMeanExp = mean, math.Sqrt(v), math.NaN()
		row.Skewness, row.Kurtosis = papers.Shape(row.Estimates)
		row.Seconds, row.Sweeps = seconds/float64(row.N), 20*14499
		row.SE, row.Lower, row.Upper, row.Known, row.Paired = math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
		return []papers.Row{row}, nil
	}
}

// movesKeepUp reports whether the effective sample size of a line is at least half of its 100 chains, so that its moves
// count as nearly perfect.
func movesKeepUp(line []papers.Row) bool { return len(line) > 0 && line[0].ESS >= 50 }

// timeToJudge compares the times of the methods.
func timeToJudge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		compareTimes := func(claim, a, b string, factor float64) {
			x, y := papers.Series(rows, panel, a), papers.Series(rows, panel, b)
			if len(x) == 0 || len(y) == 0 {
				return
			}
			ratio, se := papers.CompareAtEqualCost(x, y, papers.ByRMS)
			out = append(out, papers.Finding{Panel: panel, Paper: claim,
				Here: fmt.Sprintf("%.2g s against %.2g s, %s times as long.", x[0].SecondsTo(.1), y[0].SecondsTo(.1),
					papers.FormatVarianceRatio(ratio, se))}.Below(2*ratio+math.Log(factor), 2*se, papers.UnitTimes))
		}
		if panel == papers.RBM500.Panel {
			compareTimes("auto gets to 0.1 nat in a fifth of the processor time of annealing in NumPy.", seriesAuto, seriesNumPy, 5)
		} else {
			compareTimes("auto gets there sooner than annealing in NumPy.", seriesAuto, seriesNumPy, 1)
		}
		if movesKeepUp(papers.Series(rows, panel, annealedSeries("varopt"))) {
			compareTimes("annealing by varopt gets there sooner than by linear steps.", annealedSeries("varopt"),
				annealedSeries("linear"), 1)
		}
		compareTimes("annealing by friction, which slows down where chains lag, gets there sooner than by varopt.",
			annealedSeries("friction"), annealedSeries("varopt"), 1)
		compareTimes("auto gets there sooner than tempering read by MBAR.", seriesAuto, seriesMBAR, 1)
	}
	return out
}
