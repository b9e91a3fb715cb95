package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"logzlab/core/format"
	lang "logzlab/core/words"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
)

// compareCommand runs two experiments on models of the same data, and prints their reports and the log Bayes factor.
// The arguments are two links or two models, followed by the flags of logz run.
func compareCommand(args []string, stdout, stderr io.Writer) (int, error) {
	n := 0
	for n < len(args) && !strings.HasPrefix(args[n], "-") {
		n++
	}
	if n != 2 {
		return exitUsage, errors.New("compare: give two models or two links, and then flags, as in logz compare " +
			"linreg-line linreg-level -method aisel")
	}

	var o [2]*options
	var jobs [2]*engine.Job
	for i, name := range args[:2] {
		key := "-model"
		if strings.Contains(name, "=") && strings.Contains(name, "v=") {
			key = "-link"
		}
		var err error
		if o[i], err = parseOptions("compare", append([]string{key, name}, args[2:]...)); err == nil {
			jobs[i], _, err = o[i].newJob()
		}
		if err != nil {
			return exitUsage, err
		}
		if m := jobs[i].Spec.Methods; len(m) != 1 {
			return exitUsage, fmt.Errorf("compare: one method at a time, not %s", strings.Join(m, ", "))
		}
	}
	if err := report.SameData(jobs[0].Model.Info(), jobs[1].Model.Info()); err != nil {
		return exitUsage, err
	}

	ctx, stop := untilInterrupt()
	defer stop()
	var r [2]*report.Report
	for i, j := range jobs {
		start := time.Now()
		line := newProgress(stderr, start)
		err := engine.Run(ctx, j, o[i].workers, line.show)
		line.clear()
		if ctx.Err() != nil {
			return exitInterrupted, errInterrupted
		}
		if r[i] = report.New(j).AllInterrupted(time.Since(start).Seconds())[0]; err == nil {
			err = r[i].Err
		}
		if err != nil {
			return exitFailed, err
		}
	}

	c := report.Compare(r[0], r[1])
	if o[0].json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(c))
		return exitOK, nil
	}
	names := [2]string{jobs[0].Model.Info().Name, jobs[1].Model.Info().Name}
	for i := range r {
		if description := r[i].Understood; description != "" {
			fmt.Fprintf(stdout, "%s: %s\n", names[i], description)
		}
		printReport(stdout, names[i], r[i], 1)
	}
	printBayes(stdout, c, names)
	return exitOK, nil
}

// printBayes prints a comparison as text.
func printBayes(w io.Writer, c *report.Bayes, names [2]string) {
	fmt.Fprintf(w, "%s against %s\n", names[0], names[1])
	num := func(x report.Number) string {
		if !report.IsNumber(x) {
			return "none"
		}
		return format.ASCII(format.Fixed(float64(x), 4))
	}
	fmt.Fprintf(w, "  log Bayes factor %s +- %s\n", num(c.LogBF), num(c.SE))
	if report.IsNumber(c.Exact) {
		fmt.Fprintf(w, "  exact            %s\n", num(c.Exact))
	}
	fmt.Fprintf(w, "  verdict          %s\n", c.Verdict)
	for _, s := range c.Sentences(names[0], names[1]) {
		fmt.Fprintf(w, "  %s\n", lang.New("en").Sentence(s))
	}
}
