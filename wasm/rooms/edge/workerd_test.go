//go:build !js

package edge_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"logzlab/internal/edgetest"
	"logzlab/internal/tier"
	"logzlab/wasm/rooms/room"
)

// onWorkerd returns a lab on Cloudflare's runtime.
func onWorkerd(t *testing.T) (*lab, *edgetest.Workerd) {
	w := edgetest.Start(t)
	l := &lab{t: t, base: w.URL}
	m, err := room.ReadMeta(t.Context(), l.transport())
	if err != nil {
		t.Fatal(err)
	}
	before := room.Build
	t.Cleanup(func() { room.Build = before })
	room.Build = m.Build
	return l, w
}

// Cloudflare's runtime and its database pass the same tests: the complete protocol, and hostile requests.
func TestWorkerdProtocol(t *testing.T) {
	tier.Test(t)
	l, _ := onWorkerd(t)
	l.protocol()
	l.attack(func(o *room.Owner) string {
		devices, err := o.Devices(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range devices {
			devices[i].Seen = 0 // a request that is refused may still be a sign of life
		}
		info := l.info(o)
		run := *info.Run
		info.Ends, info.Run = 0, nil
		return fmt.Sprintf("%+v %+v %+v %+v", info, run, l.results(o, run), devices)
	})
}

// Under load the worker serves the right clients, and its memory does not grow.
func TestWorkerd(t *testing.T) {
	if os.Getenv("LOGZ_LOAD") == "" { // ./build.sh load
		tier.Release(t)
	}
	l, w := onWorkerd(t)
	t.Logf("%d MB after one request", w.Memory(t)>>20)

	// A worker has 128 MB on Cloudflare. Instances have at most 48 MB (worker/shim.mjs). The time of garbage collection
	// varies, so the limits are for the memory that is used at each of several times.
	most := 0
	check := func() { most = max(most, w.Heap(t)>>20) }

	// Warm requests are cheap. The runtime's heap settles meanwhile.
	o, run := l.open(room.MaxReplicates)
	device := l.join(o)
	requests := 2000
	if os.Getenv("LOGZ_LOAD") != "" {
		requests = 10_000
	}
	used := w.Time(t)
	var held []int // MB
	for k := range requests / 2 {
		index := l.take(device, run)
		l.give(device, run, index, outcome(index))
		if k%(requests/20) == 0 {
			held = append(held, w.Memory(t)>>20)
			check()
		}
	}
	t.Logf("%v of processor time to take a replicate or to give it; MB: %v",
		((w.Time(t) - used) / time.Duration(requests)).Round(100*time.Microsecond), held)
	t.Logf("at most %d MB of JavaScript", most)

	// Break review F6: 30 senders hold back the end of bodies of 1 MB, and as many of small ones. Nobody else is refused,
	// at any address, and memory is bounded.
	before, process := w.Memory(t)>>20, 0
	ctx, stop := context.WithCancel(t.Context())
	slow(ctx, t, w.URL, 30, 1_040_000)
	slow(ctx, t, w.URL, 30, 1000)
	body := make([]byte, 60_000)
	for k := range 100 {
		index := l.take(device, run)
		a := l.send(l.transport(), room.Request{Method: "POST", Device: device.Device, Body: body,
			Path: fmt.Sprintf("rooms/%s/result?run=%d&index=%d", o.Code, run.ID, index)})
		if a.Status != 200 {
			t.Errorf("beside slow senders request %d is answered by %d, %s", k, a.Status, a.Body)
		}
		process = max(process, w.Memory(t)>>20)
		if k%10 == 0 {
			check()
		}
		_ = room.Sleep(ctx, 50*time.Millisecond)
	}
	stop()
	t.Logf("%d MB before slow senders, at most %d MB beside them; at most %d MB of JavaScript", before, process, most)

	// Many devices are refused, with invented tokens or without. The host is not: its token was valid before.
	host := room.Request{Method: "GET", Path: fmt.Sprintf("rooms/%s/results?run=%d&after=%d", o.Code, run.ID, 1<<40),
		Token: o.Token}
	for _, token := range []string{"", room.NewSecret(), o.Code} {
		answeredAs(t, l.send(l.transport(), host), 200, "results")
		ctx, stop = context.WithCancel(t.Context())
		asks := room.Request{Method: "GET", Path: "rooms/" + o.Code, Token: token}
		var refused atomic.Int32
		for range 32 {
			go func() {
				for ctx.Err() == nil {
					if a, err := l.transport().Send(ctx, asks); err == nil && a.Status == 503 {
						refused.Add(1)
					}
				}
			}()
		}
		for refused.Load() == 0 && ctx.Err() == nil {
			_ = room.Sleep(ctx, time.Millisecond)
		}
		for range 50 {
			if a := l.send(l.transport(), host); a.Status != 200 {
				t.Fatalf("beside %d devices that were put off, the token of which was %q, the host is answered by %d",
					refused.Load(), token, a.Status)
			}
		}
		stop()
	}
	check()
	t.Logf("%d MB in the end; at most %d MB of JavaScript", w.Memory(t)>>20, most)
	if most > 128-48 {
		t.Errorf("the worker's JavaScript held %d MB", most)
	}
}
