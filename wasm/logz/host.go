//go:build !js

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"logzlab/core/files/disk"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models/rbm"
	"logzlab/wasm/rooms/edge/native"
	"logzlab/wasm/rooms/room"
)

// hostCommand runs an experiment on the devices that join a room.
func hostCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("host", args)
	if err == nil {
		err = o.takeLink(o.args)
	}
	if err != nil {
		return exitUsage, err
	}
	h := &hostRun{o: o, stderr: stderr}
	defer h.end()
	status, err := o.run(stdout, stderr, h.compute)
	if h.file != nil && (status == exitOK || h.isComplete && o.unconfirmedCount > 0) {
		h.closeRoom()
	}
	if errors.As(err, new(usageError)) {
		status = exitUsage
	}
	return status, err
}

// usageError is an error of a flag or a file that is found only after the flags have been parsed.
type usageError struct{ error }

// asStopped returns errStopped if err occurred because ctx is done, and err otherwise.
func asStopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errStopped
	}
	return err
}

// hostRun has the state of the host of a room, while the devices of the room compute an experiment.
type hostRun struct {
	o          *options
	stderr     io.Writer
	file       *disk.LockedFile // nil before the room is open
	state      roomFile         // content of file
	owner      *room.Owner
	server     *http.Server // nil if the room is on another server
	busy       sync.Mutex   // held while a replicate is computed here
	isComplete bool         // all runs have ended
}

// roomFile is the content of the file of a room, from which the same command continues.
type roomFile struct {
	Link   string `json:"link"` // of the experiment
	Build  string `json:"build"`
	Server string `json:"server"` // value of -addr
	Code   string `json:"code"`
	Token  string `json:"token"`
	Device string `json:"device"` // id of this computer in the room
}

// compute runs a job in the room and returns it with its results. The first call opens the room. The host itself
// computes the bounds and the exact value.
func (h *hostRun) compute(ctx context.Context, j *engine.Job, show func(*engine.Job)) (*engine.Job, error) {
	h.isComplete = false
	s := j.Spec
	if s.Replicates < 2 {
		return j, usageError{errors.New("host: each device of a room computes whole replicates: give -replicates R, about two " +
			"for each device, and no -target")}
	}
	if h.file == nil {
		if err := h.openRoom(ctx, s); err != nil {
			return j, asStopped(ctx, err)
		}
	}
	roomHost := &room.Host{Owner: h.owner, Device: h.state.Device, Verify: room.DefaultVerify, Compute: h.replicate(s)}
	if h.o.isGiven["verify"] {
		roomHost.Verify = h.o.checkShare
	}
	roomHost.Reset = func() (err error) {
		j, err = h.o.openJob(s)
		return err
	}
	roomHost.Fold = func(index int, outcome []byte, isCorrect bool) error {
		defer show(j)
		return report.Restore(j, index, outcome, isCorrect)
	}
	err := h.gather(ctx, roomHost, s)
	if c := roomHost.Counts(); err == nil {
		if c.Marked() {
			h.o.unconfirmedCount = max(h.o.unconfirmedCount, c.Unconfirmed)
		}
		fmt.Fprintf(h.stderr, "%d of %d replicates computed by the host itself, %d by two devices or more, %d only once; "+
			"%d devices excluded\n", c.Own, c.Replicates, c.Agreed, c.Once, c.Excluded)
		err = engine.Run(ctx, j, cmp.Or(h.o.workers, runtime.NumCPU()), show)
	}
	h.isComplete = err == nil
	return j, asStopped(ctx, err)
}

// gather starts or continues the run of an experiment in the room and collects the results of its devices until the run
// ends. With -workers the host also computes replicates, as a device of the room.
func (h *hostRun) gather(ctx context.Context, g *room.Host, s *spec.Spec) error {
	info, err := h.owner.Info(ctx)
	if err != nil {
		return err
	}
	// Continue the last run of the room if it is of this experiment. A run that is over and has all results is
	// continued as well: the host ended before it printed them.
	if r := info.Run; r != nil && r.Link == s.Link() && r.Build == room.Build && (!r.Over || r.Done == r.Replicates) {
		g.Run = *r
	} else {
		files := h.o.files
		if !h.o.sendsModel {
			files = nil
		}
		if g.Run, err = h.owner.Start(ctx, s.Link(), s.Replicates, files); err != nil {
			return err
		}
	}

	// Work as a device of the room until the run ends. An error of the device ends the run.
	ctx, stop := context.WithCancelCause(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop(nil)
	if h.o.workers > 0 {
		c := room.Client{Transport: h.owner.Transport, Code: h.owner.Code, Device: h.state.Device}
		wg.Go(func() {
			if err := c.Work(ctx, g.Run, g.Compute, nil); err != nil {
				stop(err)
			}
		})
	}
	if err := g.Gather(ctx); err != context.Canceled {
		return err
	}
	return context.Cause(ctx)
}

// replicate returns a function that computes replicates of an experiment here, one at a time.
func (h *hostRun) replicate(s *spec.Spec) room.Compute {
	return func(ctx context.Context, index int) ([]byte, error) {
		h.busy.Lock()
		defer h.busy.Unlock()
		return h.o.replicate(ctx, s, index)
	}
}

// replicate computes the replicate with this index of an experiment, and returns its encoded outcome.
func (o *options) replicate(ctx context.Context, s *spec.Spec, index int) ([]byte, error) {
	j, err := o.openJob(s)
	if err != nil {
		return nil, err
	}
	outcome := j.Only(index)
	if err := engine.Run(ctx, j, cmp.Or(o.workers, runtime.NumCPU()), nil); err != nil {
		return nil, err
	}
	return outcome(), nil
}

// openRoom opens a room and stores its code in a file, or continues the room that the file names.
func (h *hostRun) openRoom(ctx context.Context, s *spec.Spec) error {
	o := h.o
	name := cmp.Or(o.roomPath, "logz-"+experimentID(s.Link())+".room")
	f, err := disk.OpenLocked(name)
	if errors.Is(err, disk.ErrLocked) {
		err = fmt.Errorf("%s is in use by another logz; wait for it, end it, or give another file", name)
	}
	if err != nil {
		return usageError{err}
	}
	h.file = f
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return err
	}
	if len(text) > 0 {
		if err := h.state.read(text, name, s.Link()); err != nil {
			f.Close()
			h.file = nil
			return usageError{err}
		}
	}

	// The server: started here, or one that exists.
	server := cmp.Or(o.roomAddr, h.state.Server, "127.0.0.1:8080")
	base := server
	if !strings.HasPrefix(server, "http://") && !strings.HasPrefix(server, "https://") {
		if base, err = h.serve(server, name); err != nil {
			return err
		}
	} else if u, err := url.Parse(server); err != nil || u.Host == "" {
		return usageError{fmt.Errorf("-addr %q is not the address of a server, as https://host/ or 127.0.0.1:8080",
			server)}
	}
	base = strings.TrimSuffix(base, "/") + "/"
	t := newServerClient(base, h.stderr)

	// Continue the room of the file if its server still has it, otherwise open a new one.
	if h.state.Code != "" {
		h.owner = room.NewOwner(t, h.state.Code, h.state.Token)
		info, err := h.owner.Info(ctx)
		if err != nil && !room.IsOver(err) {
			return err
		}
		if err != nil || info.Closed {
			h.state.Code = ""
		}
	}
	if h.state.Code == "" {
		if h.owner, err = room.Open(ctx, t); err != nil {
			return err
		}
		h.state = roomFile{s.Link(), room.Build, server, h.owner.Code, h.owner.Token, room.NewSecret()}
		text, _ := json.Marshal(h.state)
		if err := f.Replace(append(text, '\n')); err != nil {
			return err
		}
	}
	link := room.Link(base, h.owner.Code)
	fmt.Fprintf(h.stderr, "room %s: %s\ndevices join it by: logz work '%s'\n"+
		"after a crash the same command continues from %s\n", h.owner.Code, link, link, name)
	return nil
}

// read decodes the text of the file of a room. name is the file's name for messages. A file of another experiment or
// build is an error.
func (f *roomFile) read(text []byte, name, link string) error {
	switch {
	case json.Unmarshal(text, f) != nil || f.Link == "" || !room.IsCode(f.Code):
		return fmt.Errorf("%s is not the file of a room", name)
	case f.Link != link:
		return fmt.Errorf("%s is the file of another run; give another file, or delete it", name)
	case f.Build != room.Build:
		return fmt.Errorf("%s was made by build %s of the program, and this is build %s: use that build, or delete "+
			"the file and start again", name, f.Build, room.Build)
	}
	return nil
}

// serve starts a server of rooms at the address addr and returns its URL. Its database is a file next to the file name.
func (h *hostRun) serve(addr, name string) (string, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", usageError{fmt.Errorf("%w; give another address, as in -addr 127.0.0.1:8081", err)}
	}
	s, _, err := native.Server(name + ".db")
	if err != nil {
		l.Close()
		return "", fmt.Errorf("%w; if it is damaged, delete it, and %s; then the same command starts again", err, name)
	}
	mux := http.NewServeMux()
	mux.Handle("/", s.Handler())
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "A room of LogZ Lab is open here.\nJoin it by: logz work 'http://%s/#room=CODE'\n"+
			"The page cannot join it; for rooms on a page use ./build.sh serve and -addr http://...\n", r.Host)
	})
	h.server = native.Web(mux, h.o.serverNames...)
	go h.server.Serve(l)
	return "http://" + native.Reached(l.Addr()) + "/", nil
}

// closeRoom closes the room after a complete run and deletes its files.
func (h *hostRun) closeRoom() {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	if err := h.owner.Close(ctx); err != nil {
		fmt.Fprintln(h.stderr, "logz: the room could not be closed:", err)
	}
	if h.server != nil {
		_ = room.Sleep(ctx, 5*time.Second) // devices poll every two to four seconds and must see that the room is closed
		for _, suffix := range []string{"", "-wal", "-shm"} {
			os.Remove(h.file.Path + ".db" + suffix)
		}
	}
	_ = h.file.Remove()
	h.file = nil
}

// end stops the server of the room and closes the room's file. It deletes the file if no room was opened.
func (h *hostRun) end() {
	if h.server != nil {
		h.server.Close()
	}
	switch {
	case h.file == nil:
	case h.state.Code == "":
		_ = h.file.Remove()
	default:
		h.file.Close()
	}
}

// workCommand computes replicates in a room until it is closed.
func workCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("work", args)
	if err == nil && len(o.args) != 1 {
		err = errors.New("work: the link of the room is missing, as in logz work 'http://host:8080/#room=ABCDEFGH'")
	}
	if err != nil {
		return exitUsage, err
	}
	base, code, err := room.ReadLink(o.args[0])
	if err != nil {
		return exitUsage, err
	}
	ctx, stop := untilInterrupt()
	defer stop()
	n, err := o.work(ctx, newServerClient(base, stderr), code, stderr)
	switch err = asStopped(ctx, err); {
	case err == errStopped:
		return exitInterrupted, err
	case err == nil:
		fmt.Fprintf(stderr, "the room is closed; %d replicates were computed here\n", n)
	}
	if errors.As(err, new(usageError)) {
		return exitUsage, err
	}
	return exitOK, err
}

// work computes replicates in the room with this code until the room is closed, and returns their number.
func (o *options) work(ctx context.Context, t room.Transport, code string, stderr io.Writer) (n int, err error) {
	c := &room.Client{Transport: t, Code: code, Device: room.NewSecret()}
	line := newProgress(stderr, time.Now())
	defer line.clear()
	err = c.Follow(ctx, func(ctx context.Context, run room.Run) error {
		if run.Build != room.Build {
			return room.BuildMismatch(run.Build, room.Build)
		}
		s, err := o.roomExperiment(ctx, c, run)
		if err != nil {
			return asStopped(ctx, usageError{err})
		}
		compute := func(ctx context.Context, index int) ([]byte, error) { return o.replicate(ctx, s, index) }
		return c.Work(ctx, run, compute, func(int) {
			n++
			line.setLine(fmt.Sprintf("%d replicates", n))
		})
	})
	return n, err
}

// roomExperiment returns the experiment of a run. Its model files come from -model and -data, or, without -model, from
// the host of the room.
func (o *options) roomExperiment(ctx context.Context, c *room.Client, run room.Run) (s *spec.Spec, err error) {
	if o.model != "" || len(run.Files) == 0 {
		o.link, o.isGiven["link"] = run.Link, true
		s, o.source, err = o.experiment() // an error if the file is not the one of the link
		return s, err
	}
	files := map[string][]byte{}
	for _, f := range run.Files {
		if files[f.Name], err = c.File(ctx, f); err != nil {
			return nil, err
		}
	}
	source, names := engine.Source{Load: loadBundled}, catalog.Names{}
	if names.File, _, err = o.readModel(&source, files[engine.OwnFile]); err != nil {
		return nil, err
	}
	if rows := files[engine.OwnRows]; rows != nil {
		if source.File, _, err = rbm.WithRows(source.File, rows, o.meter); err != nil {
			return nil, err
		}
	}
	names.Kind, o.source = source.File.Kind(), source
	if s, err = spec.ParseLink(run.Link, names); err == nil && s.Model != names.File {
		err = fmt.Errorf("the room's file is %s, and its link is about %s", names.File, s.Model)
	}
	return s, err
}
