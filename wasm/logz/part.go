//go:build !js

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
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
	k, n, err := o.partOf()
	if err != nil {
		return exitUsage, err
	}
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
	journal, _, records, known, err := exchange.OpenJournal(o.out, link)
	if err != nil {
		return exitUsage, err
	}
	defer journal.Close()
	if !known {
		if err := journal.Begin(link, exchange.Address{Code: fmt.Sprintf("%d/%d", k, n)}); err != nil {
			return exitFailed, err
		}
	}
	notice(stderr, journal.Lost)
	line := newProgress(stderr, time.Now())
	p := &exchange.Part{Journal: journal, K: k, N: n, Progress: line.show}
	if err := p.Load(o.out, records); err != nil {
		return exitFailed, err
	}
	if o.with != "" {
		if _, err := loadParts(p, strings.Split(o.with, ","), link, stderr); err != nil {
			return exitUsage, err
		}
	}
	for range o.workers {
		w := newWorker()
		if err := exchange.Files(w, o.files); err != nil {
			return exitFailed, err
		}
		p.Workers = append(p.Workers, w)
	}
	missing, complete := 0, true
	for _, j := range jobs {
		var m int
		if m, err = p.Run(ctx, j); err != nil {
			break
		}
		missing, complete = missing+m, complete && j.Complete(k-1, n)
	}
	line.clear()
	switch {
	case ctx.Err() != nil:
		return exitInterrupted, errStopped
	case err != nil:
		return exitFailed, err
	case missing > 0 && !complete:
		fmt.Fprintf(stdout, "part %d of %d is in %s; it has all that it can compute without %d units of other parts: if "+
			"logz join says that some are missing, the same command with -with and the files of the others goes on\n", k, n,
			o.out, missing)
	default:
		fmt.Fprintf(stdout, "part %d of %d is in %s; this part is complete\n", k, n, o.out)
	}
	return exitOK, nil
}

// partOf reads K/N, and the link that may follow.
func (o *options) partOf() (k, n int, err error) {
	names := o.names
	if len(names) == 0 {
		return 0, 0, errors.New("part: which one is missing; it comes first, as in logz part 2/8 -model ... -out FILE")
	}
	if _, err := fmt.Sscanf(names[0]+" ", "%d/%d ", &k, &n); err != nil || k < 1 || k > n || n > 100_000 {
		return 0, 0, fmt.Errorf("part: %q must be K/N, as 2/8: the second of eight", names[0])
	}
	if o.out == "" {
		return 0, 0, errors.New("part: -out FILE is missing")
	}
	return k, n, o.linked(names[1:])
}

// loadParts takes what the files of parts have, and returns the first. All must be of the experiment of a link; "" is
// that of the first.
func loadParts(p *exchange.Part, files []string, link string, stderr io.Writer) (first *exchange.PartFile, err error) {
	for _, name := range files {
		file, err := exchange.ReadPart(name)
		if err != nil {
			return nil, err
		}
		if link = cmp.Or(link, file.Link); file.Link != link {
			return nil, fmt.Errorf("%s is a part of another experiment, #%s", name, file.Link)
		}
		notice(stderr, file.Lost)
		if err := p.Load(name, file.Records); err != nil {
			return nil, err
		}
		first = cmp.Or(first, file)
	}
	return first, nil
}

// notice says what is wrong, but does not end the command.
func notice(stderr io.Writer, err error) {
	if err != nil {
		fmt.Fprintln(stderr, "logz:", err)
	}
}

// joinCommand puts parts together and prints their results.
func joinCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("join", args)
	if err == nil && len(o.names) == 0 {
		err = errors.New("join: the files of the parts are missing")
	}
	p := &exchange.Part{}
	var first *exchange.PartFile
	if err == nil {
		first, err = loadParts(p, o.names, "", stderr)
	}
	if err != nil {
		return exitUsage, err
	}
	o.link, o.given["link"] = first.Link, true
	if _, err := fmt.Sscanf(first.Part, "%d/%d", &p.K, &p.N); err != nil {
		p.N = 0
	}
	return o.run(stdout, stderr, func(ctx context.Context, j *engine.Job, _ func(*engine.Job)) (*engine.Job, error) {
		missing, err := p.Run(ctx, j)
		if err == nil && missing > 0 {
			err = fmt.Errorf("%d units are missing%s: give the files of all parts; those that are not complete go on by the "+
				"same logz part command with -with and the files of the others", missing, lacks(p))
		}
		return j, err
	})
}

// lacks says of which parts units are missing.
func lacks(p *exchange.Part) (text string) {
	for _, k := range slices.Sorted(maps.Keys(p.Lacks)) {
		if k > 0 {
			text += fmt.Sprintf(", %d of part %d/%d", p.Lacks[k], k, p.N)
		}
	}
	return text
}
