//go:build !js

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/edge/native"
	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// hostCommand runs an experiment on the devices of a room.
func hostCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("host", args)
	if err == nil {
		err = o.linked(o.names)
	}
	if err != nil {
		return exitUsage, err
	}
	h := &hosting{o: o, stderr: stderr}
	defer h.end()
	status, err := o.run(stdout, stderr, h.compute)
	if status == exitOK && h.room != nil {
		h.over()
	}
	var bad badInput
	if errors.As(err, &bad) {
		status = exitUsage
	}
	return status, err
}

// stopped is an error, or errStopped if that only means that ctx has ended.
func stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errStopped
	}
	return err
}

// badInput is an error over a flag that only shows when its job is about to begin.
type badInput struct{ error }

// hosting is a room under way.
type hosting struct {
	o      *options
	stderr io.Writer
	room   *exchange.Host // nil before the first job
	stop   context.CancelFunc
	server *http.Server // its own, or nil
	file   string
	kept   *exchange.Journal // in the file
	work   chan error        // of its own workers
}

// compute runs a job through the room, which is opened for the first one.
func (h *hosting) compute(ctx context.Context, j *engine.Job, show func(*engine.Job)) (*engine.Job, error) {
	if h.room == nil {
		if err := h.open(ctx, j.Spec); err != nil {
			return j, stopped(ctx, err)
		}
	}
	h.room.Progress = show
	whole := ctx
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go func() {
		if err := <-h.work; err != nil {
			stop(err)
		}
	}()
	s := j.Spec
	done, err := h.room.Run(ctx, func() (*engine.Job, error) {
		if j != nil { // the first is there
			first := j
			j = nil
			return first, nil
		}
		return h.o.open(s)
	})
	if err == context.Canceled {
		err = context.Cause(ctx)
	}
	return done, stopped(whole, err)
}

// open opens the room, or goes on with that of the file.
func (h *hosting) open(ctx context.Context, s *spec.Spec) error {
	o := h.o
	h.file = cmp.Or(o.file, "logz-"+shortName(s.Link())+".room")

	// The room's file, new or of an earlier run.
	journal, at, records, known, err := exchange.OpenJournal(h.file, s.Link())
	if err != nil {
		return badInput{err}
	}
	h.kept = journal
	if journal.Lost != nil {
		fmt.Fprintln(h.stderr, "logz:", journal.Lost)
	}

	// The server: a program of our own, or a site.
	server := cmp.Or(o.addr, at.Server, "127.0.0.1:8080")
	base := server
	if !strings.HasPrefix(server, "http://") && !strings.HasPrefix(server, "https://") {
		if base, err = h.serve(server); err != nil {
			return err
		}
	} else if u, err := url.Parse(server); err != nil || u.Host == "" {
		return badInput{fmt.Errorf("-addr %q is no address of a server; it looks like https://host/ or 127.0.0.1:8080",
			server)}
	}
	base = strings.TrimSuffix(base, "/") + "/"

	// Who computes, and how much is verified.
	t := newPatient(base, h.stderr)
	judge := newWorker()
	h.room = &exchange.Host{Journal: journal, Compute: exchange.In(judge), Verify: exchange.Verify}
	if o.given["verify"] {
		h.room.Verify, h.room.Patient = o.verify, true
	}
	if err := exchange.Files(judge, o.files); err != nil {
		return err
	}

	// The room of the file is used while its server keeps it open.
	if known {
		h.room.Owner = room.NewOwner(t, at.Code, at.Token)
		info, err := h.room.Owner.Info(ctx)
		var no *room.Refused
		if known = err == nil && !info.Closed; err != nil && !errors.As(err, &no) {
			return err
		}
	}

	// Else a new room gets the files, and its address goes into the journal.
	if !known {
		var names []string
		if o.give {
			names = slices.Sorted(maps.Keys(o.files))
		}
		if h.room.Owner, err = room.Open(ctx, t, s.Link(), names...); err != nil {
			return err
		}
		if o.give {
			for name, data := range o.files {
				if err := h.room.Owner.GiveFile(ctx, name, data); err != nil {
					return err
				}
			}
		}
		if err := journal.Begin(s.Link(), exchange.Address{Server: server, Code: h.room.Owner.Code,
			Token: h.room.Owner.Token}); err != nil {
			return err
		}
		for i := range records {
			records[i].Again()
		}
	}
	h.room.Load(records)

	// The way in, for other devices.
	code := h.room.Owner.Code
	link := room.Link(base, code)
	fmt.Fprintf(h.stderr, "room %s: %s\ndevices join it by: logz work '%s'\n"+
		"after a crash the same command goes on from %s\n", code, link, link, h.file)
	return h.join(ctx, t)
}

// join starts the workers that -workers asks for.
func (h *hosting) join(ctx context.Context, t room.Transport) error {
	h.work = make(chan error, 1)
	ctx, h.stop = context.WithCancel(ctx)
	if h.o.workers < 1 {
		return nil
	}
	all, err := devices(ctx, t, h.room.Owner.Code, room.NewSecret(), h.o.workers, h.o.files)
	if err != nil {
		return err
	}
	go func() {
		if err := exchange.WorkAll(ctx, all); err != nil && ctx.Err() == nil {
			h.work <- err
		}
	}()
	return nil
}

// serve starts a server of its own, and returns where devices reach it.
func (h *hosting) serve(addr string) (string, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", badInput{fmt.Errorf("%w; give another address, as in -addr 127.0.0.1:8081", err)}
	}
	s, _, err := native.Server(h.file + ".db")
	if err != nil {
		l.Close()
		return "", fmt.Errorf("%w; if it is damaged, delete it: the results are in %s, and the same command goes on "+
			"with them in a new room", err, h.file)
	}
	mux := http.NewServeMux()
	mux.Handle("/", s.Handler())
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "A room of LogZ Lab is open here.\nMachines join it by: logz work 'http://%s/#room=CODE'\n"+
			"Pages cannot: they need the room of a lab's site, as ./build.sh serve has it (-addr http://...).\n", r.Host)
	})
	h.server = native.Web(mux, h.o.hosts...)
	go h.server.Serve(l)
	return "http://" + native.Reached(l.Addr()) + "/", nil
}

// over closes the room of a run that is complete, and deletes its files.
func (h *hosting) over() {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	c := h.room.Counts()
	fmt.Fprintf(h.stderr, "%d of %d units computed by the host itself, %d by two machines; %d machines left out\n", c.Own,
		c.Units, c.Agreed, c.Left)
	if c.Unseen > 0 && h.room.Verify > 0 {
		fmt.Fprintf(h.stderr, "of %d of %d machines the host had no time to compute a unit itself: -verify %g does so\n",
			c.Unseen, c.Machines, h.room.Verify)
	}
	if err := h.room.Owner.Close(ctx); err != nil {
		fmt.Fprintln(h.stderr, "logz: the room could not be closed:", err)
	}
	h.room.Journal.Close()
	os.Remove(h.file)
	if h.server != nil {
		_ = room.Sleep(ctx, room.LongestWait+2*time.Second) // the devices hear that it is over
		for _, end := range []string{"", "-wal", "-shm"} {
			os.Remove(h.file + ".db" + end)
		}
	}
}

// end stops the server and the workers of the room.
func (h *hosting) end() {
	if h.stop != nil {
		h.stop()
	}
	if h.server != nil {
		h.server.Close()
	}
	if h.kept != nil {
		h.kept.Close()
	}
}

func newWorker() *engine.Worker {
	w := engine.NewWorker()
	w.Load = loadBundled
	return w
}

// devices joins a room several times, with the files of an own model.
func devices(ctx context.Context, t room.Transport, code, machine string, n int, files map[string][]byte) (
	all []*exchange.Device, err error) {
	for range n {
		w := newWorker()
		d := &exchange.Device{Compute: exchange.In(w)}
		if d.Member, _, err = room.Join(ctx, t, code, room.NewDevice(machine)); err != nil {
			return nil, err
		}
		if err := exchange.Files(w, files); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// workCommand computes units of a room that somebody else has opened.
func workCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("work", args)
	if err == nil && len(o.names) != 1 {
		err = errors.New("work: the link of the room is missing, as in logz work 'http://host:8080/#room=ABCDEF'")
	}
	if err != nil {
		return exitUsage, err
	}
	base, code, err := room.ReadLink(o.names[0])
	if err != nil {
		return exitUsage, err
	}
	ctx, stop := untilInterrupt()
	defer stop()
	n, err := o.work(ctx, newPatient(base, stderr), code, stderr)
	switch err = stopped(ctx, err); {
	case err == errStopped:
		return exitInterrupted, err
	case err == nil:
		fmt.Fprintf(stderr, "the room is closed; %d units were computed here\n", n)
	}
	if errors.As(err, new(badInput)) {
		return exitUsage, err
	}
	return exitOK, err
}

// work computes units of a room until it is closed, in a class of one run after another, and tells how many.
func (o *options) work(ctx context.Context, t room.Transport, code string, stderr io.Writer) (n int, err error) {
	machine := room.NewSecret()
	m, _, err := room.Join(ctx, t, code, room.NewDevice(machine))
	if err != nil {
		return 0, err
	}
	line := newProgress(stderr, time.Now())
	var mu sync.Mutex
	err = exchange.Follow(ctx, m, func(ctx context.Context, info room.Info) error {
		files, err := o.roomFiles(ctx, t, info)
		if err != nil {
			return badInput{err}
		}
		all, err := devices(ctx, t, info.Code, machine, o.workers, files)
		if err != nil {
			return err
		}
		for _, d := range all {
			d.Told = func(*room.Parcel) {
				mu.Lock()
				defer mu.Unlock()
				n++
				line.say(fmt.Sprintf("%d units", n))
			}
		}
		return exchange.WorkAll(ctx, all)
	})
	line.clear()
	return n, err
}

// roomFiles are the files of a room's own model: those that its host gave, or else those of -model and -data.
func (o *options) roomFiles(ctx context.Context, t room.Transport, info room.Info) (map[string][]byte, error) {
	if o.model == "" && len(info.Files) > 0 {
		files := map[string][]byte{}
		for _, f := range info.Files {
			b, err := (&room.Client{Transport: t, Code: info.Code}).File(ctx, f)
			if err != nil {
				return nil, err
			}
			files[f.Name] = b
		}
		return files, nil
	}
	o.link, o.given["link"] = info.Link, true
	_, _, err := o.experiment() // which refuses another file than the link's
	return o.files, err
}
