package resamplemove

import (
	"math"
	"testing"

	"logzlab/internal/methodtest"
)

// While islands are in their first stages, the estimate is that of the stage that two of them have reached, so that it
// advances and has an error bar; there is none from one island.
func TestFirstEstimate(t *testing.T) {
	f := &resampleMove{n: 9, params: params{Islands: 4}}
	at := func(stages int, logZ float64) []byte {
		d := island{LogZ1: logZ, Stages: make([]stage, stages)}
		for n := range d.Stages {
			d.Stages[n] = stage{Batches: []int32{1}, Count: 1, ESS: 1, LogZ: logZ + float64(n+1)}
		}
		return d.append(nil)
	}
	if r := f.estimate([][]byte{at(6, 1), nil, nil, nil}); r != nil {
		t.Errorf("one island gives %+v", r)
	}
	for _, peeked := range [][][]byte{{at(6, 1), at(3, 2), nil, nil}, {at(6, 1), at(3, 2), at(0, 50), at(0, 60)}} {
		r := f.estimate(peeked)
		if r == nil || len(r.Stages) != 4 {
			t.Fatalf("two islands at stage 4 and 7: %+v", r)
		}
		methodtest.Near(t, "log Z_4", r.Stages[3].LogZ, 3+math.Log((math.Exp(1)+math.Exp(2))/2), 1e-12)
		if !(r.Stages[3].SE > 0) {
			t.Errorf("error bar %v", r.Stages[3].SE)
		}
	}
}
