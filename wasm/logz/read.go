package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"logzlab/core/format"
	"logzlab/estimators/external"
	"logzlab/estimators/external/draws"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/report"
	"logzlab/models/stan"
	"logzlab/models/stan/program"
)

// Exit statuses of logz read -strict, beside those of all commands.
const (
	exitCaution = 3
	exitStop    = 4
)

// readCommand estimates log Z from samples that other programs have written, and prints a report for each method. With
// -strict the exit status is that of the best verdict.
func readCommand(args []string, stdout, _ io.Writer) (int, error) {
	var names, set []string
	f := flag.NewFlagSet("read", flag.ContinueOnError)
	asJSON, strict := f.Bool("json", false, ""), f.Bool("strict", false, "")
	method, model, data := f.String("method", "", ""), f.String("model", "", ""), f.String("data", "", "")
	f.Var(listFlag{&set}, "set", "")
	if err := parseFlags(f, args, &names); err != nil {
		return exitUsage, err
	}
	if len(names) == 0 {
		return exitUsage, errors.New("read: give the files with samples, as in logz read run.pp or logz read *.xvg")
	}

	o, err := external.ParseOptions(set)
	if err != nil {
		return exitUsage, err
	}
	var methods []string
	if *method != "" {
		methods = strings.Split(*method, ",")
	}
	files, err := openSamples(names)
	if err == nil {
		err = addProgram(&o, *model, *data)
	}
	if err != nil {
		return exitUsage, err
	}

	reports, err := external.Read(files, methods, o, newMeter())
	if err != nil {
		return exitUsage, err
	}
	best := external.Best(reports)
	if *asJSON {
		fmt.Fprintf(stdout, "%s\n", external.JSON(reports))
	} else {
		for _, line := range reports[0].Understood {
			fmt.Fprintln(stdout, line)
		}
		for _, r := range reports {
			printSampleReport(stdout, r)
		}
		if len(reports) > 1 {
			fmt.Fprintf(stdout, "read %s, the first with the best verdict\n", best.Method)
		}
	}

	switch {
	case *strict && best.Verdict.Level == report.Stop:
		return exitStop, nil
	case *strict && best.Verdict.Level == report.Caution:
		return exitCaution, nil
	}
	return exitOK, nil
}

// addProgram adds to the options o the Stan program whose posterior the draws are from, compiled with its data. It does
// nothing if neither -model nor -data is given.
func addProgram(o *external.Options, model, data string) error {
	switch {
	case model == "" && data == "":
		return nil
	case !isProgram(model):
		return errors.New("read: draws of a posterior need their program, with -model FILE.stan, and its data, with -data " +
			"FILE.json")
	}
	names := []string{model}
	if data != "" {
		names = append(names, data)
	}
	files, err := openSamples(names)
	if err != nil {
		return err
	}
	var texts [2][]byte
	for i := range files {
		if texts[i], err = files[i].Bytes(); err != nil {
			return err
		}
	}
	p, err := compilePosterior(string(texts[0]), texts[1])
	if err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	*o = draws.WithProgram(posteriorProgram{p}, *o, files)
	return nil
}

// posteriorProgram is the posterior of a Stan program. Package external searches it for modes that the draws miss.
type posteriorProgram struct{ *stan.Posterior }

// Unvisited returns the share of the posterior mass at modes that the points do not visit (program.UnvisitedMass).
func (p posteriorProgram) Unvisited(points []float64) float64 {
	return program.UnvisitedMass(p.Tape, points)
}

// compilePosterior compiles a Stan program with its data.
func compilePosterior(source string, data []byte) (*stan.Posterior, error) {
	p, err := stan.Read(source)
	if err != nil {
		return nil, err
	}
	return p.Posterior(data)
}

// openSamples returns the files with these names. A file is read when its method Load is called. A name of a missing
// file or of a folder is an error.
func openSamples(names []string) (files []samples.File, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is not a regular file; name the files, as %s", name, strings.TrimRight(name,
				"/")+"/*")
		}
		if err != nil {
			return nil, err
		}
		files = append(files, samples.File{Name: name, Size: int(info.Size()),
			Load: func() ([]byte, error) { return os.ReadFile(name) }})
	}
	return files, nil
}

// printSampleReport prints the report of one method on samples of another program as text.
func printSampleReport(w io.Writer, r *external.Report) {
	number := func(x report.Number) string {
		if !report.IsNumber(x) {
			return "none"
		}
		return format.ASCII(format.Fixed(float64(x), 4))
	}

	fmt.Fprintf(w, "%s on %s\n", r.Method, r.Source)
	fmt.Fprintf(w, "  log Z      %s +- %s (%s, bias: %s)\n", number(r.LogZ), number(r.SE), r.SEMethod, r.Bias)
	if f := r.FreeEnergy; f != nil {
		fmt.Fprintf(w, "  difference %s +- %s kT", number(f.KT), number(f.SE))
		if report.IsNumber(f.KJ) {
			fmt.Fprintf(w, ", %s +- %s kJ/mol, %s +- %s kcal/mol", number(f.KJ), number(f.SEKJ), number(f.KCal),
				number(f.SEKCal))
		}
		fmt.Fprintln(w)
	}
	if report.IsNumber(r.Lower) {
		fmt.Fprintf(w, "  both ends  %s to %s\n", number(r.Lower), number(r.Upper))
	}
	for i, z := range r.Replicates {
		se := ""
		if i < len(r.ReplicateSE) {
			se = " +- " + number(r.ReplicateSE[i])
		}
		fmt.Fprintf(w, "  run %-6d %s%s\n", i+1, number(z), se)
	}

	fmt.Fprintf(w, "  verdict    %s\n", r.Verdict.Level)
	for _, c := range r.Verdict.Checks {
		if c.OK {
			continue
		}
		location := ""
		if c.At != "" {
			location = " (" + c.At + ")"
		}
		fmt.Fprintf(w, "    %s%s: %s, needs %s. %s %s\n", c.Name, location, c.Text, c.Needs, c.Meaning, c.Advice)
	}
	for _, step := range r.Next {
		fmt.Fprintf(w, "  next       %s\n", format.ASCII(step.Phrase().Error()))
	}
	fmt.Fprintf(w, "  hash       %s\n", r.Hash)
}
