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
	"strconv"
	"sync"
	"testing"
	"time"

	"logzlab/core/wire"
	"logzlab/wasm/edge/edgetest"
	"logzlab/wasm/edge/native"
	"logzlab/wasm/room"
)

// timed measures calls.
type timed struct {
	room.Transport
	mu    sync.Mutex
	took  []time.Duration
	other map[int]int // answers that are no success, by status
}

func (x *timed) Send(ctx context.Context, r room.Request) (room.Answer, error) {
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

// crowd has 8,000 devices of one machine ask for a unit, some at a time, and look at the room, as a big cluster does,
// or an attacker. Most of them are refused by the quota of a machine.
func crowd(ctx context.Context, tr room.Transport, code string) {
	machine := room.NewSecret()
	ask := make(chan struct{}, 64)
	var all sync.WaitGroup
	for range 8000 {
		ask <- struct{}{}
		all.Go(func() {
			defer func() { <-ask }()
			m := &room.Member{Client: room.Client{Transport: tr, Code: code}, Device: room.NewDevice(machine)}
			if p, _, err := m.Take(ctx); p != nil && err == nil {
				_ = m.Give(ctx, p, result(string(p.Own)))
			}
			_, _ = m.Info(ctx)
		})
	}
	all.Wait()
}

// slow keeps 64 requests open whose bodies come byte by byte.
func slow(ctx context.Context, t *testing.T, base string) {
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	for range 64 {
		go func() {
			for ctx.Err() == nil {
				c, err := net.Dial("tcp", u.Host)
				if err != nil {
					return
				}
				fmt.Fprintf(c, "POST /api/share HTTP/1.1\r\nHost: %s\r\nContent-Type: application/octet-stream\r\n"+
					"Content-Length: 100000\r\n\r\n", u.Host)
				for err == nil && room.Sleep(ctx, time.Second) == nil {
					_, err = c.Write([]byte("x"))
				}
				c.Close()
			}
		}()
	}
}

// TestLoad has 300 devices join within 10 s and compute for a while (./build.sh load), beside a crowd of 8,000 and
// slow senders: each unit counts once, the sum is exact, and 99 of 100 calls take less than a second. With
// LOGZ_LOAD_URL it loads that server; "workerd" is Cloudflare's runtime here.
func TestLoad(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("LOGZ_LOAD"))
	if err != nil {
		t.Skip("takes minutes: ./build.sh load")
	}
	var tr room.Transport = room.HTTP{Base: os.Getenv("LOGZ_LOAD_URL")}
	switch tr.(room.HTTP).Base {
	case "workerd":
		tr = room.HTTP{Base: edgetest.Start(t).URL}
	case "":
		s, _ := edgetest.Native(t)
		web := httptest.NewUnstartedServer(nil)
		web.Config = native.Web(s.Handler())
		web.Start()
		t.Cleanup(web.Close)
		tr = room.HTTP{Base: web.URL + "/"}
	}
	if m, err := room.ReadMeta(t.Context(), tr); err != nil {
		t.Fatal(err)
	} else {
		room.Build = m.Build
	}
	x := &timed{Transport: tr, other: map[int]int{}}
	o, err := room.Open(t.Context(), x, "v=1&model=mixture2&method=ais")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Go(func() {
			_ = room.Sleep(ctx, time.Duration(i)*10*time.Second/300)
			m := &room.Member{Client: room.Client{Transport: x, Code: o.Code}, Device: room.NewSecret()}
			for {
				p, wait, err := m.Take(ctx)
				if err != nil {
					return
				}
				if p == nil {
					_ = room.Sleep(ctx, wait)
					continue
				}
				_ = room.Sleep(ctx, 2*time.Second+rand.N(4*time.Second)) // it computes
				if m.Give(ctx, p, result(string(p.Own))) != nil {
					return
				}
			}
		})
	}
	slow(ctx, t, tr.(room.HTTP).Base)
	wg.Go(func() {
		_ = room.Sleep(ctx, d/4)
		crowd(ctx, x, o.Code)
	})
	put, sum, want, after, got := 0, 0, 0, 0, map[string]string{}
	for begun := time.Now(); time.Since(begun) < d || len(got) < put; {
		var posts []room.Post
		for time.Since(begun) < d && put-len(got)+len(posts) < 600 {
			n := put + len(posts)
			own := []byte(strconv.Itoa(n))
			posts = append(posts, room.Post{ID: room.ID(own), Round: room.ID([]byte("plan")), Common: []byte("plan"), Own: own})
			want += n
		}
		if err := o.Put(ctx, posts); err != nil {
			t.Fatal(err)
		}
		put += len(posts)
		all, err := o.Results(ctx, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all.All {
			after = r.Seq
			if before, ok := got[r.Unit]; ok {
				if before != r.Hash {
					t.Error("two results of a unit differ")
				}
				continue
			}
			if len(r.Body) == 0 { // a check that came before the first result
				continue
			}
			f := wire.Reader{B: r.Body[1:]}
			n, err := strconv.Atoi(f.String())
			if err != nil || room.ID([]byte(strconv.Itoa(n))) != r.Unit {
				t.Fatalf("a result of another unit: %v", err)
			}
			got[r.Unit], sum = r.Hash, sum+n
		}
		_ = room.Sleep(ctx, all.Wait)
	}
	if err := o.Close(ctx); err != nil {
		t.Error(err)
	}
	stop()
	wg.Wait()
	slices.Sort(x.took)
	q := func(p float64) time.Duration { return x.took[int(p*float64(len(x.took)-1))].Round(time.Millisecond) }
	t.Logf("%d units, %d calls, p50 %v, p99 %v, longest %v; other answers %v", put, len(x.took), q(.5), q(.99), q(1),
		x.other)
	if sum != want || len(got) != put {
		t.Errorf("%d units give %d; %d results give %d", put, want, len(got), sum)
	}
	if u := os.Getenv("LOGZ_LOAD_URL"); (u == "" || u == "workerd") && q(.99) > time.Second {
		t.Error("a call in a hundred takes more than a second")
	}
	for status := range x.other {
		if status != 503 && status != 429 {
			t.Errorf("status %d", status)
		}
	}
}
