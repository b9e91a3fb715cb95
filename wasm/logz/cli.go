package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"logzlab/core/diag"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/models/graph"
)

// Exit statuses (contract.md, The command).
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

const usage = `logz estimates log Z, a normalising constant, and shows how far to trust it.

  logz run -model M [-data FILE] -method X [-seed N] [-set key=value]... [-replicates R | -target SE
           [-limit SWEEPS]] [-workers W] [-json] [-draws FILE.csv] [-ukn FILE.npz]
  logz run -link LINK [-model FILE [-data FILE]] [-json]
  logz link -model M -method X ... | -link LINK [-json]
                                       print the canonical link of an experiment
  logz exact -model M [-set key=value]... [-workers W] [-json]
                                       exact log Z, where a closed form, quadrature, elimination or
                                       enumeration gives it
  logz bounds LINK | -model M [-set key=value]... [-json]
                                       an interval that has log Z of a graph for certain; it gets narrower until the
                                       ends meet, memory ends or Ctrl-C. It is the page's: with LINK it checks that
  logz tape -model FILE.stan [-data FILE] -out FILE.tape [-json]
                                       compile a program of the Stan language with its data
  logz prior FILE.stan [-data FILE] [-method X] [-target SE] [-set key=value]... [-workers W] [-json]
                                       log Z of the priors of such a program alone, without its likelihood: 0 where
                                       they are normalised; says by how much they are not, and what has no prior
  logz compare A B [-method X] [-set key=value]... [-workers W] [-json]
                                       log Bayes factor of two models of the same data, with its error bar and what it
                                       means; A and B are models or links
  logz read FILES... [-model FILE.stan [-data FILE]] [-method X] [-set key=value]... [-json] [-strict]
                                       log Z from what other programs left behind (RevBayes, MrBayes, BEAST, GROMACS,
                                       alchemlyb, pymbar, nested sampling; with -model and -data draws of Stan), with
                                       error bars and a verdict; -strict: the exit status is 3 for caution and 4 for
                                       stop
  logz list [-json]                    models, methods and their parameters
  logz check [-workers W] [-json]      run the golden links and compare every digit
  logz experiment [NAME] [-model|-data FILE] [-out DIR] [-full] [-continue | -part K/N|array] [-page] [-workers W]
                                       list the named experiments, or make a paper's figure again: -full at its sizes,
                                       -continue from the points that DIR has, -page with a page for the site, -model
                                       or -data for one that runs an own file. -part computes every Nth point, for
                                       -continue to join (array: the task of a scheduler's array, as in part)
  logz train -data FILE|bars|digits -out FILE.npz [-test FILE] [-threshold X] [-rows N] [-hidden J]
             [-gradient cd|pcd|rts] [-seed N] [-bits B] [-name NAME] [-PARAMETER VALUE]... [-json]
                                       train an RBM on rows of 0 and 1, following log Z; see site/docs/training.md.
                                       Interrupted, it keeps FILE.npz.part, and the same command goes on from there
  logz host LINK | -model M -method X ... -replicates R [-addr URL|HOST:PORT] [-workers W] [-give]
           [-verify SHARE] [-name NAME] [-file FILE] [-json]
                                       run an experiment in a room, whose devices compute whole replicates; the result
                                       is that of run. -addr opens the room on that server, or on its own at
                                       127.0.0.1:8080; -workers takes replicates here, too; -give sends an own model to
                                       all; -verify is the share of the replicates that are computed here as well
                                       (0.05); its server also answers to -name; -file (logz-*.room) keeps the address
                                       of the room: ended or crashed, the same command goes on from there
  logz work URL [-workers W] [-model FILE [-data FILE]]
                                       join a room and compute replicates until it is closed
  logz part [K/N] LINK | -model M -method X ... -replicates R -out FILE|FOLDER/ [-of N [-from F]] [-workers W]
                                       compute every Nth replicate of an experiment, from the Kth, without a network. A
                                       task of a scheduler's array takes K and N from there; -of gives N, -from the
                                       number of the task for part 1. In a folder it names the file. The same command
                                       goes on from the file
  logz join FOLDER|FILE... [-model FILE [-data FILE]] [-json]
                                       put the parts together and print what run prints, or say which replicates are
                                       missing and by which line they are computed

M is a built-in name (see logz list) or a .json, .npz, .pt, .mat, .safetensors, .csv, .uai, .tape or .stan file, or
W.npy,a.npy,b.npy. X is one method or several, comma separated; without -method it is auto, which chooses the rest for
0.1 nat. A key is a parameter from logz list, as chains or ais.chains. -target repeats each method until its error bar
is SE nats or less, or -limit sweeps (10,000,000) are used up. -data FILE gives data rows (.npy, .npz, .csv, idx, .gz)
beside an RBM of your own: base rates, and what raise starts from. A graph is a .uai or .uai.gz file, or a .csv of
couplings i,j,J; beside a .uai file -evidence FILE.evid says which variables are known. A program of the Stan language
is a .stan file; its data are the -data FILE.json or .csv beside it. -draws writes 1000 draws from the posterior as
CmdStan does; -ukn the samples of rts, ts, ti, bar, mbar or stepping-stone under all rungs, as pymbar reads them.
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

	// The commands.
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
		"bounds":     with(boundsCommand),
		"tape":       with(tapeCommand),
		"prior":      with(priorCommand),
		"check":      with(checkCommand),
		"compare":    compareCommand,
		"read":       readCommand,
		"experiment": experimentCommand, "host": hostCommand, "work": workCommand,
		"part": partCommand, "join": joinCommand, "train": trainCommand,
	}[name]
	if !ok {
		fmt.Fprintf(stderr, "logz: unknown command %q; the commands are run, link, exact, bounds, tape, prior, compare, read, "+
			"list, check, experiment, train, host, work, part and join\n", name)
		return exitUsage
	}

	// A result that cannot be written is a failure, too.
	out := &output{w: stdout}
	status, err := run(args[1:], out, stderr)
	if err == nil && out.err != nil {
		status, err = exitFailed, fmt.Errorf("the result could not be written: %w", out.err)
	}

	// How the command ended, in words and as a status.
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return exitOK
	}
	if err != nil {
		text, lines := ofProgram(err)
		if !lines {
			text = oneLine(text)
		}
		fmt.Fprintln(stderr, "logz: "+text)
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

// errStopped says that a command was ended and its work is saved.
var errStopped = errors.New("stopped; the same command goes on")

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

func linkCommand(o *options, stdout, _ io.Writer) (int, error) {
	j, view, err := o.job() // what cannot be run has no link
	if err != nil {
		return exitUsage, err
	}
	view.Program = cmp.Or(view.Program, o.packed)
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
	Uncertainty report.Number                 `json:"uncertainty,omitempty"` // nats, of an integral
	Understood  string                        `json:"understood,omitempty"`  // of an own file
	Data        *report.Data                  `json:"data,omitempty"`
	Diagnostics map[diag.Number]report.Number `json:"diagnostics"`
	Flags       []diag.Flag                   `json:"flags"`
}

func exactCommand(o *options, stdout, stderr io.Writer) (int, error) {
	if o.model == "" {
		return exitUsage, errors.New("-model is missing: a built-in name (see logz list) or a file")
	}
	ctx, stop := untilInterrupt()
	defer stop()

	// The exact log Z, and the likelihood of rows of data.
	var s *spec.Spec
	var m models.Model
	var data *report.Data
	truth, err := unless(ctx, func() (truth *models.Truth, err error) {
		var src engine.Source
		if s, src, err = o.experiment(); err == nil {
			m, err = src.Open(s, o.meter)
		}
		if err == nil {
			truth, err = engine.Exact(ctx, m, o.workers)
		}
		if err == nil && o.rows != "" {
			if rows := report.MeasureRows(m, func() bool { return ctx.Err() == nil }); rows != nil {
				data = rows.Between(truth.LogZ, truth.LogZ)
			}
		}
		return truth, err
	})
	if err != nil {
		return refused(err)
	}

	// The answer, for programs or for people.
	flags := append([]diag.Flag{}, m.Info().Flags...)
	if math.IsInf(truth.LogZ, -1) && !slices.Contains(flags, graph.FlagZeroSum) {
		flags = append(flags, graph.FlagZeroSum)
	}
	own := ""
	if said := m.Info().Understood; said != nil && spec.IsFile(s.Model) {
		own = said.Error()
	}
	if o.json {
		answer := exact{V: spec.Version, Model: s.Model, LogZ: report.Number(truth.LogZ), Source: truth.Source,
			Uncertainty: report.Number(truth.Error), Understood: own, Data: data, Diagnostics: map[diag.Number]report.Number{}, Flags: flags}
		for name, x := range m.Info().Diagnostics {
			answer.Diagnostics[name] = report.Number(x)
		}
		fmt.Fprintf(stdout, "%s\n", report.Encode(answer))
	} else {
		said := report.Truth{LogZ: report.Number(truth.LogZ), Source: truth.Source, Uncertainty: report.Number(truth.Error)}
		digits := spec.Decimal(truth.LogZ)
		if truth.Error > 0 { // two digits of the uncertainty
			digits = strconv.FormatFloat(truth.LogZ, 'f', max(2, min(12, 2-int(math.Floor(math.Log10(truth.Error))))), 64)
		}
		fmt.Fprintf(stdout, "log Z = %s (%s)\n", digits, said.From())
		if own != "" {
			fmt.Fprintf(stdout, "  model      %s\n", own)
		}
		printData(stdout, data)
		for _, f := range flags {
			fmt.Fprintf(stdout, "  note       %s: %s\n", f, diag.Meanings[f])
		}
	}
	return exitOK, nil
}

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
	results := append(report.Check(context.Background(), loadBundled, o.workers),
		checkPrograms(context.Background(), o.workers)...)
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

// oneLine puts a text on one line of at most 2,000 characters, with blanks for control characters, which names in a
// file may contain.
func oneLine(text string) string {
	const most = 2000
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-500]) + " ... " + string(runes[len(runes)-495:])
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
