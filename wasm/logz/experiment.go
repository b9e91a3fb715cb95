//go:build !js

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/estimators/papers"
	"logzlab/estimators/papers/figures"
	"logzlab/models"
)

// experimentCommand runs a named experiment of package papers, or lists all of them.
func experimentCommand(args []string, stdout, stderr io.Writer) (int, error) {
	experiment, o, err := parseExperiment(args, stdout, stderr)
	switch {
	case err != nil:
		return exitUsage, err
	case experiment == nil:
		return exitOK, nil
	}
	line := newProgress(stderr, time.Now())
	o.Say = func(text string, done bool) {
		if done {
			line.clear()
			fmt.Fprintln(stderr, text)
		} else {
			line.setLine(text)
		}
	}
	ctx, stop := untilInterrupt()
	defer stop()
	out, err := papers.Run(ctx, experiment, *o)
	line.clear()

	switch {
	case out.Interrupted && o.Part.N > 0:
		return exitInterrupted, errStopped
	case out.Interrupted:
		return exitInterrupted, fmt.Errorf("interrupted: %d of %d points are in %s; -continue continues from there", out.Saved,
			out.Planned, o.Dir)
	case err != nil:
		return exitFailed, err
	case o.Part.N > 0:
		fmt.Fprintf(stdout, "part %d/%d has its %d points in %s; when all parts are there, the command with -continue in "+
			"place of -part joins them\n", o.Part.K, o.Part.N, out.Planned, o.Dir)
		return exitOK, nil
	}
	fmt.Fprintf(stdout, "%s\n", out.Summary())
	fmt.Fprintf(stdout, "The table, the chart and the report are in %s.\n", o.Dir)
	return exitOK, nil
}

// parseExperiment returns the experiment that the arguments name, and how to run it. Without arguments it prints the
// list of experiments and returns nil.
func parseExperiment(args []string, stdout, stderr io.Writer) (*papers.Experiment, *papers.Options, error) {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	f := flag.NewFlagSet("experiment", flag.ContinueOnError)
	dir, full := f.String("out", "", ""), f.Bool("full", false, "")
	model, data := f.String("model", "", ""), f.String("data", "", "")
	o := papers.Options{Load: loadBundled, Size: papers.Normal}
	f.IntVar(&o.Workers, "workers", runtime.NumCPU(), "")
	f.BoolVar(&o.Page, "page", false, "")
	f.BoolVar(&o.Continue, "continue", false, "")
	part, numbering := f.String("part", "", ""), numbering{}
	numbering.flags(f)
	if err := parseFlags(f, args, nil); err != nil {
		return nil, nil, err
	}

	switch {
	case o.Workers < 1:
		return nil, nil, fmt.Errorf("workers = %d must be at least 1", o.Workers)
	case name == "" && f.NFlag() > 0:
		return nil, nil, errors.New("experiment: the name is missing; it comes first, as in logz experiment arm-fig2 -full")
	case name == "":
		for _, e := range figures.All {
			fmt.Fprintf(stdout, "%-13s %s\n", e.Name, e.About)
		}
		return nil, nil, nil
	}
	e := figures.Find(name)
	if e == nil {
		var names []string
		for _, e := range figures.All {
			names = append(names, e.Name)
		}
		return nil, nil, fmt.Errorf("there is no experiment %q%w; there are %s", name, problem.Suggest(name, names),
			strings.Join(names, ", "))
	}

	if *full {
		o.Size = papers.Full
	}
	err := openOwnFiles(&o, e, *model, *data)
	if err != nil {
		return nil, nil, err
	}
	if o.Part, err = experimentPart(e, o, *part, numbering, stderr); err != nil {
		return nil, nil, err
	}
	if o.Dir = *dir; o.Dir == "" {
		o.Dir = name
	}
	return e, &o, nil
}

// openOwnFiles reads the files of -model and -data into o. A file that the experiment does not use, and a missing file
// that it needs, are errors.
func openOwnFiles(o *papers.Options, e *papers.Experiment, model, data string) (err error) {
	if o.File, err = ownFile(e, model); err != nil {
		return err
	}
	if o.Rows, err = ownRows(e, data); err != nil {
		return err
	}
	bundled := o.Load
	o.Load = func(name string) ([]byte, error) {
		switch {
		case o.File != nil && name == e.File+".npz":
			return readFile(model, modelfile.MaxInflated)
		case o.Rows && name == e.File:
			return readFile(data, modelfile.MaxInflated)
		}
		return bundled(name)
	}
	return nil
}

// ownRows checks that the file name is the data rows of the experiment e. It returns false if name is empty.
func ownRows(e *papers.Experiment, name string) (bool, error) {
	if name == "" {
		return false, nil
	}
	if !e.Rows {
		return false, fmt.Errorf("%s takes no rows; leave -data out", e.Name)
	}
	b, err := readFile(name, modelfile.MaxInflated)
	if err == nil && modelfile.ID(b) != e.File {
		err = fmt.Errorf("-data %s is %s, %s is about %s", name, modelfile.ID(b), e.Name, e.File)
	}
	return err == nil, err
}

// ownFile reads the model file of the experiment e. It returns nil if the experiment needs no file.
func ownFile(e *papers.Experiment, name string) (models.File, error) {
	var src engine.Source
	id, isFile, err := (&options{model: name}).openFile(&src)
	switch {
	case err != nil:
		return nil, err
	case (e.File == "" || e.Rows) && name != "":
		return nil, fmt.Errorf("%s runs bundled models; leave -model out", e.Name)
	case e.File != "" && name == "" && e.FileOptional:
		return nil, nil
	case e.File != "" && !isFile:
		return nil, fmt.Errorf("%s runs a file that is not bundled: give it by -model FILE (%s)", e.Name, e.File)
	case e.File != id:
		return nil, fmt.Errorf("-model %s is %s, %s is about %s", name, id, e.Name, e.File)
	}
	return src.File, nil
}
