//go:build !js

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/room/exchange"
)

// partCommand computes one of several parts of an experiment, into a file.
func partCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("part", args)
	if err != nil {
		return exitUsage, err
	}
	which, err := o.which(stderr)
	if err != nil {
		return exitUsage, err
	}

	// The job. If its model has a drawing, log p also needs the free log Z, by a job of its own.
	ctx, stop := untilInterrupt()
	defer stop()
	j, err := unless(ctx, func() (*engine.Job, error) { j, _, err := o.job(); return j, err })
	if err != nil {
		return refused(err)
	}
	jobs, link := []*engine.Job{j}, j.Spec.Link()
	if report.LacksFree(j.Model) {
		free, err := o.open(report.WithoutDrawing(j.Spec, j.Spec.Methods...))
		if err != nil {
			return exitUsage, err
		}
		jobs = append(jobs, free)
	}

	// The part's file goes on from what is there, and other parts help with their results.
	file, others, err := o.partFile(which, j)
	if err != nil {
		return exitUsage, err
	}
	line := newProgress(stderr, time.Now())
	p := &exchange.Part{Progress: line.show}
	if err := others.load(p, link, stderr); err != nil {
		return exitUsage, err
	}
	if err := p.Open(file, link, which); err != nil {
		return exitUsage, err
	}
	defer p.Journal.Close()
	notice(stderr, p.Journal.Lost)
	if p.Journal.Free {
		fmt.Fprintf(stderr, "logz: the folder of %s cannot lock files: see to it that no two tasks compute the same part at "+
			"once, which would cost their work, though never a digit\n", file)
	}
	for range o.workers {
		w := newWorker()
		if err := exchange.Files(w, o.files); err != nil {
			return exitFailed, err
		}
		p.Workers = append(p.Workers, w)
	}

	// The run, and what is left to do.
	missing, complete := 0, true
	for _, j := range jobs {
		var m int
		if m, err = p.Run(ctx, j); err != nil {
			break
		}
		missing, complete = missing+m, complete && j.Complete(which.K-1, which.N)
	}
	line.clear()
	if tidy := p.Tidy(); tidy != nil && err == nil {
		fmt.Fprintf(stderr, "logz: %s stays larger than it need be: %v\n", file, tidy)
	}
	switch {
	case ctx.Err() != nil:
		return exitInterrupted, errStopped
	case err != nil:
		return exitFailed, err
	case missing > 0 && !complete:
		fmt.Fprintf(stdout, "part %s is in %s; it has all that it can compute without %d units of other parts: the same "+
			"command goes on when they are there%s\n", which, file, missing, others.how())
	default:
		fmt.Fprintf(stdout, "part %s is in %s; this part is complete\n", which, file)
	}
	return exitOK, nil
}

// which reads K/N, or takes the part from the scheduler, and the link that may follow.
func (o *options) which(stderr io.Writer) (w exchange.Which, err error) {
	names := o.names
	if o.out == "" {
		err = errors.New("part: -out FILE or -out FOLDER/ is missing")
	}
	if len(names) > 0 && !strings.Contains(names[0], "=") { // no link
		var bad error
		if w, bad = parsePart(names[0]); bad != nil {
			return w, bad
		}
		if o.cut.of >= 0 || o.cut.from >= 0 {
			return w, fmt.Errorf("part: %s says which part it is; leave -of and -from out", names[0])
		}
		return w, cmp.Or(err, o.linked(names[1:]))
	}
	t, bad := arrayTask(os.Getenv, o.cut)
	switch {
	case bad != nil:
		return w, fmt.Errorf("part: %w", bad)
	case t == nil:
		return w, errors.New("part: which one is missing; it comes first, as in logz part 2/8 -model ... -out FILE. A task " +
			"of an array of Slurm, Kubernetes, AWS Batch, Grid Engine, LSF or PBS needs none")
	}
	if err = cmp.Or(err, o.linked(names)); err == nil {
		fmt.Fprintln(stderr, t.says())
	}
	return exchange.Which{K: t.k, N: t.n, Array: t.numbering()}, err
}

// parsePart reads K/N.
func parsePart(text string) (w exchange.Which, err error) {
	_, err = fmt.Sscanf(text+" ", "%d/%d ", &w.K, &w.N)
	if err != nil || w.K < 1 || w.K > w.N || w.N > mostParts {
		return w, fmt.Errorf("the part %q must be K/N, as 2/8: the second of eight", text)
	}
	return w, nil
}

// others are files of other parts whose results count too.
type others struct {
	files []string
	found bool // in a folder, where one may be new or under way
}

// partFile is the file of the part of a job, and the files of others: those of -with, and those beside it in the folder
// of -out where lanes need each other.
func (o *options) partFile(w exchange.Which, j *engine.Job) (file string, with others, err error) {
	if o.with != "" {
		with.files = strings.Split(o.with, ",")
	}
	st, err := os.Stat(o.out)
	if folder := err == nil && st.IsDir(); !folder && !endsFolder(o.out) {
		return o.out, with, nil
	}
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return "", with, err
	}
	link := j.Spec.Link()
	file = w.FileIn(o.out, link)
	if err := w.Agrees(o.out, link); err != nil {
		return "", with, err
	}
	if j.Spec.Replicates < w.N && o.with == "" {
		all, err := exchange.PartsIn(o.out)
		if err != nil {
			return "", with, err
		}
		with.found = true
		for _, f := range all {
			if f.Experiment == exchange.Experiment(link) && f.Path != file {
				with.files = append(with.files, f.Path)
			}
		}
	}
	return file, with, nil
}

// endsFolder reports whether a name is meant as that of a folder.
func endsFolder(name string) bool { return name != "" && os.IsPathSeparator(name[len(name)-1]) }

// load gives a part what others have.
func (o others) load(p *exchange.Part, link string, stderr io.Writer) error {
	for _, name := range o.files {
		f, err := exchange.ReadPart(name)
		if o.found && errors.Is(err, exchange.ErrNoPart) {
			continue
		}
		if err == nil && f.Link != link {
			err = fmt.Errorf("%s is a part of another experiment, #%s", name, f.Link)
		}
		if err == nil {
			err = p.Load(name, f.Records)
		}
		if err != nil {
			return err
		}
		if !o.found {
			notice(stderr, f.Lost)
		}
	}
	return nil
}

// how says how a part goes on that needs others.
func (o others) how() string {
	if o.found {
		return ""
	}
	return ", by -with and their files"
}

// notice says what is wrong, but does not end the command.
func notice(stderr io.Writer, err error) {
	if err != nil {
		fmt.Fprintln(stderr, "logz:", err)
	}
}
