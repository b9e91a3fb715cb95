package render

import (
	"testing"

	"logzlab/core/frame"
)

// TestRenew: the picture stays until the next run has rows to show, and is then that run's alone; what the viewer chose
// in the meantime stays.
func TestRenew(t *testing.T) {
	s := NewCanvas()
	s.Take(rings("ais", 0, 2, 4, 4, false))
	old := s.run.walls[0]
	s.Renew()
	s.SetRun("running")
	s.Take(&frame.Frame{Curves: []frame.Curve{{Method: "smc"}}})
	if s.run.walls[0] != old || len(s.run.methods) != 1 || s.run.methods[0] != "ais" {
		t.Errorf("before the next rows: %d walls of %v", len(s.run.walls), s.run.methods)
	}
	s.Take(rings("smc", 0, 2, 4, 4, false))
	if p := &s.run; len(p.walls) != 1 || p.walls[0].method != "smc" || len(p.curves) != 1 || p.state != "running" {
		t.Errorf("after them: %d walls, the first of %s, %d curves, run %s", len(p.walls), p.walls[0].method, len(p.curves),
			p.state)
	}
	s.Renew()
	s.Reset()
	if len(s.run.walls) != 0 || s.waits || len(s.pending) > 0 {
		t.Error("a reset leaves the picture")
	}
}
