package engine

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/auto"
	"logzlab/estimators/catalog"
	"logzlab/internal/tier"
)

// reached runs an experiment and returns the results that each method uses.
func reached(t *testing.T, link string, workers int, hurt func(j *Job, k *Task) bool) map[string]string {
	t.Helper()
	s, err := spec.ParseLink("v=1&"+link, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Source{Load: func(f string) ([]byte, error) { return os.ReadFile("../../site/models/" + f) }}.Open(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := NewJob(s, m, Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	var out []*Task
	last := 0.0
	for n := 0; !j.Finished(); n++ {
		if k := j.Take(); k != nil && len(out) < workers {
			out = append(out, k)
			continue
		} else if k != nil {
			j.Return(k)
		}
		p := j.Progress()
		if !(p >= last && p <= 1) {
			t.Fatalf("progress %g, after %g", p, last)
		}
		last = p
		k := out[n%len(out)] // in some order
		out = append(out[:n%len(out)], out[n%len(out)+1:]...)
		if hurt != nil && hurt(j, k) {
			j.Return(k)
			continue
		}
		k.Unit.Note = func(step int, partial []byte) { j.Note(k, step, partial) }
		for range j.Lane(k) {
		}
		j.Done(k)
	}
	digits := map[string]string{}
	for _, m := range s.Methods {
		st := j.Status(m)
		if st.State != runstate.MethodDone {
			t.Fatalf("%s is %s: %v", m, st.State, st.Err)
		}
		info, _ := catalog.Method(m)
		z, se := estimators.Pooled(st.Results, info.Unbiased)
		digits[m] = fmt.Sprintf("%d runs, %x %x, reached %v", len(st.Results), z, se, st.TargetReached)
	}
	return digits
}

// Methods with a wanted error make as many runs as they need on their own: for any number of workers, in any order of
// arrival, with lost units, alone and together with others.
func TestTargetDigits(t *testing.T) {
	t.Parallel()
	const tail = "&ais.chains=20&ais.temperatures=40&rts.chains=6&rts.sweeps=60&rts.temperatures=8&ts.chains=6&" +
		"ts.sweeps=60&ts.temperatures=8&smc.particles=20&smc.temperatures=30&target=0.06&limit=300000"
	const link = "model=mixture2&method=ais,rts,ts,smc" + tail
	want := reached(t, link, 1, nil)
	runs := map[int]bool{}
	for m, w := range want {
		if !strings.Contains(w, "reached true") {
			t.Errorf("%s: %s", m, w)
		}
		var n int
		fmt.Sscanf(w, "%d", &n)
		runs[n] = true
	}
	if len(runs) < 2 {
		t.Errorf("all methods take equally many runs: %v", want)
	}
	lost := 0
	for workers := 2; workers <= 5; workers++ {
		got := reached(t, link, workers, func(*Job, *Task) bool { lost++; return lost%7 == 0 })
		for m := range want {
			if got[m] != want[m] {
				t.Errorf("%d workers: %s has %s, want %s", workers, m, got[m], want[m])
			}
		}
	}
	for m, w := range want {
		alone := "model=mixture2&method=" + m + "&target=0.06&limit=300000"
		for _, p := range strings.Split(tail[1:], "&") {
			if strings.HasPrefix(p, m+".") {
				alone += "&" + p
			}
		}
		if got := reached(t, alone, 2, nil)[m]; got != w {
			t.Errorf("alone %s has %s, in company %s", m, got, w)
		}
	}
}

// Progress counts the runs that will be added: it is not near its end after the first of many.
func TestTargetProgress(t *testing.T) {
	t.Parallel()
	first, runs := 0.0, map[int]bool{}
	reached(t, "model=mixture2&method=rts&rts.chains=6&rts.sweeps=60&rts.temperatures=8&target=0.03&limit=1000000", 1,
		func(j *Job, k *Task) bool {
			if runs[k.Track] = true; len(runs) == 2 && first == 0 {
				first = j.Progress()
			}
			return false
		})
	if len(runs) < 10 || !(first > 0 && first < .5) {
		t.Errorf("after the first of %d tracks, progress is %g", len(runs), first)
	}
}

// auto keeps to the limit of sweeps, except for the smallest sizes of its runs, and reports what the error would take.
func TestAutoLimit(t *testing.T) {
	t.Parallel()
	for _, link := range []string{"model=mixture2&method=auto&target=1e-9&limit=100000",
		"model=rbm-pcd-20&method=auto&target=1e-9&limit=200000", "model=mixture10&method=auto&target=1e-9&limit=150000"} {
		s, err := spec.ParseLink("v=1&"+link, catalog.Names{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := Source{Load: func(f string) ([]byte, error) { return os.ReadFile("../../site/models/" + f) }}.Open(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		j, err := NewJob(s, m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(t.Context(), j, 2, nil); err != nil {
			t.Fatal(err)
		}
		sweeps := 0.0
		for _, r := range j.finishedResults("auto") {
			sweeps += r.Sweeps
		}
		if sweeps > 1.1*s.Limit || sweeps < .3*s.Limit || !(j.WorkNeeded("auto") > 1e12) {
			t.Errorf("%s: %.0f sweeps, needs %g", link, sweeps, j.WorkNeeded("auto"))
		}
	}
}

// Replicates of auto are planned for its own wanted error, each separately.
func TestAutoReplicates(t *testing.T) {
	t.Parallel()
	s, err := spec.ParseLink("v=1&model=mixture2&method=auto&replicates=3", catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Replicates {
		c, err := runOf(groups(s, catalog.Names{}), i).config(s, nil, Options{})
		if err != nil || c.Target != auto.AUTO.Target {
			t.Errorf("replicate %d is planned for %g, %v", i, c.Target, err)
		}
	}
}

// Runs with a pilot, which has no running estimates, have a history like others.
func TestPilotHistory(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	for _, link := range []string{
		"model=rbm-pcd-20&method=ais&ais.chains=20&ais.temperatures=60&ais.schedule=varopt&target=9",
		"model=mixture2&method=auto&target=0.3"} {
		if got := reached(t, link, 2, nil); len(got) != 1 {
			t.Error(got)
		}
	}
}

// A limit ends the search, a tiny target reports what it would take, and a large one takes one run.
func TestTargetLimit(t *testing.T) {
	t.Parallel()
	const one = "model=mixture2&method=rts&rts.chains=6&rts.sweeps=60&rts.temperatures=8"
	for _, c := range []struct {
		more, want string
	}{{"&target=1e-9&limit=20000", "reached false"}, {"&target=9", "1 runs, "}, {"&target=0.2&limit=1", "1 runs, "}} {
		if got := reached(t, one+c.more, 2, nil)["rts"]; !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.more, got, c.want)
		}
	}
}

// The error bar of pooled runs is from their spread or from their own error bars, whichever is larger.
func TestPooled(t *testing.T) {
	t.Parallel()
	run := func(z, se float64) *estimators.Result { return &estimators.Result{LogZ: z, SE: se} }
	for _, c := range []struct {
		runs     []*estimators.Result
		unbiased bool
		z, se    float64
	}{
		{[]*estimators.Result{run(1, .3)}, false, 1, .3},
		{[]*estimators.Result{run(1, .3), run(1, .4)}, false, 1, .25},
		{[]*estimators.Result{run(0, .1), run(2, .1)}, false, 1, 1},
		{[]*estimators.Result{run(5, .2), run(5, .2), run(5, .2), run(5, .2)}, true, 5, .1},
		{[]*estimators.Result{run(0, math.NaN()), run(2, .1)}, false, 1, 1},
	} {
		z, se := estimators.Pooled(c.runs, c.unbiased)
		if math.Abs(z-c.z) > 1e-12 || math.Abs(se-c.se) > 1e-12 {
			t.Errorf("pooled %g +- %g, want %g +- %g", z, se, c.z, c.se)
		}
	}
}
