package estimators

import (
	"testing"

	"logzlab/models"
)

// batched is a model that moves rows together; it may want large batches.
type batched struct {
	models.Model
	many bool
}

func (b batched) Capabilities() models.Capabilities {
	return models.Capabilities{Kernel: models.Kernel{Batched: true, LargeBatches: b.many}}
}

// Lanes are small for any number of workers, or each worker's share.
func TestLaneSizes(t *testing.T) {
	for _, x := range []struct {
		n, size, workers int
		many             bool
		want             int
	}{
		{100, 0, 0, true, 10}, {100, 0, 1, true, 100}, {100, 0, 2, true, 50}, {100, 0, 8, true, 13},
		{100, 0, 40, true, 4}, {101, 0, 2, true, 51}, {1000, 0, 1, true, 100}, {1000, 0, 20, true, 50},
		{12, 0, 2, true, 6}, {7, 0, 1, true, 7}, {3, 0, 2, true, 3}, {100, 3, 1, true, 3},
		{100, 0, 1, false, 25}, {100, 0, 2, false, 25}, {100, 0, 4, false, 13}, {100, 0, 8, false, 10},
		{100, 0, 0, false, 10}, {1000, 0, 4, false, 25},
	} {
		if got := (Config{LaneSize: x.size, Workers: x.workers,
			Model: batched{many: x.many}}).Lanes(x.n).Size; got != x.want {
			t.Errorf("%d rows, lane size %d, %d workers, many rows %v: lanes of %d, want %d", x.n, x.size, x.workers, x.many,
				got, x.want)
		}
	}
	if got := (Config{Workers: 1, Model: struct{ models.Model }{}}).Lanes(100).Size; got != 10 {
		t.Errorf("a model that does not care has lanes of %d", got)
	}
}
