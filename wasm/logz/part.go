//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/room/exchange"
)

// partCommand computes one of several parts of an experiment, into a file.
func partCommand(args []string, stdout, stderr io.Writer) (int, error) {
	names, args := leading(args)
	o, err := parseOptions("part", args)
	if err != nil {
		return exitUsage, err
	}
	k, n, err := o.partOf(names)
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
		if err := journal.Begin(link, exchange.Address{}); err != nil {
			return exitFailed, err
		}
	}
	line := newProgress(stderr, time.Now())
	p := &exchange.Part{Journal: journal, Progress: line.show, Mine: func(j *engine.Job, t *engine.Task) bool {
		part := j.Part(t, n)
		return part < 0 || part == k-1
	}}
	if err := p.Load(o.out, records); err != nil {
		return exitFailed, err
	}
	if o.with != "" {
		if err := loadParts(p, strings.Split(o.with, ","), link); err != nil {
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
	missing := 0
	for _, j := range jobs {
		var n int
		if n, err = p.Run(ctx, j); err != nil {
			break
		}
		missing += n
	}
	line.clear()
	switch {
	case ctx.Err() != nil:
		return exitInterrupted, nil
	case err != nil:
		return exitFailed, err
	case missing > 0:
		fmt.Fprintf(stdout, "part %d of %d is in %s; it goes no further without %d units of other parts\n", k, n, o.out,
			missing)
	default:
		fmt.Fprintf(stdout, "part %d of %d is in %s\n", k, n, o.out)
	}
	return exitOK, nil
}

// partOf reads K/N, and the link that may follow.
func (o *options) partOf(names []string) (k, n int, err error) {
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

// loadParts takes what the files of parts have. All must be of the experiment of a link.
func loadParts(p *exchange.Part, files []string, link string) error {
	for _, file := range files {
		its, records, err := exchange.ReadPart(file)
		if err == nil && its != link {
			err = fmt.Errorf("%s is a part of another experiment, #%s", file, its)
		}
		if err == nil {
			err = p.Load(file, records)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// joinCommand puts parts together and prints their results.
func joinCommand(args []string, stdout, stderr io.Writer) (int, error) {
	files, args := leading(args)
	o, err := parseOptions("join", args)
	if err == nil && len(files) == 0 {
		err = errors.New("join: the files of the parts are missing")
	}
	p := &exchange.Part{}
	if err == nil {
		if o.link, _, err = exchange.ReadPart(files[0]); err == nil {
			err = loadParts(p, files, o.link)
		}
	}
	if err != nil {
		return exitUsage, err
	}
	o.given["link"] = true
	return o.run(stdout, stderr, func(ctx context.Context, j *engine.Job, _ func(*engine.Job)) (*engine.Job, error) {
		missing, err := p.Run(ctx, j)
		if err == nil && missing > 0 {
			err = fmt.Errorf("%d units are missing: give the files of all parts; those that went no further go on by the "+
				"same logz part command with -with and the files of the others", missing)
		}
		return j, err
	})
}
