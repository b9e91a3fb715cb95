//go:build !js

package room_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"logzlab/internal/edgetest"
	"logzlab/wasm/rooms/room"
)

// outcomeOf returns the right outcome of a replicate in these tests.
func outcomeOf(index int) []byte { return fmt.Appendf(nil, "outcome %d", index) }

// class is a room with a run, and the outcomes that its host has folded.
type class struct {
	t     *testing.T
	web   *httptest.Server
	at    room.Transport
	owner *room.Owner
	host  *room.Host
	unit  time.Duration // that a replicate takes

	mu     sync.Mutex
	folded map[int]string
	counts room.Counts
}

// newClass opens a room for a run with a number of replicates.
func newClass(t *testing.T, replicates int, unit time.Duration) *class {
	t.Helper()
	s, _ := edgetest.Native(t)
	c := &class{t: t, web: httptest.NewServer(s.Handler()), unit: unit, folded: map[int]string{}}
	t.Cleanup(c.web.Close)
	c.at = room.HTTP{Base: c.web.URL + "/"}
	var err error
	if c.owner, err = room.Open(t.Context(), c.at); err != nil {
		t.Fatal(err)
	}
	run, err := c.owner.Start(t.Context(), "v=1&model=mixture2&method=is", replicates, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.host = c.newHost(run)
	return c
}

// newHost returns a host of the run, as after a crash.
func (c *class) newHost(run room.Run) *room.Host {
	return &room.Host{Owner: c.owner, Run: run, Verify: room.DefaultVerify, Compute: c.compute(outcomeOf),
		Fold: func(index int, outcome []byte, right bool) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			if !right && strings.HasPrefix(string(outcome), "damaged") {
				return errors.New("damaged")
			}
			c.folded[index] = string(outcome)
			return nil
		},
		Reset:    func() error { c.mu.Lock(); defer c.mu.Unlock(); clear(c.folded); return nil },
		Progress: func(x room.Counts) { c.mu.Lock(); defer c.mu.Unlock(); c.counts = x },
	}
}

// compute takes the time of a replicate, and returns the outcome from the function of.
func (c *class) compute(of func(index int) []byte) room.Compute {
	return func(ctx context.Context, index int) ([]byte, error) {
		return of(index), room.Sleep(ctx, c.unit)
	}
}

// joins adds a device with a new id, which works until the test is over.
func (c *class) joins(ctx context.Context, of func(index int) []byte) *room.Client {
	d := &room.Client{Transport: c.at, Code: c.owner.Code, Device: room.NewSecret()}
	go func() {
		err := d.Work(ctx, c.host.Run, c.compute(of), nil)
		var no *room.Refused
		if err != nil && ctx.Err() == nil && !(errors.As(err, &no) && no.Status == 403) {
			c.t.Error(err)
		}
	}()
	return d
}

// gather runs the host to the end and checks what it has folded.
func (c *class) gather(h *room.Host) {
	c.t.Helper()
	if err := h.Gather(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	for index := 1; index <= h.Run.Replicates; index++ {
		if got := c.folded[index]; got != string(outcomeOf(index)) {
			c.t.Errorf("replicate %d has the outcome %q", index, got)
		}
	}
}

// One device is enough. No other device confirms its outcomes, so the host computes one of them; then all are
// confirmed.
func TestOneDevice(t *testing.T) {
	t.Parallel()
	c := newClass(t, 5, 0)
	c.host.Verify = 1e-9
	c.joins(t.Context(), outcomeOf)
	c.gather(c.host)
	if x := c.host.Counts(); x.Got != 5 || x.Own < 1 || x.Unconfirmed != 0 || x.Devices != 1 || x.Marked() {
		t.Errorf("%+v", x)
	}
}

// Two honest devices confirm each other's outcomes.
func TestConfirm(t *testing.T) {
	t.Parallel()
	c := newClass(t, 12, 5*time.Millisecond)
	c.joins(t.Context(), outcomeOf)
	c.joins(t.Context(), outcomeOf)
	c.gather(c.host)
	if x := c.host.Counts(); x.Agreed < 10 || x.Unconfirmed != 0 || x.Excluded != 0 {
		t.Errorf("%+v", x)
	}
}

// flaky is a transport that a test can interrupt.
type flaky struct {
	room.Transport
	off *atomic.Bool
}

func (f flaky) Send(ctx context.Context, r room.Request) (room.Response, error) {
	if f.off.Load() {
		return room.Response{}, errors.New("the server is away")
	}
	return f.Transport.Send(ctx, r)
}

// A class of 30 with sleeping devices, crashes, an interrupted server, a restarted host, and three devices with wrong
// results of different kinds ends with the right outcomes, and these three are excluded.
func TestClass(t *testing.T) {
	t.Parallel()
	c := newClass(t, 60, 20*time.Millisecond)
	var off atomic.Bool
	c.at = flaky{c.at, &off}
	c.owner.Transport = c.at
	lies := []func(int) []byte{
		func(i int) []byte { return fmt.Appendf(nil, "lie %d", i) },
		func(i int) []byte {
			if rand.IntN(2) == 0 {
				return []byte("another lie")
			}
			return outcomeOf(i)
		},
		func(i int) []byte { return fmt.Appendf(nil, "damaged %d", rand.Uint32()) },
	}
	var liars []string
	for _, of := range lies {
		liars = append(liars, c.joins(t.Context(), of).Device)
	}
	for k := range 27 {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		of := outcomeOf
		if k < 4 { // sleeps with its first replicate
			of = func(i int) []byte { <-t.Context().Done(); return nil }
		}
		if c.joins(ctx, of); k >= 4 && k < 8 {
			time.AfterFunc(50*time.Millisecond, stop) // crashes
		}
	}
	time.AfterFunc(60*time.Millisecond, func() { off.Store(true) })
	time.AfterFunc(260*time.Millisecond, func() { off.Store(false) })

	// The first host crashes.
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if err := c.host.Gather(ctx); err == nil {
		t.Log("the first host has come to the end")
	}
	h := c.newHost(c.host.Run)
	c.gather(h)
	x := h.Counts()
	t.Logf("%+v", x)
	if x.Got != 60 {
		t.Errorf("%+v", x)
	}
	devices, err := h.Owner.Devices(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range devices {
		if d.Excluded && !slices.Contains(liars, d.ID) {
			t.Error("an honest device was left out")
		}
	}
	if !x.Marked() && x.Unconfirmed > 0 && x.Excluded > 0 {
		t.Error("not marked")
	}
}

// Many devices with ever new ids that all send the same wrong outcome: the outcomes are right, or the result is marked.
func TestSameLie(t *testing.T) {
	t.Parallel()
	lie := func(i int) []byte { return fmt.Appendf(nil, "the same lie %d", i) }
	for range 3 {
		c := newClass(t, 24, time.Millisecond)
		for range 40 {
			c.joins(t.Context(), lie)
		}
		for range 3 {
			c.joins(t.Context(), outcomeOf)
		}
		if err := c.host.Gather(t.Context()); err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for index := range maps.Keys(c.folded) {
			if c.folded[index] != string(outcomeOf(index)) {
				wrong++
			}
		}
		if x := c.host.Counts(); wrong > 0 && !x.Marked() {
			t.Errorf("%d wrong outcomes without a mark: %+v", wrong, x)
		}
	}
}

// Outcomes that cannot be folded, among the first that a host receives, affect neither the others nor the run.
func TestRefusedFirst(t *testing.T) {
	t.Parallel()
	c := newClass(t, 8, 0)
	for k, body := range []string{"garbage", "damaged 1", "damaged 2"} {
		liar := &room.Client{Transport: c.at, Code: c.owner.Code, Device: room.NewSecret()}
		task, err := liar.TakeReplicate(t.Context(), c.host.Run.ID)
		if err == nil {
			err = liar.SendOutcome(t.Context(), c.host.Run.ID, task.Index, []byte(body))
		}
		if err != nil || task.Index != k+1 {
			t.Fatal(task, err)
		}
	}
	c.joins(t.Context(), outcomeOf)
	c.gather(c.host)
	if x := c.host.Counts(); x.Devices == 0 || x.Own > 7 {
		t.Errorf("the outcomes of the honest device do not count: %+v", x)
	}
}

// The host's computer also works as a device, and detects a wrong device when it confirms an outcome.
func TestHostTakesPart(t *testing.T) {
	t.Parallel()
	c := newClass(t, 10, 5*time.Millisecond)
	liar := c.joins(t.Context(), func(i int) []byte { return fmt.Appendf(nil, "lie %d", i) })
	c.host.Verify = 0
	c.host.Device = c.joins(t.Context(), outcomeOf).Device
	c.gather(c.host)
	if x := c.host.Counts(); x.Excluded != 1 || x.Unconfirmed != 0 {
		t.Errorf("%+v", x)
	}
	if devices, err := c.owner.Devices(t.Context()); err != nil || !slices.ContainsFunc(devices,
		func(d room.Device) bool { return d.ID == liar.Device && d.Excluded }) {
		t.Errorf("the liar is in the room: %+v, %v", devices, err)
	}
}

// One fast device with wrong results does not make the host compute everything: the others compute its replicates
// again.
func TestQuickLiar(t *testing.T) {
	t.Parallel()
	c := newClass(t, 24, 50*time.Millisecond)
	liar := &room.Client{Transport: c.at, Code: c.owner.Code, Device: room.NewSecret()}
	for range 24 {
		task, err := liar.TakeReplicate(t.Context(), c.host.Run.ID)
		if err == nil {
			err = liar.SendOutcome(t.Context(), c.host.Run.ID, task.Index, []byte("garbage"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 8 {
		c.joins(t.Context(), outcomeOf)
	}
	c.host.Compute = func(ctx context.Context, index int) ([]byte, error) { // a slow computer
		return outcomeOf(index), room.Sleep(ctx, 5*c.unit)
	}
	c.gather(c.host)
	if x := c.host.Counts(); x.Own > 18 {
		t.Errorf("the host computed %d of 24 replicates", x.Own)
	}
}

// A restarted host with all outcomes waits for confirmations for the time of replicates.
func TestHostAgain(t *testing.T) {
	t.Parallel()
	c := newClass(t, 6, 50*time.Millisecond)
	c.joins(t.Context(), outcomeOf)
	ctx, stop := context.WithCancel(t.Context())
	c.host.Progress = func(x room.Counts) {
		if x.Got == x.Replicates {
			stop()
		}
	}
	if err := c.host.Gather(ctx); err == nil {
		t.Error("the first host has come to the end")
	}
	c.joins(t.Context(), outcomeOf)
	for devices, err := c.owner.Devices(t.Context()); len(devices) < 2; devices, err = c.owner.Devices(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	h := c.newHost(c.host.Run)
	c.gather(h)
	if x := h.Counts(); x.Once > 0 || x.Unconfirmed > 0 {
		t.Errorf("%+v", x)
	}
}

// Follow returns at once if a device cannot take part.
func TestFollowError(t *testing.T) {
	t.Parallel()
	c := newClass(t, 3, 0)
	d := &room.Client{Transport: c.at, Code: c.owner.Code, Device: room.NewSecret()}
	wrong := errors.New("this device cannot")
	if err := d.Follow(t.Context(), func(context.Context, room.Run) error { return wrong }); err != wrong {
		t.Error(err)
	}
}

// Follow takes part in one run after another, and returns when the room is closed.
func TestFollow(t *testing.T) {
	t.Parallel()
	c := newClass(t, 3, 0)
	d := &room.Client{Transport: c.at, Code: c.owner.Code, Device: room.NewSecret()}
	var given atomic.Int32
	ended := make(chan error, 1)
	go func() {
		ended <- d.Follow(t.Context(), func(ctx context.Context, run room.Run) error {
			return d.Work(ctx, run, c.compute(outcomeOf), func(int) { given.Add(1) })
		})
	}()
	c.gather(c.host)
	run, err := c.owner.Start(t.Context(), "v=1&model=mixture2&method=ais", 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.gather(c.newHost(run))
	if err := c.owner.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || given.Load() != 7 {
		t.Errorf("%d given, %v", given.Load(), err)
	}
}

// A client of an older version gets an error that asks to reload.
func TestOldClient(t *testing.T) {
	t.Parallel()
	c := newClass(t, 2, 0)
	res, err := http.Get(c.web.URL + "/api/rooms/" + c.owner.Code)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 426 {
		t.Errorf("status %d", res.StatusCode)
	}
}

func TestReadLink(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]string{
		"http://a:8080/#room=ABCDEFGH":              "http://a:8080/ ABCDEFGH",
		"https://a/lab/#room=abcdefgh&view.lang=de": "https://a/lab/ ABCDEFGH",
		"https://a/#room=ABCDEF":                    "",
		"ftp://a/#room=ABCDEFGH":                    "",
		"http://a/#room=ABCDEFGH&seed=3":            "",
		"http://a/":                                 "",
	} {
		base, code, err := room.ReadLink(link)
		if got := strings.TrimSpace(base + " " + code); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", link, got, err)
		}
	}
}
