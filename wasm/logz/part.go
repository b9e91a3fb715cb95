//go:build !js

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"logzlab/core/files/disk"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/rooms/room"
)

// partCommand computes every nth replicate of an experiment. It appends a line to a file for each run that ends, and
// leaves out runs that the file has.
func partCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("part", args)
	if err != nil {
		return exitUsage, err
	}
	k, n, err := o.which(stderr)
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
	if r := j.Spec.Replicates; r < n {
		return exitUsage, fmt.Errorf("part: the experiment has -replicates %d, too few for %d parts: use -replicates %d (a "+
			"multiple of it spreads evenly), or parts K/N with N at most %d", r, n, n, r)
	}
	jobs, link := []*engine.Job{j}, j.Spec.Link()
	if report.LacksFree(j.Model) {
		free, err := o.open(report.WithoutDrawing(j.Spec, j.Spec.Methods...))
		if err != nil {
			return exitUsage, err
		}
		jobs = append(jobs, free)
	}

	// The file, and what it has.
	known := &outcomes{link: link, stderr: stderr}
	f, err := o.partFile(k, n, known)
	if err != nil {
		return exitUsage, err
	}
	defer f.Close()
	ctx, f.stop = context.WithCancel(ctx)
	defer f.stop()

	// The run.
	progress := newProgress(stderr, time.Now())
	defer progress.clear()
	for i, j := range jobs {
		of := runOf{Free: i == 1}
		j.Share(k, n, func(id engine.RunID, outcome []byte) {
			of.RunID = id
			f.append(outcomeLine{link, room.Build, fmt.Sprintf("%d/%d", k, n), of, outcome})
		})
		if err := known.restore(j, of.Free); err != nil {
			return exitFailed, err
		}
		if len(j.Missing()) == 0 {
			continue
		}
		switch err := engine.Run(ctx, j, o.workers, progress.show); {
		case f.err != nil:
			return exitFailed, f.err
		case err != nil:
			return exitInterrupted, errStopped
		}
	}
	if err := f.Close(); err != nil { // some file systems write only now
		return exitFailed, err
	}
	progress.clear()
	fmt.Fprintf(stdout, "part %d/%d is in %s; this part is complete\n", k, n, f.Name())
	return exitOK, nil
}

// which reads K/N, or takes the part from the scheduler, and the link that may follow.
func (o *options) which(stderr io.Writer) (k, n int, err error) {
	names := o.names
	if o.out == "" {
		err = errors.New("part: -out FILE or -out FOLDER/ is missing")
	}
	if len(names) > 0 && !strings.Contains(names[0], "=") { // no link
		k, n, bad := parsePart(names[0])
		if bad == nil && (o.cut.of >= 0 || o.cut.from >= 0) {
			bad = fmt.Errorf("part: %s says which part it is; leave -of and -from out", names[0])
		}
		return k, n, cmp.Or(bad, err, o.linked(names[1:]))
	}
	t, bad := arrayTask(os.Getenv, o.cut)
	switch {
	case bad != nil:
		return 0, 0, fmt.Errorf("part: %w", bad)
	case t == nil:
		return 0, 0, errors.New("part: which one is missing; it comes first, as in logz part 2/8 -model ... -out FILE. A " +
			"task of an array of Slurm, Kubernetes, AWS Batch, Grid Engine, LSF or PBS needs none")
	}
	if err = cmp.Or(err, o.linked(names)); err == nil {
		fmt.Fprintln(stderr, t.says())
	}
	return t.k, t.n, err
}

// parsePart reads K/N.
func parsePart(text string) (k, n int, err error) {
	_, err = fmt.Sscanf(text+" ", "%d/%d ", &k, &n)
	if err != nil || k < 1 || k > n || n > mostParts {
		return 0, 0, fmt.Errorf("the part %q must be K/N, as 2/8: the second of eight", text)
	}
	return k, n, nil
}

// partFile is the file of a part, to which lines are appended. Two tasks that have the same file compute runs twice, but
// spoil nothing: a line is one write.
type partFile struct {
	*os.File
	torn bool   // the last line is not whole
	stop func() // ends the run
	err  error  // the first one
}

// partFile opens the file that -out names and reads what it has.
func (o *options) partFile(k, n int, known *outcomes) (*partFile, error) {
	name := o.out
	if st, err := os.Stat(name); err == nil && st.IsDir() || os.IsPathSeparator(name[len(name)-1]) {
		if err := os.MkdirAll(name, 0o777); err != nil {
			return nil, err
		}
		width := len(strconv.Itoa(n)) // so that names sort as their numbers do
		name = filepath.Join(name, fmt.Sprintf("logz-%s-%0*d-of-%d.jsonl", shortName(known.link), width, k, n))
	}
	text, err := known.read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	begin := min(len(text), len(lineBegin))
	if name == o.out && len(known.runs) == 0 && string(text[:begin]) != lineBegin[:begin] {
		return nil, fmt.Errorf("%s has no line of a part: delete it, or give another file by -out", name)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	_, torn := disk.WholeLines(text)
	return &partFile{File: f, torn: torn && len(text) > 0}, err
}

// append adds a line in one write. An error ends the run.
func (f *partFile) append(x outcomeLine) {
	if f.err != nil {
		return
	}
	line := x.encode()
	if f.torn {
		line = append([]byte{'\n'}, line...)
		f.torn = false
	}
	if _, f.err = f.Write(line); f.err != nil {
		f.stop()
	}
}

// shortName is that of an experiment in names of files.
func shortName(link string) string { return room.ID([]byte(link))[:8] }
