package engine

import (
	"context"
	"runtime"
	"testing"
	"time"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/models/ising"
)

// stuck is a model that evaluates no density until a channel is closed, and then fails.
type stuck struct {
	models.Model
	begun func() // called when a density is wanted
	until chan struct{}
}

func (m stuck) New(n int, ladder []float64) models.Population {
	return stuckRows{m.Model.New(n, ladder), m}
}

type stuckRows struct {
	models.Population
	of stuck
}

func (p stuckRows) LogF(int, int, []float64) {
	p.of.begun()
	<-p.of.until
	panic("late")
}

// Run ends soon after its context, also if a unit makes no frame; later outcomes of the unit do not reach the job.
func TestRunLeavesUnitsBehind(t *testing.T) {
	m, err := ising.New(ising.Params{L1: 4, L2: 4, Periodic: true, J: 1}, 0.44)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.ParseLink("v=1&model=ising16&method=ais&ais.temperatures=20", catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	until := make(chan struct{})
	j, err := NewJob(s, stuck{m, cancel, until}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	guard := time.AfterFunc(10*time.Minute, func() { panic("Run waits for its units") })
	defer guard.Stop()
	if err := Run(ctx, j, 2, nil); err != context.Canceled { // it ends although its units do not
		t.Errorf("error %v", err)
	}
	close(until)
	for runtime.NumGoroutine() > before { // until all units have failed
		time.Sleep(time.Millisecond)
	}
	if err := j.Status("ais").Err; err != nil || j.Finished() {
		t.Errorf("finished %v, error %v, after Run had returned", j.Finished(), err)
	}
}
