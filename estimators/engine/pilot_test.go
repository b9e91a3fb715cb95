package engine

import (
	"math"
	"testing"

	"logzlab/core/runstate"
	"logzlab/internal/testmodels"
)

// TestFoundByPilot: a running pilot reports the findings of its finished lanes, without an estimate; more lanes report
// more, and afterwards the results do.
func TestFoundByPilot(t *testing.T) {
	t.Parallel()
	j, err := NewJob(testmodels.Parse(t, "ais&ais.chains=10&ais.schedule=varopt&ais.temperatures=30"),
		testmodels.HillsModel(t, 2, 3, 3, 1, 1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := j.Status("ais"); s.Found != nil {
		t.Fatal("nothing has run, and something is found")
	}
	finds, last := 0, math.NaN()
	for task := j.Take(); task != nil; task = j.Take() {
		for range task.method.Lane(task.Unit) {
		}
		j.Done(task)
		s := j.Status("ais")
		if s.Found == nil {
			continue
		}
		if finds++; len(s.Results) > 0 || len(s.Found.Raw) != len(s.Found.Betas) || len(s.Found.Var) == 0 {
			t.Fatalf("with %d results: %+v", len(s.Results), s.Found)
		}
		if s.Found.Var[0] == last {
			t.Error("a lane more has changed nothing")
		}
		last = s.Found.Var[0]
	}
	s := j.Status("ais")
	if finds < 3 || s.Found != nil || s.State != runstate.MethodDone || s.Results[0].PathStats == nil ||
		len(s.Results[0].PathStats.Raw) == 0 {
		t.Errorf("%d finds, in the end %+v", finds, s)
	}
}
