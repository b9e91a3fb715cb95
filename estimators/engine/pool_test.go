package engine

import (
	"context"
	"testing"
	"time"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/models/ising"
)

// stuck is a model that evaluates no density before the test ends, and fails then.
type stuck struct {
	models.Model
	until chan struct{}
}

func (m stuck) New(n int, ladder []float64) models.Population {
	return stuckRows{m.Model.New(n, ladder), m.until}
}

type stuckRows struct {
	models.Population
	until chan struct{}
}

func (p stuckRows) LogF(int, int, []float64) {
	<-p.until
	panic("late")
}

// Run ends soon after its context, also where a unit makes no frame; what the unit does later does not reach the job.
func TestRunLeavesUnitsBehind(t *testing.T) {
	m, err := ising.New(ising.Params{L1: 4, L2: 4, Periodic: true, J: 1}, 0.44)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.ParseLink("v=1&model=ising16&method=ais&ais.temperatures=20", catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	until := make(chan struct{})
	j, err := NewJob(s, stuck{m, until}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	back := make(chan error, 1)
	go func() { back <- Run(ctx, j, 2, nil) }()
	select {
	case err := <-back:
		if err != context.DeadlineExceeded {
			t.Errorf("error %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("Run waits for its units")
	}
	close(until)
	time.Sleep(100 * time.Millisecond)
	if err := j.Standing("ais").Err; err != nil || j.Finished() {
		t.Errorf("finished %v, error %v, after Run had returned", j.Finished(), err)
	}
}
