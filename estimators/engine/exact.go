package engine

import (
	"context"
	"errors"
	"sync"

	"logzlab/core/num"
	"logzlab/models"
)

// Exact is the exact log Z of a model: the known value, or an enumeration of up to MaxEnumerated
// units with the given number of goroutines.
func Exact(ctx context.Context, m models.Model, workers int) (*models.Truth, error) {
	if k, ok := m.(models.Known); ok {
		if t := k.Truth(); t != nil {
			return t, nil
		}
	}
	e, ok := m.(models.Exact)
	if !ok {
		return nil, errors.New("no exact log Z is known for this model; run two methods that go different ways, as ais and " +
			"rm, and compare them")
	}
	n, ok := e.Blocks(MaxEnumerated)
	if !ok {
		return nil, e.Refusal(MaxEnumerated)
	}
	blocks := make([]float64, n)
	var wg sync.WaitGroup
	for w := range max(workers, 1) {
		wg.Go(func() {
			some := max(1, min(models.BlocksAtOnce, n/max(workers, 1)))
			for i := some * w; i < n && ctx.Err() == nil; i += some * max(workers, 1) {
				e.LogBlocks(i, blocks[i:min(i+some, n)])
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &models.Truth{LogZ: num.LogSumExp(blocks), Source: "enumeration"}, nil
}

// MaxEnumerated is the largest smaller layer that `logz exact` enumerates.
const MaxEnumerated = 22
