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

// errInfinite means that a parameter has no prior at all, so there is nothing to run.
var errInfinite = errors.New("the integral of the priors is infinite")

// maxPriorSE is the number of error bars within which log Z of normalised priors must be 0.
const maxPriorSE = 4

// improperLimit is the default of -limit if the integral may be infinite.
const improperLimit = "200000"

// priorResult is the JSON of `logz prior`.
type priorResult struct {
	V          int           `json:"v"`
	Model      string        `json:"model"`
	LogZ       report.Number `json:"logz"` // of the priors alone; null without an estimate
	SE         report.Number `json:"se"`
	Normalised *bool         `json:"normalised"` // null: not known
	Improper   []string      `json:"improper"`   // parameters without a prior
	PriorOnly  bool          `json:"prior_only"`
	LeftOut    []int         `json:"left_out"` // numbers of lines
	Verdict    string        `json:"verdict,omitempty"`
	Notes      []string      `json:"notes"`
}

// priorCommand estimates log Z of the priors of a Stan program, without its likelihood. It is 0 if the priors are
// normalised.
func priorCommand(o *options, stdout, stderr io.Writer) (int, error) {
	switch {
	case len(o.names) > 1 || len(o.names) == 1 && o.given["model"]:
		return exitUsage, errors.New("prior: give one program, as logz prior FILE.stan -data FILE.json")
	case len(o.names) == 1:
		o.model = o.names[0]
	}
	if !isProgram(o.model) {
		return exitUsage, errors.New("prior: give a program of the Stan language, as logz prior FILE.stan -data FILE.json")
	}
	ctx, stop := untilInterrupt()
	defer stop()
	j, err := await(ctx, func() (j *engine.Job, err error) { j, _, err = o.newJob(); return j, err })
	if err != nil && err != errInfinite {
		return inputError(err)
	}
	if err == nil && len(j.Spec.Methods) != 1 {
		return exitUsage, fmt.Errorf("prior: one method at a time, not %s", strings.Join(j.Spec.Methods, ", "))
	}

	// The compiler knows parameters without a prior, and the lines that it has left out.
	p := &priorResult{V: spec.Version, Model: o.model, LogZ: report.NaN, SE: report.NaN, Improper: []string{},
		PriorOnly: o.alone.UsesFlag, LeftOut: append([]int{}, o.alone.Lines...), Notes: []string{}}
	for _, q := range o.compiled.Parameters {
		if q.Improper {
			p.Improper = append(p.Improper, q.Name)
		}
	}
	for _, n := range o.compiled.Notes {
		p.Notes = append(p.Notes, n.Error())
	}
	if err == errInfinite {
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

// setRun sets the estimate, the verdict, and whether the priors are normalised.
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
		normalised = math.Abs(float64(p.LogZ)) <= maxPriorSE*float64(p.SE)
		p.Normalised = &normalised
	}
}

// print prints the result. r is nil if there was nothing to run.
func (p *priorResult) print(o *options, w io.Writer, r *report.Report) {
	if o.json {
		fmt.Fprintf(w, "%s\n", report.Encode(p))
		return
	}
	number := func(x report.Number) string { return strconv.FormatFloat(float64(x), 'f', 4, 64) }
	fmt.Fprintf(w, "priors of %s\n", p.Model)
	known, no := report.IsNumber(p.LogZ), p.Normalised != nil && !*p.Normalised
	switch {
	case r == nil:
		fmt.Fprintf(w, "  log Z      none: the integral is infinite: without the data, the density does not depend on %s\n",
			strings.Join(o.alone.Flat, ", "))
	case no && !known:
		fmt.Fprintln(w, "  log Z      none: the integral of the priors is infinite")
	case !known:
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
	case no && known:
		fmt.Fprintf(w, "  normalised no: log Z of the program is %s nats %s than with normalised priors\n",
			number(report.Number(math.Abs(float64(p.LogZ)))), direction)
	case no:
		fmt.Fprintln(w, "  normalised no")
	case p.Normalised != nil:
		fmt.Fprintf(w, "  normalised yes: log Z is 0 within %d error bars\n", maxPriorSE)
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

// lineList returns "line 3" or "lines 3, 4", with at most ten numbers.
func lineList(at []int) string {
	const limit = 10
	s := "line"
	if len(at) > 1 {
		s = "lines"
	}
	for i, n := range at[:min(len(at), limit)] {
		if i > 0 {
			s += ","
		}
		s += " " + strconv.Itoa(n)
	}
	if len(at) > limit {
		s += " and " + strconv.Itoa(len(at)-limit) + " more"
	}
	return s
}

// compilePriors compiles the priors of a Stan program.
func (o *options) compilePriors(t stan.Text) (c *stan.Compiled, err error) {
	if c, o.alone, err = t.CompilePriors(); err != nil {
		return nil, err
	}
	if o.compiled = c; c.Tape == nil {
		return nil, errInfinite
	}
	for _, q := range c.Parameters {
		if q.Improper && !o.given["limit"] { // the integral may be infinite: a short run shows it
			*o.common["limit"], o.given["limit"] = improperLimit, true
		}
	}
	return c, nil
}
