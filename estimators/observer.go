package estimators

import "logzlab/core/frame"

// Observer passes the frames of a lane to the loop that ranges over it, so that the steps of an algorithm need not
// return whether that loop has ended. After an early end it drops all frames. The lane checks Stopped before it begins
// more work, and then leaves its unit without a partial.
type Observer struct {
	yield   func(*frame.Frame) bool
	Stopped bool // the loop over the lane has ended
}

// NewObserver returns an observer for the yield function of a lane's iterator.
func NewObserver(yield func(*frame.Frame) bool) Observer { return Observer{yield: yield} }

// Show yields a frame.
func (o *Observer) Show(f *frame.Frame) {
	if !o.Stopped {
		o.Stopped = !o.yield(f)
	}
}
