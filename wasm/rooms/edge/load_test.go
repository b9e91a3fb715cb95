package edge_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"logzlab/internal/edgetest"
	"logzlab/wasm/rooms/edge/native"
	"logzlab/wasm/rooms/room"
)

// timed measures the times of requests.
type timed struct {
	room.Transport
	mu    sync.Mutex
	took  []time.Duration
	other map[int]int // answers that are no success, by status
}

func (x *timed) Send(ctx context.Context, r room.Request) (room.Response, error) {
	begun := time.Now()
	a, err := x.Transport.Send(ctx, r)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.took = append(x.took, time.Since(begun))
	if err == nil && a.Status >= 300 && a.Status != 410 {
		x.other[a.Status]++
	}
	return a, err
}

// crowd makes 8,000 devices at one address take a replicate, some at a time, and request the room, as an attacker does.
// Most of them are refused, because too many join at once.
func crowd(ctx context.Context, tr room.Transport, code string, run int) {
	ask := make(chan struct{}, 64)
	var all sync.WaitGroup
	for range 8000 {
		ask <- struct{}{}
		all.Go(func() {
			defer func() { <-ask }()
			device := room.NewSecret()
			_, _ = tr.Send(ctx, room.Request{Method: "POST", Path: fmt.Sprintf("rooms/%s/take?run=%d", code, run),
				Device: device, Build: room.Build})
			_, _ = tr.Send(ctx, room.Request{Method: "GET", Path: "rooms/" + code, Device: device})
		})
	}
	all.Wait()
}

// slow keeps a number of requests open, each of which sends a part of its body and then one byte after another.
func slow(ctx context.Context, t *testing.T, base string, senders, sent int) {
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	body := make([]byte, sent)
	for range senders {
		go func() {
			for ctx.Err() == nil {
				c, err := net.Dial("tcp", u.Host)
				if err != nil {
					return
				}
				stop := context.AfterFunc(ctx, func() { c.Close() })
				fmt.Fprintf(c, "POST /api/share HTTP/1.1\r\nHost: %s\r\nContent-Type: application/octet-stream\r\n"+
					"CF-Connecting-IP: 192.0.2.1\r\nContent-Length: %d\r\n\r\n", u.Host, sent+1000)
				_, err = c.Write(body)
				for err == nil && room.Sleep(ctx, time.Second) == nil {
					_, err = c.Write([]byte("x"))
				}
				stop()
				c.Close()
			}
		}()
	}
}

// TestLoad makes 300 devices join within 10 s and compute runs for some time (./build.sh load), together with a crowd
// of 8,000 and slow senders: each replicate of each run gets its outcome, and 99 of 100 requests take less than a
// second. With LOGZ_LOAD_URL it loads that server; "workerd" is Cloudflare's runtime here.
func TestLoad(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("LOGZ_LOAD"))
	if err != nil {
		t.Skip("takes minutes: ./build.sh load")
	}
	base := os.Getenv("LOGZ_LOAD_URL")
	switch base {
	case "workerd":
		base = edgetest.Start(t).URL
	case "":
		s, _ := edgetest.Native(t)
		web := httptest.NewUnstartedServer(nil)
		web.Config = native.Web(s.Handler())
		web.Start()
		t.Cleanup(web.Close)
		base = web.URL + "/"
	}
	x := &timed{Transport: room.HTTP{Base: base}, other: map[int]int{}}
	m, err := room.ReadMeta(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	room.Build = m.Build
	o, err := room.Open(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Go(func() {
			_ = room.Sleep(ctx, time.Duration(i)*10*time.Second/300)
			c := &room.Client{Transport: x, Code: o.Code, Device: room.NewSecret()}
			if err := c.Follow(ctx, func(ctx context.Context, run room.Run) error {
				return c.Work(ctx, run, func(ctx context.Context, index int) ([]byte, error) {
					return outcome(index), room.Sleep(ctx, 2*time.Second+rand.N(4*time.Second))
				}, nil)
			}); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		})
	}
	slow(ctx, t, base, 64, 0)
	joined := make(chan room.Run, 1)
	wg.Go(func() {
		_ = room.Sleep(ctx, max(d/4, 12*time.Second)) // the others have joined, at the same address
		run := <-joined
		crowd(ctx, x, o.Code, run.ID)
	})

	// Runs, until the time is over.
	runs, replicates := 0, 0
	for begun := time.Now(); time.Since(begun) < d; runs++ {
		run, err := o.Start(ctx, link, 600, nil)
		if err != nil {
			t.Fatal(err)
		}
		if runs == 0 {
			joined <- run
		}
		got := map[int]bool{}
		for after := 0; len(got) < run.Replicates; {
			all, err := o.Results(ctx, run.ID, after)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range all.Results {
				if after = r.Seq; r.Hash != room.Sum(outcome(r.Index)) || got[r.Index] == (len(r.Body) > 0) {
					t.Errorf("a wrong result: %+v", r)
				}
				got[r.Index] = true
			}
			_ = room.Sleep(ctx, time.Duration(all.Wait)*time.Millisecond)
		}
		replicates += len(got)
		if err := o.Finish(ctx, run.ID); err != nil {
			t.Error(err)
		}
	}
	if err := o.Close(ctx); err != nil {
		t.Error(err)
	}
	wg.Wait()
	slices.Sort(x.took)
	q := func(p float64) time.Duration { return x.took[int(p*float64(len(x.took)-1))].Round(time.Millisecond) }
	t.Logf("%d runs, %d replicates, %d calls, p50 %v, p99 %v, longest %v; other answers %v", runs, replicates, len(x.took),
		q(.5), q(.99), q(1), x.other)
	if u := os.Getenv("LOGZ_LOAD_URL"); (u == "" || u == "workerd") && q(.99) > time.Second {
		t.Error("a call in a hundred takes more than a second")
	}
	for status := range x.other {
		if status != 503 && status != 429 {
			t.Errorf("status %d", status)
		}
	}
}
