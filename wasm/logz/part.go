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

// partCommand computes part k of n of an experiment: the replicates k, k+n, k+2n, ... It appends a line to a file for
// each complete run, and skips runs that the file already has.
func partCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("part", args)
	if err != nil {
		return exitUsage, err
	}
	k, n, err := o.partArgs(stderr)
	if err != nil {
		return exitUsage, err
	}

	// If the model has clamped units, log p also needs log Z of the model without the clamping, which a second job
	// computes.
	ctx, stop := untilInterrupt()
	defer stop()
	j, err := await(ctx, func() (*engine.Job, error) { j, _, err := o.newJob(); return j, err })
	if err != nil {
		return inputError(err)
	}
	if r := j.Spec.Replicates; r < n {
		return exitUsage, fmt.Errorf("part: the experiment has -replicates %d, too few for %d parts: use -replicates %d (a "+
			"multiple of it spreads evenly), or parts K/N with N at most %d", r, n, n, r)
	}
	jobs, link := []*engine.Job{j}, j.Spec.Link()
	if report.LacksFree(j.Model) {
		free, err := o.openJob(report.WithoutDrawing(j.Spec, j.Spec.Methods...))
		if err != nil {
			return exitUsage, err
		}
		jobs = append(jobs, free)
	}

	stored := &outcomes{link: link, stderr: stderr}
	f, err := o.partFile(k, n, stored)
	if err != nil {
		return exitUsage, err
	}
	defer f.Close()
	ctx, f.stop = context.WithCancel(ctx)
	defer f.stop()

	progress := newProgress(stderr, time.Now())
	defer progress.clear()
	for i, j := range jobs {
		key := runKey{Free: i == 1}
		j.Share(k, n, func(id engine.RunID, outcome []byte) {
			key.RunID = id
			f.append(outcomeLine{link, room.Build, fmt.Sprintf("%d/%d", k, n), key, outcome})
		})
		if err := stored.restore(j, key.Free); err != nil {
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
	if err := f.Close(); err != nil { // some file systems report errors only now
		return exitFailed, err
	}
	progress.clear()
	fmt.Fprintf(stdout, "part %d/%d is in %s; this part is complete\n", k, n, f.Name())
	return exitOK, nil
}

// partArgs parses the arguments K/N and LINK. Without K/N it reads the part from the environment variables of the
// scheduler, and prints it to stderr.
func (o *options) partArgs(stderr io.Writer) (k, n int, err error) {
	args := o.args
	if o.outPath == "" {
		err = errors.New("part: -out FILE or -out FOLDER/ is missing")
	}
	if len(args) > 0 && !strings.Contains(args[0], "=") { // not a link
		k, n, partErr := parsePart(args[0])
		if partErr == nil && (o.numbering.partCount >= 0 || o.numbering.firstTask >= 0) {
			partErr = fmt.Errorf("part: %s gives the part; leave -of and -from out", args[0])
		}
		return k, n, cmp.Or(partErr, err, o.takeLink(args[1:]))
	}
	t, taskErr := arrayTask(os.Getenv, o.numbering)
	switch {
	case taskErr != nil:
		return 0, 0, fmt.Errorf("part: %w", taskErr)
	case t == nil:
		return 0, 0, errors.New("part: give the part first, as in logz part 2/8 -model ... -out FILE. Only a " +
			"task of an array of Slurm, Kubernetes, AWS Batch, Grid Engine, LSF or PBS can omit it")
	}
	if err = cmp.Or(err, o.takeLink(args)); err == nil {
		fmt.Fprintln(stderr, t)
	}
	return t.k, t.n, err
}

// parsePart parses the part K/N, with 1 <= K <= N <= maxParts.
func parsePart(text string) (k, n int, err error) {
	_, err = fmt.Sscanf(text+" ", "%d/%d ", &k, &n)
	if err != nil || k < 1 || k > n || n > maxParts {
		return 0, 0, fmt.Errorf("the part %q must be K/N, as 2/8: the second of eight", text)
	}
	return k, n, nil
}

// partFile is the file of a part, to which lines are appended. Each line is one write, so two tasks with the same file
// at worst compute runs twice.
type partFile struct {
	*os.File
	hasTornLine bool   // the last line has no newline
	stop        func() // cancels the run
	err         error  // first error of a write
}

// partFile opens the file of -out for part k of n, and adds the lines that it already has to stored.
func (o *options) partFile(k, n int, stored *outcomes) (*partFile, error) {
	name := o.outPath
	if st, err := os.Stat(name); err == nil && st.IsDir() || os.IsPathSeparator(name[len(name)-1]) {
		if err := os.MkdirAll(name, 0o777); err != nil {
			return nil, err
		}
		width := len(strconv.Itoa(n)) // leading zeros, so that the names sort by number
		name = filepath.Join(name, fmt.Sprintf("logz-%s-%0*d-of-%d.jsonl", experimentID(stored.link), width, k, n))
	}
	text, err := stored.read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	begin := min(len(text), len(linePrefix))
	if name == o.outPath && len(stored.runs) == 0 && string(text[:begin]) != linePrefix[:begin] {
		return nil, fmt.Errorf("%s is not the file of a part: delete it, or give another file by -out", name)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	_, torn := disk.WholeLines(text)
	return &partFile{File: f, hasTornLine: torn && len(text) > 0}, err
}

// append appends a line in one write. An error cancels the run.
func (f *partFile) append(x outcomeLine) {
	if f.err != nil {
		return
	}
	line := x.encode()
	if f.hasTornLine {
		line = append([]byte{'\n'}, line...)
		f.hasTornLine = false
	}
	if _, f.err = f.Write(line); f.err != nil {
		f.stop()
	}
}

// experimentID returns a hash of a link with eight characters, for names of files.
func experimentID(link string) string { return room.ID([]byte(link))[:8] }
