package render

import (
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
)

// TestClearOnNextRows checks that the picture stays until the next run sends rows, and then shows only that run;
// choices of the viewer stay.
func TestClearOnNextRows(t *testing.T) {
	s := NewCanvas()
	s.Take(rendertest.Rings("ais", 0, 2, 4, 4, false))
	old := s.Run.Particles[0]
	s.ClearOnNextRows()
	s.SetRun("running")
	s.Take(&frame.Frame{Curves: []frame.Curve{{Method: "smc"}}})
	if s.Run.Particles[0] != old || len(s.Run.Methods) != 1 || s.Run.Methods[0] != "ais" {
		t.Errorf("before the next rows: %d methods with particles, methods %v", len(s.Run.Particles), s.Run.Methods)
	}
	s.Take(rendertest.Rings("smc", 0, 2, 4, 4, false))
	if p := &s.Run; len(p.Particles) != 1 || p.Particles[0].Method != "smc" || len(p.Curves) != 1 || p.State != "running" {
		t.Errorf("after the next rows: %d methods with particles, first %s, %d curves, state %s", len(p.Particles),
			p.Particles[0].Method, len(p.Curves), p.State)
	}
	s.ClearOnNextRows()
	s.Reset()
	if len(s.Run.Particles) != 0 || s.AwaitsRows || len(s.Pending) > 0 {
		t.Error("Reset did not clear the run")
	}
}
