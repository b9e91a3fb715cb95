//go:build !js

package exchange

import (
	"context"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/site"
	"logzlab/wasm/edge/edgetest"
	"logzlab/wasm/room"
)

// links have lanes, rounds, replicates, readers of one run, and base rates.
var links = []string{
	"v=1&model=mixture2&method=ais,bar,rts&ais.chains=40&ais.temperatures=60&bar.chains=40&bar.sweeps=40&" +
		"bar.temperatures=12&rts.chains=40&rts.sweeps=40&rts.temperatures=12",
	"v=1&model=mixture2&method=ais&ais.chains=20&ais.temperatures=60&replicates=8",
	"v=1&model=rbm-cd1-20&method=rts,ts&rts.chains=30&rts.sweeps=40&rts.temperatures=20&ts.chains=30&ts.sweeps=40&" +
		"ts.temperatures=20",
}

func load(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }

func open(t *testing.T, link string) func() (*engine.Job, error) {
	t.Helper()
	s, err := spec.ParseLink(link, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	return func() (*engine.Job, error) {
		var m models.Model
		m, err := engine.Source{Load: load}.Open(s, nil)
		if err != nil {
			return nil, err
		}
		return engine.NewJob(s, m, engine.Options{})
	}
}

// hashes are those of a job's reports.
func hashes(j *engine.Job) (all []string) {
	for _, r := range report.New(j).Kept(0) {
		all = append(all, r.Hash)
	}
	return all
}

// alone are the hashes of a run without a room.
func alone(t *testing.T, link string) []string {
	t.Helper()
	j, err := open(t, link)()
	if err == nil {
		err = engine.Run(t.Context(), j, 2, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return hashes(j)
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range want {
		if len(got) != len(want) || got[i] != want[i] || want[i] == "" {
			t.Errorf("%s: hashes %q, alone %q", what, got, want)
			return
		}
	}
}

// server is a native one whose clock may be put forward.
func server(t *testing.T) (room.Transport, *atomic.Int64) {
	t.Helper()
	s, _ := edgetest.Native(t)
	ahead := new(atomic.Int64)
	s.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	s.Pace = 2 * time.Millisecond
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	return room.HTTP{Base: web.URL + "/"}, ahead
}

// hasty is a server whose clock runs twenty times as fast, and may be put forward or back.
func hasty(t *testing.T) (room.Transport, *atomic.Int64) {
	t.Helper()
	s, _ := edgetest.Native(t)
	begun, jump := time.Now(), new(atomic.Int64)
	s.Now = func() time.Time { return begun.Add(20*time.Since(begun) + time.Duration(jump.Load())) }
	s.Pace = 2 * time.Millisecond
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	return room.HTTP{Base: web.URL + "/"}, jump
}

func join(t *testing.T, tr room.Transport, code string) *Device {
	t.Helper()
	m, _, err := room.Join(t.Context(), tr, code, room.NewSecret())
	if err != nil {
		t.Fatal(err)
	}
	return &Device{Member: m, Compute: In(worker())}
}

func worker() *engine.Worker {
	w := engine.NewWorker()
	w.Load = load
	return w
}

func host(t *testing.T, tr room.Transport, link string) *Host {
	t.Helper()
	o, err := room.Open(t.Context(), tr, link)
	if err != nil {
		t.Fatal(err)
	}
	return &Host{Owner: o, Compute: In(worker()), Verify: Verify}
}

// A run through a room has the digits that it has alone, with three devices of which one dies holding a unit.
func TestSameDigits(t *testing.T) {
	for _, link := range links {
		tr, ahead := server(t)
		h := host(t, tr, link)
		dead := join(t, tr, h.Owner.Code)
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			for {
				if p, _, err := dead.Member.Take(ctx); p != nil || err != nil {
					break
				}
			}
			ahead.Add(int64(time.Hour)) // its lease runs out
			_ = WorkAll(ctx, []*Device{join(t, tr, h.Owner.Code), join(t, tr, h.Owner.Code)})
		}()
		j, err := h.Run(ctx, open(t, link))
		if err != nil {
			t.Fatal(link, err)
		}
		same(t, link, hashes(j), alone(t, link))
		if c := h.Counts(); c.Own == 0 || c.Unseen > 0 || c.Left > 0 || c.Units < 4 {
			t.Errorf("%s: %+v", link, c)
		}
		stop()
	}
}
