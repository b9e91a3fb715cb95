package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"logzlab/core/diag"
	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/wasm/page"
	lang "logzlab/wasm/words"
)

// Exit statuses (CONTRACT.md, The command).
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

const usage = `logz estimates log Z, a normalising constant, and shows how far to trust it.

  logz run -model M -method X [-seed N] [-set key=value]... [-replicates R | -target SE [-limit SWEEPS]]
           [-workers W] [-json]
  logz run -link LINK [-model FILE [-data FILE]] [-json]
  logz link -model M -method X ... | -link LINK [-json]
                                       print the canonical link of an experiment
  logz exact -model M [-set key=value]... [-workers W] [-json]
                                       exact log Z, where a closed form, quadrature or enumeration gives it
  logz list [-json]                    models, methods and their parameters
  logz check [-workers W] [-json]      run the golden links and compare every digit
  logz experiment [NAME] [-model FILE] [-out DIR] [-full] [-continue] [-page] [-workers W]
                                       list the named experiments, or make a paper's figure again: -full at its sizes,
                                       -continue from the points that DIR has, -page with a page for the site, -model
                                       for one that runs an own file

M is a built-in name (see logz list) or a .json, .npz, .mat, .safetensors or .csv file. X is one method or several,
comma separated; without -method it is auto, which chooses the rest for 0.1 nat. A key is a parameter from logz list, as
chains or ais.chains. -target repeats each method until its error bar is SE nats or less, or -limit sweeps (10,000,000)
are used up. -data FILE gives data rows (.npy, .npz, .csv, idx, .gz) beside an RBM of your own: base rates, and
what raise starts from.
`

// cli runs one command and returns the exit status.
func cli(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	name := args[0]
	if name == "help" || name == "-h" || name == "-help" || name == "--help" {
		fmt.Fprint(stdout, usage)
		return exitOK
	}
	with := func(run func(*options, io.Writer, io.Writer) (int, error)) func([]string, io.Writer, io.Writer) (int, error) {
		return func(args []string, stdout, stderr io.Writer) (int, error) {
			o, err := parseOptions(name, args)
			if err != nil {
				return exitUsage, err
			}
			return run(o, stdout, stderr)
		}
	}
	run, ok := map[string]func([]string, io.Writer, io.Writer) (int, error){
		"run": with(runCommand), "link": with(linkCommand), "exact": with(exactCommand), "list": with(listCommand),
		"check":      with(checkCommand),
		"experiment": experimentCommand,
	}[name]
	if !ok {
		fmt.Fprintf(stderr, "logz: unknown command %q; the commands are run, link, exact, list, check and experiment\n", name)
		return exitUsage
	}
	out := &output{w: stdout}
	status, err := run(args[1:], out, stderr)
	if err == nil && out.err != nil {
		status, err = exitFailed, fmt.Errorf("the result could not be written: %w", out.err)
	}
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return exitOK
	}
	if err != nil {
		fmt.Fprintln(stderr, "logz: "+strings.ReplaceAll(err.Error(), "\n", " "))
		if status == exitOK {
			status = exitFailed
		}
	}
	return status
}

// output remembers the first error of a writer: a full disk must not swallow a result.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// errInterrupted says that a command was ended before it had anything to tell.
var errInterrupted = errors.New("interrupted; there is no result yet")

// unless waits for f, but no longer than ctx lasts: opening a model cannot be ended, only left behind.
func unless[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type answer struct {
		x   T
		err error
	}
	c := make(chan answer, 1)
	go func() { x, err := f(); c <- answer{x, err} }()
	select {
	case a := <-c:
		if a.err == nil || ctx.Err() == nil {
			return a.x, a.err
		}
	case <-ctx.Done():
	}
	var none T
	return none, errInterrupted
}

// refused is the status of an error before any work.
func refused(err error) (int, error) {
	if err == errInterrupted {
		return exitInterrupted, err
	}
	return exitUsage, err
}

func runCommand(o *options, stdout, stderr io.Writer) (int, error) {
	ctx, stop := untilInterrupt()
	defer stop()
	var view page.Settings
	j, err := unless(ctx, func() (j *engine.Job, err error) { j, view, err = o.job(); return j, err })
	if err != nil {
		return refused(err)
	}
	made := report.New(j)
	var free *engine.Job
	if report.LacksFree(j.Model) {
		if free, err = o.open(report.WithoutDrawing(j.Spec, j.Spec.Methods...)); err != nil {
			return refused(err)
		}
	}
	start := time.Now()
	line := newProgress(stderr, start)
	runErr := engine.Run(ctx, j, o.workers, line.show)
	if runErr == nil && free != nil {
		runErr = engine.Run(ctx, free, o.workers, line.show)
		made.Freed(report.New(free).Kept(0))
	}
	line.clear()
	reports := made.Kept(time.Since(start).Seconds())
	status := exitOK
	var failed error
	for _, r := range reports {
		if runErr != nil && r.State != "done" {
			status = exitInterrupted
		}
		if r.Err != nil {
			status, failed = exitFailed, r.Err
			r.Flags = append(r.Flags, report.FlagFailed)
		}
	}
	if status == exitOK && !view.Agrees(reports) {
		status, failed = exitFailed, fmt.Errorf("the link expects the hash %s, and the digits here are others: it comes "+
			"from another version, or something is wrong", strings.Join(view.Expect, " "))
	}
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.JSON(reports))
	} else {
		if f, ok := o.source.File.(models.Summarised); ok {
			fmt.Fprintf(stdout, "%s: %v\n", o.model, f.Summary())
		}
		for _, r := range reports {
			printReport(stdout, j.Model.Info().Name, r)
		}
	}
	return status, failed
}

// printReport shows one result to people. model is how they call the model.
func printReport(w io.Writer, model string, r *report.Report) {
	num := func(x report.Number) string {
		if x-x != 0 {
			return "none"
		}
		return format.ASCII(format.Fixed(float64(x), 4))
	}
	fmt.Fprintf(w, "%s on %s\n", r.Method, model)
	if report.IsNumber(r.SE) {
		fmt.Fprintf(w, "  log Z      %s +- %s (%s, bias: %s)\n", num(r.LogZ), num(r.SE), r.SEMethod, r.Bias)
	} else {
		fmt.Fprintf(w, "  log Z      %s (no error bar, bias: %s)\n", num(r.LogZ), r.Bias)
	}
	if p := r.LogP; p != nil && report.IsNumber(p.LogP) {
		fmt.Fprintf(w, "  log p      %s +- %s of the drawing: one dream in %s (free log Z %s +- %s, %s)\n", num(p.LogP),
			num(p.SE), format.ASCII(p.OneIn()), num(p.Free), num(p.FreeSE), p.Source)
	}
	if c := r.Calibration; c != nil {
		fmt.Fprintf(w, "  bar held   in %.0f %% of %d runs like this one, within 2 s.e. (rms z %.2f)\n",
			100*c.Within2, c.Runs, c.RMSZ)
	}
	switch low, high := report.IsNumber(r.Lower), report.IsNumber(r.Upper); {
	case low && high:
		fmt.Fprintf(w, "  sandwich   %s to %s\n", num(r.Lower), num(r.Upper))
	case low:
		fmt.Fprintf(w, "  sandwich   from %s, no upper end\n", num(r.Lower))
	}
	if r.Floor != nil {
		fmt.Fprintf(w, "  floor      %s (%s), certain\n", num(r.Floor.LogZ), r.Floor.Kind)
	}
	if r.Truth != nil {
		off := "none"
		if report.IsNumber(r.LogZ) {
			off = format.ASCII(format.Signed(float64(r.LogZ-r.Truth.LogZ), 4))
		}
		fmt.Fprintf(w, "  exact      %.6f (%s), error %s\n", r.Truth.LogZ, r.Truth.Source, off)
	} else if r.Hint != "" {
		fmt.Fprintf(w, "  exact      not at hand; %s finds it\n", r.Hint)
	}
	if mean, ok := r.Diagnostics[estimators.DiagMeanLogLikelihood]; ok {
		fmt.Fprintf(w, "  data       mean log-likelihood at least %s +- %s, of %.0f data\n", num(mean),
			num(r.Diagnostics[estimators.DiagMeanLogLikelihoodSE]), float64(r.Diagnostics[estimators.DiagData]))
	}
	if r.Summary != nil {
		fmt.Fprintf(w, "  replicates %d: mean %s, sd %s, log-mean-exp %s, rms z %s\n", len(r.Replicates),
			num(r.Summary.Mean), num(r.Summary.SD), num(r.Summary.LogMeanExp), num(r.Summary.RMSZ))
	}
	fmt.Fprintf(w, "  cost       %.0f chain-sweeps, %.0f densities, %.2f s\n", float64(r.Cost.Sweeps),
		float64(r.Cost.Evaluations), float64(r.Cost.Seconds))
	if r.Verdict != nil {
		fmt.Fprintf(w, "  verdict    %s\n", r.Verdict.Level)
		for _, c := range r.Verdict.Checks {
			if !c.OK {
				fmt.Fprintf(w, "    %s: %s, needs %s. %s %s\n", c.Name, c.Text, c.Needs, c.Means, c.Do)
			}
		}
	}
	if s := page.Told(lang.New("en"), r); s != "" {
		fmt.Fprintf(w, "  method     %s\n", format.ASCII(s))
	}
	for _, f := range r.Notes() {
		fmt.Fprintf(w, "  note       %s: %s\n", f, f.Means())
	}
	fmt.Fprintf(w, "  link       #%s\n  hash       %s\n", r.Link, cmp.Or(r.Hash, "none"))
}

func linkCommand(o *options, stdout, _ io.Writer) (int, error) {
	j, view, err := o.job() // what cannot be run has no link
	if err != nil {
		return exitUsage, err
	}
	link := "#" + j.Spec.Link() + view.Link()
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(struct {
			Link string `json:"link"`
		}{link}))
	} else {
		fmt.Fprintln(stdout, link)
	}
	return exitOK, nil
}

// exact is what `exact -json` prints.
type exact struct {
	V           int                           `json:"v"`
	Model       string                        `json:"model"`
	LogZ        report.Number                 `json:"logz"`
	Source      string                        `json:"source"`
	Diagnostics map[diag.Number]report.Number `json:"diagnostics"`
}

func exactCommand(o *options, stdout, stderr io.Writer) (int, error) {
	if o.model == "" {
		return exitUsage, errors.New("-model is missing: a built-in name (see logz list) or a file")
	}
	ctx, stop := untilInterrupt()
	defer stop()
	var s *spec.Spec
	var m models.Model
	truth, err := unless(ctx, func() (truth *models.Truth, err error) {
		var src engine.Source
		if s, src, err = o.experiment(); err == nil {
			m, err = src.Open(s, o.meter)
		}
		if err == nil {
			truth, err = engine.Exact(ctx, m, o.workers)
		}
		return truth, err
	})
	if err != nil {
		return refused(err)
	}
	if o.json {
		answer := exact{V: spec.Version, Model: s.Model, LogZ: report.Number(truth.LogZ), Source: truth.Source,
			Diagnostics: map[diag.Number]report.Number{}}
		for name, x := range m.Info().Diagnostics {
			answer.Diagnostics[name] = report.Number(x)
		}
		fmt.Fprintf(stdout, "%s\n", report.Encode(answer))
	} else {
		fmt.Fprintf(stdout, "log Z = %s (%s)\n", spec.Decimal(truth.LogZ), truth.Source)
	}
	return exitOK, nil
}

func listCommand(o *options, stdout, _ io.Writer) (int, error) {
	l := report.List()
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(l))
		return exitOK, nil
	}
	fmt.Fprintln(stdout, "Models")
	for _, m := range l.Models {
		fmt.Fprintf(stdout, "  %-13s %s\n", m.Name, m.About)
	}
	for _, m := range l.Methods {
		fmt.Fprintf(stdout, "\n%s  %s\n", m.Name, m.About)
		listParams(stdout, m.Params)
	}
	var kinds []string
	for _, m := range l.Models {
		if len(m.Params) == 0 || slices.Contains(kinds, m.Kind) {
			continue
		}
		kinds = append(kinds, m.Kind)
		fmt.Fprintf(stdout, "\nmodels of kind %s\n", m.Kind)
		listParams(stdout, m.Params)
	}
	return exitOK, nil
}

// listParams shows parameters: the default, what else may be chosen, and the help.
func listParams(w io.Writer, params []spec.Param) {
	for _, p := range params {
		values := strings.Join(p.Choices, " | ")
		if p.Max > p.Min {
			values = spec.Decimal(p.Min) + " to " + spec.Decimal(p.Max)
		}
		if values != "" {
			values = "  (" + values + ")"
		}
		fmt.Fprintf(w, "  %-15s %-9s %s%s\n", p.Name, p.Default, p.Help, values)
	}
}

func checkCommand(o *options, stdout, _ io.Writer) (int, error) {
	results := report.Check(context.Background(), loadBundled, o.workers)
	bad := 0
	for _, r := range results {
		if !r.OK {
			bad++
		}
	}
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(results))
	} else {
		for _, r := range results {
			verdict := "same"
			if !r.OK {
				verdict = "DIFFERENT " + r.Problem
			}
			fmt.Fprintf(stdout, "%-9s %s %s\n", verdict, r.Hash, r.Link)
		}
		fmt.Fprintf(stdout, "%d golden links, %d differ\n", len(results), bad)
	}
	if bad > 0 {
		return exitFailed, fmt.Errorf("%d of %d golden links gave other digits", bad, len(results))
	}
	return exitOK, nil
}
