package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/models/stan"
)

// errInfiniteIntegral means that the density of the priors does not depend on a parameter, so log Z is infinite and
// nothing can be run.
var errInfiniteIntegral = errors.New("the integral of the priors is infinite")

// maxPriorErrorBars is the largest distance of log Z from 0, in error bars, at which priors count as normalised.
const maxPriorErrorBars = 4

// improperLimit is the default of -limit, in sweeps, for a program with a parameter without a prior.
const improperLimit = "200000"

// priorResult is the JSON of `logz prior`.
type priorResult struct {
	V          int           `json:"v"`
	Model      string        `json:"model"`
	LogZ       report.Number `json:"logz"` // of the priors alone, in nats; null without an estimate
	SE         report.Number `json:"se"`
	Normalised *bool         `json:"normalised"` // null if it is not known
	Improper   []string      `json:"improper"`   // parameters without a prior
	PriorOnly  bool          `json:"prior_only"`
	LeftOut    []int         `json:"left_out"` // numbers of the lines that were left out
	Verdict    string        `json:"verdict,omitempty"`
	Notes      []string      `json:"notes"`
}

// priorCommand estimates log Z of the priors of a Stan program, without its likelihood. The log Z of normalised priors is
// 0.
func priorCommand(o *options, stdout, stderr io.Writer) (int, error) {
	switch {
	case len(o.args) > 1 || len(o.args) == 1 && o.isGiven["model"]:
		return exitUsage, errors.New("prior: give one program, as logz prior FILE.stan -data FILE.json")
	case len(o.args) == 1:
		o.model = o.args[0]
	}
	if !isProgram(o.model) {
		return exitUsage, errors.New("prior: give a program of the Stan language, as logz prior FILE.stan -data FILE.json")
	}
	ctx, stop := untilInterrupt()
	defer stop()
	j, err := await(ctx, func() (j *engine.Job, err error) { j, _, err = o.newJob(); return j, err })
	if err != nil && err != errInfiniteIntegral {
		return inputError(err)
	}
	if err == nil && len(j.Spec.Methods) != 1 {
		return exitUsage, fmt.Errorf("prior: one method at a time, not %s", strings.Join(j.Spec.Methods, ", "))
	}

	// The compiler reports the parameters without a prior, and the lines that it has left out.
	p := &priorResult{V: spec.Version, Model: o.model, LogZ: report.NaN, SE: report.NaN, Improper: []string{},
		PriorOnly: o.priorsOnly.UsesFlag, LeftOut: append([]int{}, o.priorsOnly.Lines...), Notes: []string{}}
	for _, q := range o.compiledPriors.Parameters {
		if q.Improper {
			p.Improper = append(p.Improper, q.Name)
		}
	}
	for _, n := range o.compiledPriors.Notes {
		p.Notes = append(p.Notes, n.Error())
	}
	if err == errInfiniteIntegral {
		p.Normalised = new(bool)
		p.print(o, stdout, nil)
		return exitOK, nil
	}

	start := time.Now()
	line := newProgress(stderr, start)
	err = engine.Run(ctx, j, o.workers, line.show)
	line.clear()
	if ctx.Err() != nil {
		return exitInterrupted, errInterrupted
	}
	r := report.New(j).AllInterrupted(time.Since(start).Seconds())[0]
	if err == nil {
		err = r.Err
	}
	if err != nil {
		return exitFailed, err
	}
	p.setRun(r)
	p.print(o, stdout, r)
	return exitOK, nil
}

// setRun sets the estimate, the verdict, and whether the priors are normalised, from the report of the run. Normalised
// stays nil if the run cannot be trusted.
func (p *priorResult) setRun(r *report.Report) {
	p.LogZ, p.SE = r.LogZ, r.SE
	if r.Verdict != nil {
		p.Verdict = string(r.Verdict.Level)
	}
	slope, found := r.Diagnostics[models.DiagTailSlope]
	switch normalised := false; {
	case found && slope > models.InfiniteTail:
		p.LogZ, p.SE, p.Normalised = report.NaN, report.NaN, &normalised
	case p.Verdict == "stop" || len(p.Improper) > 0 || !report.IsNumber(p.LogZ) || !report.IsNumber(p.SE):
	default:
		normalised = math.Abs(float64(p.LogZ)) <= maxPriorErrorBars*float64(p.SE)
		p.Normalised = &normalised
	}
}

// print prints the result. r is the report of the run, or nil if the integral is known to be infinite.
func (p *priorResult) print(o *options, w io.Writer, r *report.Report) {
	if o.json {
		fmt.Fprintf(w, "%s\n", report.Encode(p))
		return
	}
	number := func(x report.Number) string { return strconv.FormatFloat(float64(x), 'f', 4, 64) }
	fmt.Fprintf(w, "priors of %s\n", p.Model)
	hasLogZ, isUnnormalised := report.IsNumber(p.LogZ), p.Normalised != nil && !*p.Normalised
	switch {
	case r == nil:
		fmt.Fprintf(w, "  log Z      none: the integral is infinite: without the data, the density does not depend on %s\n",
			strings.Join(o.priorsOnly.Flat, ", "))
	case isUnnormalised && !hasLogZ:
		fmt.Fprintln(w, "  log Z      none: the integral of the priors is infinite")
	case !hasLogZ:
		fmt.Fprintln(w, "  log Z      none")
	case !report.IsNumber(p.SE):
		fmt.Fprintf(w, "  log Z      %s (no error bar)\n", number(p.LogZ))
	default:
		z, se := formatWithError(p.LogZ, p.SE)
		fmt.Fprintf(w, "  log Z      %s +- %s\n", z, se)
	}
	direction := "lower"
	if p.LogZ > 0 {
		direction = "higher"
	}
	switch {
	case isUnnormalised && hasLogZ:
		fmt.Fprintf(w, "  normalised no: log Z of the program is %s nats %s than with normalised priors\n",
			number(report.Number(math.Abs(float64(p.LogZ)))), direction)
	case isUnnormalised:
		fmt.Fprintln(w, "  normalised no")
	case p.Normalised != nil:
		fmt.Fprintf(w, "  normalised yes: log Z is 0 within %d error bars\n", maxPriorErrorBars)
	default:
		fmt.Fprintln(w, "  normalised not known")
	}

	if len(p.Improper) > 0 {
		fmt.Fprintf(w, "  no prior   found for %s; without one the integral is infinite\n", strings.Join(p.Improper, ", "))
	}
	switch {
	case p.PriorOnly:
		fmt.Fprintln(w, "  left out   the statements that prior_only = 1 excludes")
	case len(p.LeftOut) > 0:
		fmt.Fprintf(w, "  left out   %s, about data\n", lineList(p.LeftOut))
	default:
		fmt.Fprintln(w, "  left out   nothing")
	}
	if r != nil {
		printVerdict(w, r)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(w, "  note       %s\n", n)
	}
}

// lineList returns a list of line numbers as text, such as "line 3" or "lines 3, 4", with at most ten numbers.
func lineList(lines []int) string {
	const limit = 10
	s := "line"
	if len(lines) > 1 {
		s = "lines"
	}
	for i, n := range lines[:min(len(lines), limit)] {
		if i > 0 {
			s += ","
		}
		s += " " + strconv.Itoa(n)
	}
	if len(lines) > limit {
		s += " and " + strconv.Itoa(len(lines)-limit) + " more"
	}
	return s
}

// compilePriors compiles the priors of a Stan program, and stores the result in o. It returns errInfiniteIntegral if
// the density does not depend on a parameter. If a parameter has no prior, it sets a low default of -limit.
func (o *options) compilePriors(t stan.Text) (c *stan.Compiled, err error) {
	if c, o.priorsOnly, err = t.CompilePriors(); err != nil {
		return nil, err
	}
	if o.compiledPriors = c; c.Tape == nil {
		return nil, errInfiniteIntegral
	}
	for _, q := range c.Parameters {
		if q.Improper && !o.isGiven["limit"] { // the integral may be infinite, which a short run shows
			*o.common["limit"], o.isGiven["limit"] = improperLimit, true
		}
	}
	return c, nil
}
