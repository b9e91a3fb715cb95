package workerpool_test

import (
	"context"
	"slices"
	"testing"

	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/engine"
	"logzlab/internal/pagetest"
	"logzlab/wasm/page/workerpool"
)

// kinds are the first bytes of the messages to a worker.
func kinds(h *pagetest.Host, id int) (all []byte) {
	for _, m := range h.Posted[id] {
		all = append(all, m[0])
	}
	return all
}

// unit is a background unit that notes what became of it.
func unit(ctx context.Context) (e *workerpool.BackgroundUnit, done *[]error) {
	done = new([]error)
	return &workerpool.BackgroundUnit{Ctx: ctx, Files: []workerpool.File{{Name: "rows", ID: "1", Data: []byte("rows")}},
		Done: func(_ []byte, err error) { *done = append(*done, err) }}, done
}

// ticks lets time pass until a worker counts as silent, and reports when and which.
func ticks(c *workerpool.Pool, most float64) (after float64, silent []int) {
	for after < most && silent == nil {
		after += .05
		silent = c.Tick(.05)
	}
	return after, silent
}

// A worker counts as silent when it owes an answer for longer than its device, its start and its own gaps explain.
func TestSilence(t *testing.T) {
	for _, x := range []struct {
		name       string
		took       float64 // to start
		alive      float64 // the gap that a sign of life tells, 0: there is none
		want, most float64
	}{
		{"one that has sent nothing", workerpool.UsualStart, 0, 15, 15.1},
		{"one that spoke", workerpool.UsualStart, .05, workerpool.Silence, workerpool.Silence + .1},
		{"one on a device four times as slow", 4 * workerpool.UsualStart, .05, 4 * workerpool.Silence, 4*workerpool.Silence + .1},
		{"one that was silent before", workerpool.UsualStart, 1, 20, 20.1},
	} {
		h := pagetest.NewHost()
		c := workerpool.New(h, 1)
		c.Ready(1, x.took)
		if _, silent := ticks(&c, 100); silent != nil {
			t.Fatalf("%s: an idle worker counts as silent", x.name)
		}
		e, _ := unit(context.Background())
		c.Submit(e)
		if x.alive > 0 {
			if _, err := c.Receive(1, engine.Alive(x.alive, 0, 0), nil); err != nil {
				t.Fatal(err)
			}
		}
		if after, silent := ticks(&c, 100); !slices.Equal(silent, []int{1}) || after < x.want || after > x.most {
			t.Errorf("%s: silent %v after %.2f s, want %v to %v", x.name, silent, after, x.want, x.most)
		}
	}

	// One that does not start.
	c := workerpool.New(pagetest.NewHost(), 1)
	if after, silent := ticks(&c, 100); !slices.Equal(silent, []int{1}) || after < 30 || after > 30.1 {
		t.Errorf("one that does not start: silent %v after %.2f s", silent, after)
	}
}

// Background units wait for an idle worker, which gets each file once; nobody computes a unit that nobody wants. A unit
// whose worker is lost goes to another one, three times.
func TestBackgroundUnits(t *testing.T) {
	h := pagetest.NewHost()
	c := workerpool.New(h, 1)
	e, done := unit(context.Background())
	ctx, stop := context.WithCancel(context.Background())
	unwanted, _ := unit(ctx)
	c.Submit(unwanted)
	c.Submit(e)
	if len(h.Posted) > 0 || !c.Contains(e) || !c.Contains(unwanted) || c.Busy() || !c.HasBackgroundUnits() {
		t.Errorf("before a worker is ready: posted %v, busy %v", h.Posted, c.Busy())
	}
	stop()
	c.Ready(1, .1)
	c.RunWaiting()
	if c.Contains(unwanted) || !c.Busy() ||
		!slices.Equal(kinds(h, 1), []byte{engine.MsgSpeed, engine.MsgFile, engine.MsgUnit}) {
		t.Errorf("the worker got %v; the unwanted unit is there: %v", kinds(h, 1), c.Contains(unwanted))
	}

	// Its result, and the next unit with the same files.
	var w wire.Writer
	w.Int(1)
	msg := slices.Concat([]byte{engine.MsgDone}, w.B, engine.Result(&estimators.Unit{Partial: []byte{1}}))
	told, err := c.Receive(1, msg, nil)
	if err != nil || !told || len(*done) != 1 || (*done)[0] != nil || c.Busy() {
		t.Fatalf("told %v, %v; done %v", told, err, *done)
	}
	c.Submit(e)
	if got := kinds(h, 1); got[len(got)-1] != engine.MsgUnit || got[len(got)-2] == engine.MsgFile {
		t.Errorf("the same files were sent again: %v", got)
	}

	// Host that are lost over it.
	for id := 1; id <= 3; id++ {
		if !c.Contains(e) {
			t.Fatalf("given up after %d workers", id-1)
		}
		c.Dismiss(id, nil)
		c.Spawn()
		c.Ready(id+1, .1)
		c.RunWaiting()
	}
	if len(*done) != 2 || (*done)[1] == nil || c.Contains(e) || !slices.Equal(h.Killed, []int{1, 2, 3}) {
		t.Errorf("after three lost workers: done %v, killed %v", *done, h.Killed)
	}
}

// Idle workers give their memory up, and come back when there is work.
func TestSpare(t *testing.T) {
	h := pagetest.NewHost()
	c := workerpool.New(h, 3)
	for id := 1; id <= 3; id++ {
		c.Ready(id, .1)
	}
	e, _ := unit(context.Background())
	c.Submit(e)
	c.ReleaseIdle()
	if len(c.Lanes) != 1 || len(h.Killed) != 2 || !c.Busy() {
		t.Errorf("%d workers are left, %v ended", len(c.Lanes), h.Killed)
	}
	other, _ := unit(context.Background())
	if c.Submit(other); len(c.Lanes) != 3 {
		t.Errorf("%d workers for more work", len(c.Lanes))
	}
	if c.Abort(); c.Contains(e) || c.Contains(other) || c.Busy() {
		t.Error("units outlive the abort")
	}
}
