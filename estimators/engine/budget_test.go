package engine_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/internal/tier"
	"logzlab/models"
)

func loadSite(f string) ([]byte, error) { return os.ReadFile("../../site/models/" + f) }

// parsed returns the spec of a link.
func parsed(t *testing.T, link string) *spec.Spec {
	t.Helper()
	s, err := spec.ParseLink("v=1&"+link, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func opened(t *testing.T, s *spec.Spec) models.Model {
	t.Helper()
	m, err := engine.Source{Load: loadSite}.Open(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// peak returns the largest heap while f runs, above the heap before, with a permanently active garbage collector.
func peak(f func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() float64 { metrics.Read(sample); return float64(sample[0].Value.Uint64()) }
	before, most := heap(), 0.0
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				most = max(most, heap())
			}
		}
	}()
	f()
	close(stop)
	<-stopped
	return most - before
}

// A run takes the memory that is planned for it: the true need is at most 30 % and 3 MB above the plan. Detects
// records, states and copies that are not counted.
func TestMemoryIsCounted(t *testing.T) {
	tier.Test(t)
	for i, link := range []string{
		"model=mixture2&method=is&is.particles=300000",
		"model=mixture2&method=ais&ais.chains=300&ais.temperatures=1000",
		"model=mixture2&method=ais,ais-bar,raise&ais.chains=30&ais.temperatures=10000&ais-bar.chains=30" +
			"&ais-bar.temperatures=10000&raise.chains=30&raise.temperatures=10000",
		"model=mixture2&method=raise&raise.chains=100000&raise.temperatures=2",
		"model=ising16&method=ais&ais.chains=3000&ais.temperatures=4&ais.sweeps=10",
		"model=mixture2&method=rts,ts&rts.chains=100&rts.temperatures=3000&rts.sweeps=5&rts.init_sweeps=5&rts.init=ones" +
			"&ts.chains=100&ts.temperatures=3000&ts.sweeps=5&ts.init_sweeps=5&ts.init=ones",
		"model=mixture2&method=rts&rts.chains=9&rts.temperatures=1000&rts.sweeps=900&rts.init_sweeps=5&rts.init=ones",
		"model=mixture2&method=rts&rts.chains=500&rts.temperatures=300&rts.sweeps=5&rts.init=ones&rts.init_rounds=30" +
			"&rts.init_sweeps=1&rts.merge=yes",
		"model=mixture2&method=wl&wl.chains=30&wl.islands=40&wl.temperatures=1500&wl.sweeps=30",
		"model=mixture2&method=rts&rts.init=sams&rts.adapt_sweeps=30&rts.chains=400&rts.temperatures=1500&rts.sweeps=5" +
			"&rts.init_sweeps=5",
		"model=mixture2&method=mbar&mbar.sweeps=200&mbar.init=ones&mbar.init_rounds=1",
		"model=mixture2&method=bar&bar.sweeps=5000&bar.init=ones&bar.init_rounds=1&bar.temperatures=40",
		"model=mixture10&method=smc&smc.particles=10000&smc.islands=10&smc.temperatures=4",
		"model=mixture2&method=smc&smc.particles=2&smc.islands=30&smc.temperatures=20000",
		"model=gpc-1d&method=rm&rm.particles=5000&rm.moves=1&rm.islands=5",
		"model=gpc-1d&method=arm&arm.particles=2000&arm.moves=1&arm.islands=5&arm.gamma=1&arm.ess=0",
		"model=gpc-1d&method=arm-anticipate&arm-anticipate.particles=2000&arm-anticipate.moves=1" +
			"&arm-anticipate.extra_copies=yes&arm-anticipate.gamma=1&arm-anticipate.ess=0",
		"model=rbm-pcd-20&method=rm-optimal&rm-optimal.particles=50&rm-optimal.moves=1&rm-optimal.islands=2",
		"model=rbm-cd1-500&method=ais&ais.chains=300&ais.temperatures=3",
		"model=mixture2&method=ais&ais.chains=10&ais.temperatures=100&replicates=200",
	} {
		s := parsed(t, link)
		if i%7 != 0 && !tier.Releases() {
			continue
		}
		counted := 0.0
		truth := peak(func() {
			j, err := engine.NewJob(s, opened(t, s), engine.Options{Workers: 2})
			if err != nil {
				t.Fatalf("%s: %v", link, err)
			}
			counted = j.MaxBytes()
			if err := engine.Run(context.Background(), j, 2, nil); err != nil {
				t.Fatal(err)
			}
		})
		if truth > 1.3*counted+3e6 {
			t.Errorf("%s: %.1f MB were counted, %.1f MB were taken", link, counted/1e6, truth/1e6)
		}
		t.Logf("%-60.60s counted %6.1f MB, taken %6.1f", link, counted/1e6, truth/1e6)
	}
}

// An experiment that would take too much memory is refused before anything is made, with an error that names the
// parameters to reduce; with smaller ones it is accepted.
func TestTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ link, want string }{
		{"model=gpc-mnist35&method=arm&arm.particles=100000&arm.islands=1000",
			"arm with particles = 100000, islands = 1000, i_max = 3 would take"},
		{"model=mixture2&method=ais&ais.chains=10&ais.temperatures=1000&replicates=100000", ""},
		{"model=rbm-pcd-20&method=smc&smc.particles=10000&smc.islands=1000", "smc with particles = 10000, islands = 1000"},
		{"model=mixture2&method=rts&rts.temperatures=10000&rts.chains=100000",
			"rts with chains = 100000, temperatures = 10000"},
		{"model=mixture2&method=is&is.particles=10000000", ""},
	} {
		s := parsed(t, c.link)
		_, err := engine.NewJob(s, opened(t, s), engine.Options{Workers: 4, MemoryLimit: 1.5e9, SeparateMemory: true})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.link, err, c.want)
		}
	}
}

// With parameters at their largest, every method on every built-in model is refused by name or has an estimate of
// memory and time. Nothing is run.
func TestLargestParameters(t *testing.T) {
	tier.Test(t)
	for i, e := range catalog.Kinds.Builtin() {
		base := parsed(t, "model="+e.Name+"&method=is")
		m := opened(t, base)
		for k, info := range catalog.Methods {
			if !tier.Releases() && (i+k)%3 != 0 { // each method on every third model
				continue
			}
			for _, set := range combinations(info.Params) {
				s := parsed(t, "model="+e.Name+"&method="+info.Name)
				s.Set = map[string]string{}
				for k, v := range set {
					s.Set[info.Name+"."+k] = v
				}
				j, err := engine.NewJob(s, m, engine.Options{Workers: 2, MemoryLimit: 1.5e9, SeparateMemory: true})
				switch {
				case err != nil && err.Error() == "":
					t.Errorf("%s %s %v: an error without words", e.Name, info.Name, set)
				case err == nil && !(j.MaxBytes() > 0 && j.MaxBytes() <= 1.5e9 && j.Seconds() > 0 && j.Seconds() < 1e18):
					t.Errorf("%s %s %v: %v bytes, %v s", e.Name, info.Name, set, j.MaxBytes(), j.Seconds())
				}
			}
		}
		if testing.Short() && e.Name == "mixture2" {
			return
		}
	}
}

// combinations sets one number, two of them for a release, and all to their largest values.
func combinations(params []spec.Param) (out []map[string]string) {
	all := map[string]string{}
	var names []string
	for _, p := range params {
		if p.Type == "int" {
			names = append(names, p.Name)
			all[p.Name] = fmt.Sprintf("%.0f", p.Max)
		}
	}
	out = append(out, all)
	pairs := tier.Size(0, 0, len(names))
	for i, a := range names {
		for _, b := range names[i:max(i+1, pairs)] {
			out = append(out, map[string]string{a: all[a], b: all[b]})
		}
	}
	return out
}

// Progress counts planned time: for a classifier whose data come one by one, the first half takes a quarter of the time
// or a little more, because a sweep of n data takes n products of n numbers. The remaining time is known from the
// start. Detects progress by sweeps, for which late stages come three times too late.
func TestProgressCountsTime(t *testing.T) {
	t.Parallel()
	s := parsed(t, "model=gpc-mnist35&method=arm-reseed&arm-reseed.particles=60&arm-reseed.islands=1&arm-reseed.moves=1"+
		"&arm-reseed.i_max=1&arm-reseed.reseed_sweeps=1")
	j, err := engine.NewJob(s, opened(t, s), engine.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if left := j.SecondsLeft(0); !(left > 0 && left < 2*j.Seconds()) {
		t.Errorf("%v s are left of %v", left, j.Seconds())
	}
	halfway := -1.0
	for k := j.Take(); k != nil; k = j.Take() {
		for range j.Lane(k) {
		}
		j.Done(k)
		if res := j.Status("arm-reseed").Results; len(res) > 0 && len(res[0].Stages) >= 100 && halfway < 0 {
			halfway = j.Progress() * 100 / float64(len(res[0].Stages))
		}
	}
	if !(halfway > .15 && halfway < .42) || j.Progress() != 1 {
		t.Errorf("%.2f is done halfway, %.2f at the end", halfway, j.Progress())
	}
}

// Running units are summed in one order: the same state has the same progress to the last bit, however often it is
// read, and a paused page does not change.
func TestProgressStands(t *testing.T) {
	t.Parallel()
	s := parsed(t, "model=mixture2&method=ais&ais.chains=100")
	j, err := engine.NewJob(s, opened(t, s), engine.Options{Workers: 10})
	if err != nil {
		t.Fatal(err)
	}
	lanes := 0
	for k := j.Take(); k != nil; k = j.Take() {
		lanes++
		j.Peek(k, nil, 1/float64(2+lanes))
	}
	if lanes < 5 {
		t.Fatalf("%d lanes", lanes)
	}
	want := j.Progress()
	for range 100 {
		if got := j.Progress(); got != want {
			t.Fatalf("progress %v, then %v", want, got)
		}
	}
}
