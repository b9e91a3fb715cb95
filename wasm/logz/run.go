package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"logzlab/core/diag"
	"logzlab/core/files/disk"
	"logzlab/core/format"
	"logzlab/core/runstate"
	lang "logzlab/core/words"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/estimators/smc"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// runCommand runs an experiment and prints a report for each method.
func runCommand(o *options, stdout, stderr io.Writer) (int, error) {
	return o.run(stdout, stderr, func(ctx context.Context, j *engine.Job, show func(*engine.Job)) (*engine.Job, error) {
		return j, engine.Run(ctx, j, o.workers, show)
	})
}

// run opens the experiment that the options describe, computes it, prints a report for each method, and returns the
// exit status. compute runs a job, calling show after each step, and returns the job with its results: the given one,
// or another job of the same spec. If ctx is done before the job, its error is ctx.Err().
func (o *options) run(stdout, stderr io.Writer,
	compute func(ctx context.Context, j *engine.Job, show func(*engine.Job)) (*engine.Job, error)) (int, error) {
	// Open the model. If it has clamped units, log p also needs the log Z of the model without the clamping (freeJob).
	ctx, stop := untilInterrupt()
	defer stop()
	var view state.Settings
	j, err := await(ctx, func() (j *engine.Job, err error) { j, view, err = o.newJob(); return j, err })
	if err != nil {
		return inputError(err)
	}
	var freeJob *engine.Job
	if report.LacksFree(j.Model) {
		if freeJob, err = o.openJob(report.WithoutDrawing(j.Spec, j.Spec.Methods...)); err != nil {
			return inputError(err)
		}
	}
	if o.drawsPath != "" {
		if err := smc.Drawable(j.Model); err != nil {
			return inputError(err)
		}
	}

	// Compute.
	start := time.Now()
	progressLine := newProgress(stderr, start)
	j, runErr := compute(ctx, j, progressLine.show)
	if runErr == nil && freeJob != nil {
		freeJob, runErr = compute(ctx, freeJob, progressLine.show)
	}
	progressLine.clear()
	if runErr == errStopped {
		return exitInterrupted, runErr
	}
	if runErr != nil && (ctx.Err() == nil || j == nil) {
		return exitFailed, runErr
	}

	// Make the reports, and write the files of -draws and -ukn.
	collector := report.New(j)
	if runErr == nil && freeJob != nil {
		collector.SetFree(report.New(freeJob).AllInterrupted(0))
	}
	reports := collector.AllInterrupted(time.Since(start).Seconds())
	if o.rowsID != "" {
		if rows := report.MeasureRows(j.Model, func() bool { return ctx.Err() == nil }); rows != nil {
			for _, r := range reports {
				r.AddData(rows)
			}
		}
	}
	if runErr == nil {
		if err := errors.Join(o.writeDraws(j), o.writeUKN()); err != nil {
			return exitFailed, err
		}
	}

	// Find the exit status.
	status := exitOK
	var failure error
	for _, r := range reports {
		if runErr != nil && r.State != runstate.MethodDone {
			status = exitInterrupted
		}
		if r.Err != nil {
			status, failure = exitFailed, r.Err
			r.Flags = append(r.Flags, report.FlagFailed)
		}
	}
	if o.unconfirmedCount > 0 {
		for _, r := range reports {
			r.MarkUnconfirmed(o.unconfirmedCount, j.Spec.Replicates)
		}
	}
	if status == exitOK && o.unconfirmedCount > 0 {
		status, failure = exitFailed, errors.New("a device of the room gave wrong results, and replicates of devices that were "+
			"never checked count: run again with -verify 1 to have every replicate computed here, too")
	}
	if status == exitOK && !view.Agrees(reports) {
		status, failure = exitFailed, fmt.Errorf("the link expects the hash %s, and the result differs: the link comes "+
			"from another version, or something is wrong", strings.Join(view.Expect, " "))
	}

	// Print.
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.JSON(reports))
	} else {
		if description := reports[0].Understood; description != "" {
			fmt.Fprintf(stdout, "%s: %s\n", cmp.Or(o.model, j.Model.Info().Name), description)
		}
		for _, r := range reports {
			printReport(stdout, j.Model.Info().Name, r, len(reports))
		}
	}
	return status, failure
}

// writeDraws writes the file of -draws, if it is given.
func (o *options) writeDraws(j *engine.Job) error {
	if o.drawsPath == "" {
		return nil
	}
	d, err := smc.Sample(j.Model, j.Spec.Seed)
	if err != nil {
		return err
	}
	return disk.Write(o.drawsPath, []byte(d.CSV(j.Model.Info().Name)))
}

// printData prints the mean log-likelihood of the data rows, in nats, or its bounds. It prints nothing if d is nil.
func printData(w io.Writer, d *report.Data) {
	if d == nil || !report.IsNumber(d.Pseudo) {
		return
	}
	number := func(x report.Number) string { return format.ASCII(format.Fixed(float64(x), 4)) }
	text := "not bounded"
	switch low, high := report.IsNumber(d.Lower), report.IsNumber(d.Upper); {
	case report.IsNumber(d.Mean):
		text = number(d.Mean)
	case low && high:
		text = "between " + number(d.Lower) + " and " + number(d.Upper)
		if d.Source == report.ByBar {
			text += " (the lower end by the error bar, not by a bound)"
		}
	case low:
		text = "at least " + number(d.Lower)
	case high:
		text = "at most " + number(d.Upper)
	}
	fmt.Fprintf(w, "  data       mean log-likelihood of %d rows: %s; pseudo-log-likelihood %s\n", d.Rows, text,
		number(d.Pseudo))
}

// maxMoments is the largest number of coordinates of a posterior whose moments are printed.
const maxMoments = 10

// formatWithError formats a number and its error bar with four decimals, or with as many as a smaller error bar needs.
// An error bar below 1e-9 is written as a power of ten.
func formatWithError(x, se report.Number) (value, bar string) {
	decimals := max(4, format.Decimals(float64(se)))
	if se < 1e-9 {
		return format.ASCII(format.Fixed(float64(x), decimals)), fmt.Sprintf("%.0e", float64(se))
	}
	return format.ASCII(format.Fixed(float64(x), decimals)), format.ASCII(format.Fixed(float64(se), decimals))
}

// printReport prints the report of one method as text. model is the name of the model; methods is the number of methods
// that ran at the same time, because the printed time is that of all of them.
func printReport(w io.Writer, model string, r *report.Report, methods int) {
	number := func(x report.Number) string {
		if !report.IsNumber(x) {
			return "none"
		}
		return format.ASCII(format.Fixed(float64(x), 4))
	}
	fmt.Fprintf(w, "%s on %s\n", r.Method, model)
	if report.IsNumber(r.SE) {
		z, se := formatWithError(r.LogZ, r.SE)
		fmt.Fprintf(w, "  log Z      %s +- %s (%s, bias: %s)\n", z, se, r.SEMethod, r.Bias)
	} else {
		fmt.Fprintf(w, "  log Z      %s (no error bar, bias: %s)\n", number(r.LogZ), r.Bias)
	}
	if p := r.LogP; p != nil && report.IsNumber(p.LogP) {
		fmt.Fprintf(w, "  log p      %s +- %s of the drawing: one sample in %s (free log Z %s +- %s, %s)\n", number(p.LogP),
			number(p.SE), format.ASCII(p.OneIn().Error()), number(p.Free), number(p.FreeSE), p.Source)
	}
	if c := r.Calibration; c != nil {
		fmt.Fprintf(w, "  coverage   %.0f %% of %d comparable runs within 2 s.e. (rms z %.2f)\n",
			100*c.Within2, c.Runs, c.RMSZ)
	} else if report.IsNumber(r.SE) && !r.Provisional {
		fmt.Fprintln(w, "  coverage   unknown: no runs with a known log Z are comparable to this one")
	}

	// Bounds and the exact value.
	switch low, high := report.IsNumber(r.Lower), report.IsNumber(r.Upper); {
	case low && high:
		fmt.Fprintf(w, "  sandwich   %s to %s\n", number(r.Lower), number(r.Upper))
	case low:
		fmt.Fprintf(w, "  sandwich   from %s, no upper end\n", number(r.Lower))
	}
	printBound(w, "floor  ", r.Floor, format.RoundDown)
	printBound(w, "ceiling", r.Ceiling, format.RoundUp)
	if r.Truth != nil {
		errorText := "none"
		if report.IsNumber(r.LogZ) {
			errorText = format.ASCII(format.Signed(float64(r.LogZ-r.Truth.LogZ), 4))
		}
		fmt.Fprintf(w, "  exact      %.6f (%s), error %s\n", r.Truth.LogZ, r.Truth.SourceText(), errorText)
	} else if r.Hint != "" {
		fmt.Fprintf(w, "  exact      not computed; %s computes it\n", r.Hint)
	}

	// Data, replicates and the posterior.
	if mean, ok := r.Diagnostics[estimators.DiagMeanLogLikelihood]; ok {
		text := "under the annealed model"
		if slices.Contains(r.Flags, anneal.FlagDrawnData) {
			text = "at least, on average, of exact samples"
		}
		fmt.Fprintf(w, "  annealed   mean log-likelihood of %.0f data %s: %s +- %s\n",
			float64(r.Diagnostics[estimators.DiagData]), text, number(mean),
			number(r.Diagnostics[estimators.DiagMeanLogLikelihoodSE]))
	}
	printData(w, r.Data)
	if r.Summary != nil {
		fmt.Fprintf(w, "  replicates %d: mean %s, sd %s, log-mean-exp %s, rms z %s\n", len(r.Replicates),
			number(r.Summary.Mean), number(r.Summary.SD), number(r.Summary.LogMeanExp), number(r.Summary.RMSZ))
	}
	moments := r.Posterior[:min(len(r.Posterior), maxMoments)]
	if len(r.Posterior) > maxMoments && len(r.AtTarget) > 0 { // the means of an RBM's units, which only -json prints
		moments = nil
	}
	for i, m := range moments {
		fmt.Fprintf(w, "  posterior  %s: %s +- %s, sd %s\n", cmp.Or(format.ASCII(m.Name), strconv.Itoa(i+1)), number(m.Mean),
			number(m.SE), number(m.SD))
	}

	if k, ok := r.Diagnostics[estimators.DiagParetoK]; ok {
		essText := ""
		if ess, ok := r.Diagnostics[estimators.DiagESS]; ok {
			essText = ", effective draws " + format.Grouped(float64(ess), 0)
		}
		fmt.Fprintf(w, "  pareto k   %s%s\n", number(k), essText)
	}
	if len(r.Modes) > 1 {
		var modeTexts []string
		for _, m := range r.Modes {
			modeTexts = append(modeTexts, fmt.Sprintf("%s %% (%d starts)", format.Fixed(100*float64(m.Mass), 1), m.Starts))
		}
		fmt.Fprintf(w, "  modes      %s\n", strings.Join(modeTexts, ", "))
	}

	// Cost and verdict.
	scope := ""
	if methods > 1 { // they run at the same time
		scope = " for all methods"
	}
	fmt.Fprintf(w, "  cost       %.0f chain-sweeps, %.0f densities, %.2f s%s\n", float64(r.Cost.Sweeps),
		float64(r.Cost.Evaluations), float64(r.Cost.Seconds), scope)
	printVerdict(w, r)
	if s := view.AutoSummary(lang.New("en"), r); s != "" {
		fmt.Fprintf(w, "  method     %s\n", format.ASCII(s))
	}
	for _, f := range r.Notes() {
		fmt.Fprintf(w, "  note       %s: %s\n", f, diag.Meanings[f])
	}
	fmt.Fprintf(w, "  link       #%s\n  hash       %s\n", r.Link, cmp.Or(r.Hash, "none"))
}

// printBound prints a certain bound, if b is not nil.
func printBound(w io.Writer, name string, b *report.Bound, rounded func(x float64, decimals int) string) {
	if b != nil {
		fmt.Fprintf(w, "  %s    %s (%s), certain\n", name, format.ASCII(rounded(float64(b.LogZ), 4)), b.Kind)
	}
}

// printVerdict prints the level of the verdict and the checks that failed or nearly failed, with their meaning and
// advice. It prints nothing without a verdict.
func printVerdict(w io.Writer, r *report.Report) {
	if r.Verdict == nil {
		return
	}
	fmt.Fprintf(w, "  verdict    %s\n", r.Verdict.Level)
	for _, c := range r.Verdict.Checks {
		switch {
		case c.Near:
			fmt.Fprintf(w, "    %s: %s; log Z is %s\n", c.Name, c.Text, c.Needs)
		case !c.OK:
			fmt.Fprintf(w, "    %s: %s, needs %s. %s %s\n", c.Name, c.Text, c.Needs, c.Meaning, c.Advice)
		}
	}
}
