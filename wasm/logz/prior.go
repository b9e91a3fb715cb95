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

// errFlat says that there is no prior at all of some parameter: there is nothing to run.
var errFlat = errors.New("the integral of the priors is infinite")

// priorBars is how many error bars log Z of normalised priors may be from 0.
const priorBars = 4

// improperLimit is a limit of sweeps where the integral may be infinite and none is given.
const improperLimit = "200000"

// priorOf is what `prior -json` prints.
type priorOf struct {
	V          int           `json:"v"`
	Model      string        `json:"model"`
	LogZ       report.Number `json:"logz"` // of the priors alone, null where there is no estimate
	SE         report.Number `json:"se"`
	Normalised *bool         `json:"normalised"` // null: nobody can say
	Improper   []string      `json:"improper"`   // parameters without a prior
	PriorOnly  bool          `json:"prior_only"`
	LeftOut    []int         `json:"left_out"` // lines
	Verdict    string        `json:"verdict,omitempty"`
	Notes      []string      `json:"notes"`
}

// priorCommand estimates log Z of the priors of a program, without its likelihood. Of normalised priors it is 0.
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
	j, err := unless(ctx, func() (j *engine.Job, err error) { j, _, err = o.job(); return j, err })
	if err != nil && err != errFlat {
		return refused(err)
	}
	if err == nil && len(j.Spec.Methods) != 1 {
		return exitUsage, fmt.Errorf("prior: one method at a time, not %s", strings.Join(j.Spec.Methods, ", "))
	}

	// What the compiler knows.
	p := &priorOf{V: spec.Version, Model: o.model, LogZ: report.NaN, SE: report.NaN, Improper: []string{},
		PriorOnly: o.alone.Only, LeftOut: append([]int{}, o.alone.Lines...), Notes: []string{}}
	for _, q := range o.compiled.Parameters {
		if q.Improper {
			p.Improper = append(p.Improper, q.Name)
		}
	}
	for _, n := range o.compiled.Notes {
		p.Notes = append(p.Notes, n.Error())
	}
	if err == errFlat {
		p.Normalised = new(bool)
		p.print(o, stdout, nil)
		return exitOK, nil
	}

	// The run.
	start := time.Now()
	line := newProgress(stderr, start)
	err = engine.Run(ctx, j, o.workers, line.show)
	line.clear()
	if ctx.Err() != nil {
		return exitInterrupted, errInterrupted
	}
	r := report.New(j).Kept(time.Since(start).Seconds())[0]
	if err == nil {
		err = r.Err
	}
	if err != nil {
		return exitFailed, err
	}
	p.take(r)
	p.print(o, stdout, r)
	return exitOK, nil
}

// take takes the numbers of a run.
func (p *priorOf) take(r *report.Report) {
	p.LogZ, p.SE = r.LogZ, r.SE
	if r.Verdict != nil {
		p.Verdict = string(r.Verdict.Level)
	}
	slope, slow := r.Diagnostics[models.DiagTailSlope]
	switch is := false; {
	case slow && slope > models.InfiniteTail:
		p.LogZ, p.SE, p.Normalised = report.NaN, report.NaN, &is
	case p.Verdict == "stop" || len(p.Improper) > 0 || !report.IsNumber(p.LogZ) || !report.IsNumber(p.SE):
	default:
		is = math.Abs(float64(p.LogZ)) <= priorBars*float64(p.SE)
		p.Normalised = &is
	}
}

// print shows what was found. r is nil where there was nothing to run.
func (p *priorOf) print(o *options, w io.Writer, r *report.Report) {
	if o.json {
		fmt.Fprintf(w, "%s\n", report.Encode(p))
		return
	}
	number := func(x report.Number) string { return strconv.FormatFloat(float64(x), 'f', 4, 64) }
	fmt.Fprintf(w, "priors of %s\n", p.Model)
	known, no := report.IsNumber(p.LogZ), p.Normalised != nil && !*p.Normalised
	switch {
	case r == nil:
		fmt.Fprintf(w, "  log Z      none: the integral is infinite, as nothing but data says anything about %s\n",
			strings.Join(o.alone.Flat, ", "))
	case no && !known:
		fmt.Fprintln(w, "  log Z      none: the integral of the priors is infinite")
	case !known:
		fmt.Fprintln(w, "  log Z      none")
	case !report.IsNumber(p.SE):
		fmt.Fprintf(w, "  log Z      %s (no error bar)\n", number(p.LogZ))
	default:
		z, se := withError(p.LogZ, p.SE)
		fmt.Fprintf(w, "  log Z      %s +- %s\n", z, se)
	}
	way := "lower"
	if p.LogZ > 0 {
		way = "higher"
	}
	switch {
	case no && known:
		fmt.Fprintf(w, "  normalised no: log Z of the program is %s nats %s than with normalised priors\n",
			number(report.Number(math.Abs(float64(p.LogZ)))), way)
	case no:
		fmt.Fprintln(w, "  normalised no")
	case p.Normalised != nil:
		fmt.Fprintf(w, "  normalised yes: log Z is 0 within %d error bars\n", priorBars)
	default:
		fmt.Fprintln(w, "  normalised not known")
	}

	// What was left out, and what has no prior.
	if len(p.Improper) > 0 {
		fmt.Fprintf(w, "  no prior   found for %s; without one the integral is infinite\n", strings.Join(p.Improper, ", "))
	}
	switch {
	case p.PriorOnly:
		fmt.Fprintln(w, "  left out   what the program leaves out with prior_only = 1")
	case len(p.LeftOut) > 0:
		fmt.Fprintf(w, "  left out   %s, about data\n", lines(p.LeftOut))
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

// lines names at most ten lines.
func lines(at []int) string {
	const most = 10
	s := "line"
	if len(at) > 1 {
		s = "lines"
	}
	for i, n := range at[:min(len(at), most)] {
		if i > 0 {
			s += ","
		}
		s += " " + strconv.Itoa(n)
	}
	if len(at) > most {
		s += " and " + strconv.Itoa(len(at)-most) + " more"
	}
	return s
}

// compilePriors makes a tape of the priors of a program.
func (o *options) compilePriors(t stan.Text) (c *stan.Compiled, err error) {
	if c, o.alone, err = t.CompilePriors(); err != nil {
		return nil, err
	}
	if o.compiled = c; c.Tape == nil {
		return nil, errFlat
	}
	for _, q := range c.Parameters {
		if q.Improper && !o.given["limit"] { // of what may be infinite, a look is enough
			*o.common["limit"], o.given["limit"] = improperLimit, true
		}
	}
	return c, nil
}
