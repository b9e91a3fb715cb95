//go:build !js

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"logzlab/estimators/engine"
	"logzlab/estimators/papers"
	"logzlab/models"
)

// experimentCommand runs a named experiment, or lists them.
func experimentCommand(args []string, stdout, stderr io.Writer) (int, error) {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	f := flag.NewFlagSet("experiment", flag.ContinueOnError)
	dir, full, model := f.String("out", "", ""), f.Bool("full", false, ""), f.String("model", "", "")
	o := papers.Options{Load: loadBundled, Size: papers.Normal}
	f.IntVar(&o.Workers, "workers", runtime.NumCPU(), "")
	f.BoolVar(&o.Page, "page", false, "")
	f.BoolVar(&o.Continue, "continue", false, "")
	if err := parseFlags(f, args); err != nil {
		return exitUsage, err
	}
	switch {
	case o.Workers < 1:
		return exitUsage, fmt.Errorf("workers = %d must be at least 1", o.Workers)
	case name == "" && f.NFlag() > 0:
		return exitUsage, errors.New("experiment: the name is missing; it comes first, as in logz experiment arm-fig2 -full")
	case name == "":
		for _, e := range papers.All {
			fmt.Fprintf(stdout, "%-13s %s\n", e.Name, e.About)
		}
		return exitOK, nil
	}
	e := papers.Find(name)
	if e == nil {
		var names []string
		for _, e := range papers.All {
			names = append(names, e.Name)
		}
		return exitUsage, fmt.Errorf("experiment %q is not known; there are %s", name, strings.Join(names, ", "))
	}
	if *full {
		o.Size = papers.Full
	}
	own, err := ownFile(e, *model)
	if err != nil {
		return exitUsage, err
	}
	o.File = own
	if own != nil {
		bundled := o.Load
		o.Load = func(name string) ([]byte, error) {
			if name == e.File+".npz" {
				return os.ReadFile(*model)
			}
			return bundled(name)
		}
	}
	o.Dir = *dir
	if o.Dir == "" {
		o.Dir = name
	}
	line := newProgress(stderr, time.Now())
	o.Say = func(text string, done bool) {
		if done {
			line.clear()
			fmt.Fprintln(stderr, text)
		} else {
			line.say(text)
		}
	}
	ctx, stop := untilInterrupt()
	defer stop()
	out, err := papers.Run(ctx, e, o)
	line.clear()
	if out.Interrupted {
		return exitInterrupted, fmt.Errorf("interrupted: %d of %d points are in %s; -continue goes on from there", out.Saved,
			out.Planned, o.Dir)
	}
	if err != nil {
		return exitFailed, err
	}
	fmt.Fprintf(stdout, "%s\n", out.Summary())
	fmt.Fprintf(stdout, "The table, the chart and the report are in %s.\n", o.Dir)
	return exitOK, nil
}

// ownFile reads the file of an experiment about an own one.
func ownFile(e *papers.Experiment, name string) (models.File, error) {
	var src engine.Source
	id, file, err := (&options{model: name}).openFile(&src)
	switch {
	case err != nil:
		return nil, err
	case e.File == "" && name != "":
		return nil, fmt.Errorf("%s runs bundled models; leave -model out", e.Name)
	case e.File != "" && name == "" && e.Beside:
		return nil, nil
	case e.File != "" && !file:
		return nil, fmt.Errorf("%s runs a file that is not bundled: give it by -model FILE (%s)", e.Name, e.File)
	case e.File != id:
		return nil, fmt.Errorf("-model %s is %s, %s is about %s", name, id, e.Name, e.File)
	}
	return src.File, nil
}
