//go:build !js

package edge_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"logzlab/core/labtest/tier"
	"logzlab/wasm/edge/edgetest"
	"logzlab/wasm/room"
)

// What holds natively holds on Cloudflare's runtime and its database: hostile requests, large units, and memory that
// stays within what the free plan gives.
func TestWorkerd(t *testing.T) {
	tier.Release(t) // a room on this runtime, wasm/room/exchange, comes before
	w := edgetest.Start(t)
	l := &lab{t: t, base: w.URL}
	defer func(b string) { room.Build = b }(room.Build)
	m, err := room.ReadMeta(t.Context(), l.transport())
	if err != nil {
		t.Fatal(err)
	}
	room.Build = m.Build
	l.parts()
	l.attack(func(o *room.Owner) string {
		info, err := o.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all, err := o.Results(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		devices, err := o.Devices(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range devices {
			devices[i].Seen = 0 // a refused request may still be a sign of life
		}
		return fmt.Sprintf("%+v %+v %+v", info, all.All, devices)
	})

	// Slow senders put nobody off.
	ctx, stop := context.WithCancel(t.Context())
	slow(ctx, t, w.URL)
	for range 50 {
		a, err := l.transport().Send(ctx, room.Request{Method: "GET", Path: "rooms/ABCDEF"})
		if err != nil || a.Status != 404 {
			t.Errorf("beside slow senders a request is answered by %d, %v", a.Status, err)
		}
		_ = room.Sleep(ctx, 50*time.Millisecond)
	}
	stop()

	// Devices in plenty are put off, their host is not.
	o, _ := l.open(1)
	ctx, stop = context.WithCancel(t.Context())
	asks := room.Request{Method: "GET", Path: "rooms/" + o.Code}
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
	for range 50 {
		a, err := l.transport().Send(ctx, room.Request{Method: "GET", Path: asks.Path + "/results?after=0", Token: o.Token})
		if err != nil || a.Status != 200 {
			t.Fatalf("beside %d devices that were put off the host is answered by %d, %v", refused.Load(), a.Status, err)
		}
	}
	stop()
	if refused.Load() == 0 {
		t.Error("32 devices at once put no one off")
	}

	// Warm requests are cheap.
	o, _ = l.open(300)
	device := l.join(o)
	used := w.Time(t)
	for range 300 {
		l.give(device, l.take(device), "x")
	}
	t.Logf("%v of processor time for taking a unit or giving it", (w.Time(t)-used)/600)
	used = w.Time(t)
	requests := 1000
	if os.Getenv("LOGZ_LOAD") != "" { // ./build.sh load
		requests = 36_000 // of 10,000 the runtime's heap still settles
	}
	o, _ = l.open(1)
	device = l.join(o)
	p := l.take(device)
	var held []int // MB
	for k := range requests / 2 {
		if err := device.Renew(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if _, err := o.Info(t.Context()); err != nil {
			t.Fatal(err)
		}
		if k%(requests/20) == 0 {
			held = append(held, w.Memory(t)>>20)
		}
	}
	t.Logf("MB: %v; %v of processor time a request", held,
		((w.Time(t) - used) / time.Duration(requests)).Round(100*time.Microsecond))
	if last, half := held[len(held)-1], slices.Max(held[:len(held)/2]); last > half+32 {
		t.Errorf("memory grows by %d MB in the second half of %d requests", last-half, requests)
	}
}
