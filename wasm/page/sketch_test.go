package page

import (
	"regexp"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// TestSketch: until the picture has come the page draws particles itself, their pictures or dots in the plane at one
// scale, and draws them again as the run goes on.
func TestSketch(t *testing.T) {
	path := regexp.MustCompile(`class="(sketch[^"]*)"[^>]*><path d="([^"]*)"`)
	send := func(p *fakePage, f frame.Frame) string {
		t.Helper()
		f.Method, f.Beta = "ais", make([]float32, f.N)
		p.looks = [][]byte{f.Append(nil)}
		p.until("a sketch", func() bool { p.show(); return path.MatchString(string(p.parts["view"])) })
		for range 20 { // and the present one
			p.turn(50)
		}
		m := path.FindStringSubmatch(string(p.parts["view"]))
		return m[1] + " " + m[2]
	}
	p := newPage(t, 1)
	p.controller.Open("v=1&model=mixture2&method=ais&ais.temperatures=2000")
	p.until("running", func() bool { return p.view.State == runstate.Running })
	p.controller.Event(state.Event{Name: "picture", Value: "loading"})
	for _, c := range []struct {
		points []float32
		want   string
	}{
		{[]float32{10, 0, -5, 5}, "sketch dots M400 -0h0M-200 -200h0"},
		{[]float32{5, 0, 0, -1}, "sketch dots M200 -0h0M0 40h0"},
	} {
		if got := send(p, frame.Frame{N: 2, Points: c.points}); got != c.want {
			t.Errorf("%v: %s", c.points, got)
		}
	}
	if got := send(p, frame.Frame{N: 2, W: 2, H: 2, Pixels: []byte{1, 1, 0, 2, 0, 1, 0, 0}}); got !=
		"sketch M0 0h2v1h-2zM7 0h1v1h-1z" {
		t.Errorf("pictures: %s", got)
	}
	p.controller.Event(state.Event{Name: "picture", Value: "ready"})
	p.show()
	if strings.Contains(string(p.parts["view"]), "sketch") {
		t.Error("the sketch stays when the picture is there")
	}
}

// TestTableShowsFinalFrames: a table that was opened during a run has the frames of its end.
func TestTableShowsFinalFrames(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Event(state.Event{Name: "picture", Value: "ready"})
	p.controller.Open("v=1&model=mixture2&method=ais&ais.temperatures=2000")
	p.until("running", func() bool { return p.view.State == runstate.Running })
	p.controller.Event(state.Event{Name: "sheet", Value: "table"})
	p.finish()
	if p.lookedAt != runstate.Done {
		t.Errorf("the last frames were asked for when the run was %s", p.lookedAt)
	}
}
