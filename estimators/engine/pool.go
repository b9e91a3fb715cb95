package engine

import (
	"context"
	"iter"
	"sync"
	"time"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/problem"
)

// Lane runs a lane returned by Take in this process and yields its frames.
func (j *Job) Lane(k *Task) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		for f := range k.method.Lane(k.Unit) {
			meter.YieldToOthers()
			if !yield(f) {
				return
			}
		}
	}
}

// patience is the time for which Run waits for running lanes after its context has ended.
const patience = 500 * time.Millisecond

// Run runs the lanes of a job on the given number of goroutines until the job is finished or ctx ends, and returns the
// error of ctx. A lane that yields no frame for half a second after the end of ctx is abandoned; its last peeked partial
// remains in the estimate. progress, if not nil, is called at most every 200 ms. Errors of methods are in Job.Status.
func Run(ctx context.Context, j *Job, workers int, progress func(*Job)) error {
	var mu sync.Mutex
	ready := sync.NewCond(&mu)
	stop := context.AfterFunc(ctx, ready.Broadcast)
	defer stop()
	var wg sync.WaitGroup

	// Each goroutine runs lanes until the job is finished.
	last, abandoned := time.Now(), false
	for range max(workers, 1) {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for ctx.Err() == nil && !j.Finished() {
				k := j.Take()
				if k == nil {
					if j.Finished() {
						break
					}
					ready.Wait()
					continue
				}
				frames := j.Lane(k)

				// Run the lane without the lock, which is held only while progress is recorded.
				mu.Unlock()
				err := work(ctx, frames, k.Unit.Round, func(share float64) {
					mu.Lock()
					defer mu.Unlock()
					if abandoned {
						return
					}
					var partial []byte
					if k.Unit.Peek != nil {
						partial = k.Unit.Peek()
					}
					j.Peek(k, partial, share)
					if progress != nil && time.Since(last) > 200*time.Millisecond {
						last = time.Now()
						progress(j)
					}
				})

				// Record the result of the lane, and wake waiting goroutines.
				mu.Lock()
				switch {
				case abandoned:
				case err != nil:
					j.Fail(k, problem.New("%s: %w", k.track.name(), err))
				case k.Unit.Partial != nil:
					j.Done(k)
				}
				ready.Broadcast()
			}
			ready.Broadcast()
		})
	}

	// After the end of ctx, wait a little for running lanes.
	idle := make(chan struct{})
	go func() { wg.Wait(); close(idle) }()
	select {
	case <-idle:
	case <-ctx.Done():
		select {
		case <-idle:
		case <-time.After(patience):
			mu.Lock()
			abandoned = true
			mu.Unlock()
		}
	}
	return ctx.Err()
}

// work runs one lane and calls peek with its progress. A panic in a method becomes an error.
func work(ctx context.Context, frames iter.Seq[*frame.Frame], round string, peek func(share float64)) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = problem.New("internal error in %s: %v", round, r)
		}
	}()
	last := time.Now()
	for f := range frames {
		if ctx.Err() != nil {
			peek(0)
			return nil
		}
		if time.Since(last) > 100*time.Millisecond {
			last = time.Now()
			peek(float64(f.Step) / float64(max(f.Steps, 1)))
		}
	}
	return nil
}
