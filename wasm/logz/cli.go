package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"logzlab/core/diag"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/models/graph"
)

// Exit statuses; site/docs/contract.md documents them.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// A commandFunc runs a command with its arguments. It prints its result to stdout and its progress to stderr, and
// returns the exit status.
type commandFunc func(args []string, stdout, stderr io.Writer) (status int, err error)

// commands lists the commands, in the order of the overview.
var commands = []struct {
	name string
	run  commandFunc
}{
	{"run", withOptions("run", runCommand)},
	{"exact", withOptions("exact", exactCommand)},
	{"bounds", withOptions("bounds", boundsCommand)},
	{"compare", compareCommand},
	{"prior", withOptions("prior", priorCommand)},
	{"read", readCommand},
	{"train", trainCommand},
	{"tape", withOptions("tape", tapeCommand)},
	{"link", withOptions("link", linkCommand)},
	{"list", withOptions("list", listCommand)},
	{"experiment", experimentCommand},
	{"host", hostCommand},
	{"work", workCommand},
	{"part", partCommand},
	{"join", joinCommand},
	{"mark", markCommand},
	{"check", withOptions("check", checkCommand)},
	{"version", withOptions("version", versionCommand)},
}

// withOptions returns a command that parses its flags and passes them to run.
func withOptions(name string, run func(o *options, stdout, stderr io.Writer) (int, error)) commandFunc {
	return func(args []string, stdout, stderr io.Writer) (int, error) {
		o, err := parseOptions(name, args)
		if err != nil {
			return exitUsage, err
		}
		return run(o, stdout, stderr)
	}
}

// cli runs one command and returns the exit status.
func cli(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, overview)
		return exitUsage
	}
	name := args[0]
	isHelp := func(arg string) bool { return slices.Contains([]string{"-h", "-help", "--help"}, arg) }
	switch {
	case name == "-version" || name == "--version":
		name = "version"
	case name == "help" || isHelp(name):
		return help(args[1:], stdout, stderr)
	case slices.ContainsFunc(args[1:], isHelp):
		return help(args[:1], stdout, stderr)
	}
	var run commandFunc
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
		if c.name == name {
			run = c.run
		}
	}
	if run == nil {
		fmt.Fprintf(stderr, "logz: unknown command %q%s; the commands are %s\n", name, problem.Suggest(name, names),
			strings.Join(names, ", "))
		return exitUsage
	}

	// An error of writing to stdout is a failure as well.
	out := &output{w: stdout}
	status, err := run(args[1:], out, stderr)
	if err == nil && out.err != nil {
		status, err = exitFailed, fmt.Errorf("the result could not be written: %w", out.err)
	}
	if err != nil {
		text, multiline := compilerError(err)
		text = explainSystemError(text, err)
		if !multiline {
			text = oneLine(text)
		}
		fmt.Fprintln(stderr, "logz: "+text)
		if status == exitOK {
			status = exitFailed
		}
	}
	return status
}

// explainSystemError returns the text of err. If err is about a file that does not exist or may not be opened, the
// words of the operating system are replaced by advice.
func explainSystemError(text string, err error) string {
	var system *fs.PathError
	switch {
	case !errors.As(err, &system):
		return text
	case errors.Is(system, fs.ErrNotExist):
		return strings.Replace(text, system.Error(), system.Path+" was not found; check its name and folder", 1)
	case errors.Is(system, fs.ErrPermission):
		return strings.Replace(text, system.Error(), system.Path+" may not be opened by this user; change its permissions", 1)
	}
	return text
}

// help prints the overview, or the help on a command or another topic.
func help(topics []string, stdout, stderr io.Writer) int {
	if len(topics) == 0 {
		fmt.Fprint(stdout, overview)
		return exitOK
	}
	text, ok := helpTexts[topics[0]]
	if !ok {
		fmt.Fprintf(stderr, "logz: there is no help on %q%s; run logz help for the list of commands\n", topics[0],
			problem.Suggest(topics[0], slices.Collect(maps.Keys(helpTexts))))
		return exitUsage
	}
	fmt.Fprint(stdout, text)
	return exitOK
}

// output is a writer that stores its first error, so that a result that does not fit on the disk is reported.
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

// errInterrupted means that a command was interrupted before it had a result.
var errInterrupted = errors.New("interrupted; there is no result yet")

// errStopped means that a command was interrupted and has saved its results so far.
var errStopped = errors.New("stopped; the same command continues")

// await calls f and returns its result, or errInterrupted as soon as ctx is done. f may then still run in the
// background, because opening a model cannot be interrupted.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		x   T
		err error
	}
	c := make(chan result, 1)
	go func() { x, err := f(); c <- result{x, err} }()
	select {
	case r := <-c:
		if r.err == nil || ctx.Err() == nil {
			return r.x, r.err
		}
	case <-ctx.Done():
	}
	var zero T
	return zero, errInterrupted
}

// inputError returns the exit status of an error that occurs before a run begins, and the error.
func inputError(err error) (int, error) {
	if err == errInterrupted {
		return exitInterrupted, err
	}
	return exitUsage, err
}

// linkCommand prints the link of an experiment. It creates the job as well, so that an experiment that cannot run is an
// error.
func linkCommand(o *options, stdout, _ io.Writer) (int, error) {
	j, view, err := o.newJob()
	if err != nil {
		return exitUsage, err
	}
	view.Program = cmp.Or(view.Program, o.packedProgram)
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

// exactResult is the JSON of `logz exact`.
type exactResult struct {
	V           int                           `json:"v"`
	Model       string                        `json:"model"`
	LogZ        report.Number                 `json:"logz"`
	Source      string                        `json:"source"`
	Uncertainty report.Number                 `json:"uncertainty,omitempty"` // nats; of integrals only
	Understood  string                        `json:"understood,omitempty"`  // description of the file, if the model is one
	Data        *report.Data                  `json:"data,omitempty"`
	Diagnostics map[diag.Number]report.Number `json:"diagnostics"`
	Flags       []diag.Flag                   `json:"flags"`
}

// exactCommand prints the exact log Z of a model.
func exactCommand(o *options, stdout, stderr io.Writer) (int, error) {
	if o.model == "" {
		return exitUsage, errors.New("-model is missing: a built-in name (see logz list) or a file")
	}
	ctx, stop := untilInterrupt()
	defer stop()

	var s *spec.Spec
	var m models.Model
	var data *report.Data
	truth, err := await(ctx, func() (truth *models.Truth, err error) {
		var src engine.Source
		if s, src, err = o.experiment(); err == nil {
			m, err = src.Open(s, o.meter)
		}
		if err == nil {
			truth, err = engine.Exact(ctx, m, o.workers)
		}
		if err == nil && o.rowsID != "" {
			if rows := report.MeasureRows(m, func() bool { return ctx.Err() == nil }); rows != nil {
				data = rows.Likelihood(truth.LogZ, truth.LogZ)
			}
		}
		return truth, err
	})
	if err != nil {
		return inputError(err)
	}

	flags := append([]diag.Flag{}, m.Info().Flags...)
	if math.IsInf(truth.LogZ, -1) && !slices.Contains(flags, graph.FlagZeroSum) {
		flags = append(flags, graph.FlagZeroSum)
	}
	description := ""
	if d := m.Info().Understood; d != nil && spec.IsFile(s.Model) {
		description = d.Error()
	}
	if o.json {
		r := exactResult{V: spec.Version, Model: s.Model, LogZ: report.Number(truth.LogZ), Source: truth.Source,
			Uncertainty: report.Number(truth.Error), Understood: description, Data: data, Diagnostics: map[diag.Number]report.Number{}, Flags: flags}
		for name, x := range m.Info().Diagnostics {
			r.Diagnostics[name] = report.Number(x)
		}
		fmt.Fprintf(stdout, "%s\n", report.Encode(r))
	} else {
		value := report.Truth{LogZ: report.Number(truth.LogZ), Source: truth.Source, Uncertainty: report.Number(truth.Error)}
		logz := spec.Decimal(truth.LogZ)
		if truth.Error > 0 { // as many decimals as two significant figures of the uncertainty need
			logz = strconv.FormatFloat(truth.LogZ, 'f', max(2, min(12, 2-int(math.Floor(math.Log10(truth.Error))))), 64)
		}
		fmt.Fprintf(stdout, "log Z = %s (%s)\n", logz, value.SourceText())
		if description != "" {
			fmt.Fprintf(stdout, "  model      %s\n", description)
		}
		printData(stdout, data)
		for _, f := range flags {
			fmt.Fprintf(stdout, "  note       %s: %s\n", f, diag.Meanings[f])
		}
	}
	return exitOK, nil
}

// listCommand prints the built-in models, the methods, and their parameters.
func listCommand(o *options, stdout, _ io.Writer) (int, error) {
	l := report.List(catalog.Names{})
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(l))
		return exitOK, nil
	}
	fmt.Fprintln(stdout, "Models")
	for _, m := range l.Models {
		fmt.Fprintf(stdout, "  %-15s %s\n", m.Name, m.About)
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

// listParams prints a line for each parameter: name, default, help, and choices or range.
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

// checkCommand runs the golden links and the golden Stan programs, and compares the results with the expected ones.
func checkCommand(o *options, stdout, _ io.Writer) (int, error) {
	results := append(report.Check(context.Background(), loadBundled, o.workers),
		checkPrograms(context.Background(), o.workers)...)
	different := 0
	for _, r := range results {
		if !r.OK {
			different++
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
		fmt.Fprintf(stdout, "%d golden links, %d differ\n", len(results), different)
	}
	if different > 0 {
		return exitFailed, fmt.Errorf("%d of %d golden links gave other results", different, len(results))
	}
	return exitOK, nil
}

// oneLine returns text as one line of at most about 2,000 characters. Control characters, which names in a file may
// contain, become blanks.
func oneLine(text string) string {
	const limit = 2000
	if runes := []rune(text); len(runes) > limit {
		text = string(runes[:limit-500]) + " ... " + string(runes[len(runes)-495:])
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
