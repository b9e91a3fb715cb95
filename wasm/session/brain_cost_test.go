package session

import (
	"slices"
	"strings"
	"testing"

	"logzlab/estimators"
)

// longRun goes on for some thousand turns of the fake page.
const longRun = "v=1&model=rbm-pcd-20&method=ais&ais.temperatures=20000&ais.chains=10"

// Numbers are painted twice a second, however often they come: every view
// costs a lane's time. What the user does is answered at once.
func TestBrainRhythm(t *testing.T) {
	p := newPage(t, 2)
	p.brain.Open(longRun)
	p.until("running", func() bool { return p.view.State == "running" })
	before := p.views
	for range 80 { // 4 seconds, in which every lane tells its progress 80 times
		p.turn(50)
	}
	if n := p.views - before; n < 7 || n > 8 {
		t.Errorf("%d views in 4 seconds", n)
	}
	before = p.views
	p.brain.Event(Event{Name: "sheet", Value: "help", N: 1})
	p.turn(0)
	if p.views != before+1 || p.view.Sheet != "help" {
		t.Errorf("%d views after an event, sheet %q", p.views-before, p.view.Sheet)
	}
	before = p.views
	for i := range 40 { // 2 seconds of a picture that tells how far it is
		p.brain.Event(Event{Name: "picture", Value: "loading", Key: "1.2 MB", N: 2 + i})
		p.turn(0)
	}
	if n := p.views - before; n < 3 || n > 4 || p.view.Seen < 31 {
		t.Errorf("%d views in 2 seconds of loading, %d events seen", n, p.view.Seen)
	}
}

// The first number does not wait for the rhythm.
func TestBrainFirstNumber(t *testing.T) {
	p := newPage(t, 2)
	p.brain.Open("v=1&model=rbm-pcd-20&method=ais&ais.temperatures=300")
	known, shown := -1, -1
	for i := 0; shown < 0 && i < 20000; i++ {
		p.turn(20)
		if known < 0 && p.brain.job != nil && slices.ContainsFunc(p.brain.job.Reports(0), func(r *Report) bool { return isNumber(r.LogZ) }) {
			known = i
		}
		if p.view.Numbers {
			shown = i
		}
	}
	if known < 0 || shown < 0 || shown-known > 2 {
		t.Errorf("a number is known after %d turns and painted after %d", known, shown)
	}
}

// Where the picture failed its frames are made for the table behind it only, once a
// second, and no curves are sent; one that is tried again gets all of them.
func TestBrainUnseenPicture(t *testing.T) {
	p := newPage(t, 2)
	p.brain.Open(longRun)
	p.until("running", func() bool { return p.view.State == "running" })
	rests := func(want int) (filmed int) {
		t.Helper()
		p.turn(1)
		for id, l := range p.lanes {
			if l.w.rest != want {
				t.Errorf("lane %d rests %d ms between pictures, not %d", id, l.w.rest, want)
			}
			if l.r != nil && l.r.Filmed() {
				filmed++
			}
		}
		return
	}
	if rests(pictureTime) == 0 {
		t.Error("no lane keeps a film")
	}
	p.brain.Event(Event{Name: "picture", Value: "failed", Key: "no WebGL", N: 1})
	if rests(unseenTime) > 0 {
		t.Error("a lane keeps a film that nobody sees")
	}
	p.brain.Open("v=1&model=mixture2&method=ais")
	p.turn(0)
	before := p.curves
	p.finish()
	if p.curves != before {
		t.Errorf("%d curves for a picture that failed", p.curves-before)
	}
	p.brain.Event(Event{Name: "picture", Value: "loading", N: 2})
	rests(pictureTime)
	for range 10 { // half a second
		p.turn(0)
	}
	if p.curves == before {
		t.Error("a picture tried again gets no curves")
	}
}

// counting counts what is asked of a method.
type counting struct {
	estimators.Method
	estimates int
}

func (c *counting) Estimate(p [][]byte) *estimators.Result {
	c.estimates++
	return c.Method.Estimate(p)
}

// An estimate is made again when something has come that may change it, and not
// before. Planted and seen to fail: results kept in Done, in Peek, and never kept.
func TestJobEstimates(t *testing.T) {
	for _, link := range []string{ // one tells by partials of whole lanes, one by peeks
		"v=1&model=mixture2&method=ais&ais.temperatures=100&ais.chains=60",
		"v=1&model=mixture2&method=rts&rts.chains=10&rts.sweeps=1000",
	} {
		p := newPage(t, 2) // so many that lanes stay small
		p.brain.Open(link)
		p.until("running", func() bool { return p.view.State == "running" })
		j := p.brain.job
		track := j.tracks[0]
		c := &counting{Method: track.m}
		track.m = c
		changes, old := 0, Number(0)
		for range 2000 {
			if j.Finished() {
				break
			}
			p.turn(99)
			was := c.estimates
			first := j.Reports(0)[0].LogZ
			j.Reports(1)
			if c.estimates > was+1 {
				t.Fatalf("%s: two reports of the same took %d estimates", link, c.estimates-was)
			}
			if first != old {
				changes, old = changes+1, first
			}
			if track.finished {
				continue
			}
			seen := append([][]byte(nil), track.partials...)
			for i, q := range seen {
				if q == nil {
					seen[i] = track.peeks[i]
				}
			}
			if res := c.Method.Estimate(seen); res != nil && Number(res.LogZ) != first {
				t.Fatalf("%s: the report says %v of partials that give %v", link, first, res.LogZ)
			}
		}
		if !j.Finished() || changes < 3 {
			t.Errorf("%s: finished %v, %d changes", link, j.Finished(), changes)
		}
	}
}

// Lanes open a bundled model while the brain does, not when the first unit comes.
func TestBrainOpensAhead(t *testing.T) {
	p := newPage(t, 2)
	p.brain.Open(longRun)
	p.until("work", func() bool { return p.units > 0 })
	for id, l := range p.lanes {
		file, open, unit := strings.IndexByte(string(l.kinds), MsgFile), strings.IndexByte(string(l.kinds), MsgOpen), strings.IndexByte(string(l.kinds), MsgUnit)
		if file < 0 || open < file || unit >= 0 && unit < open {
			t.Errorf("lane %d was told %s", id, l.kinds)
		}
	}
}
