package estimators

import "logzlab/core/frame"

// Observer passes the frames of a lane to the loop that ranges over it, so that the steps of an algorithm need not
// return whether that loop has ended. After an early end it drops all frames; the lane looks at Stopped where it would
// begin more work, and leaves its unit without a partial.
type Observer struct {
	yield   func(*frame.Frame) bool
	Stopped bool // the loop over the lane has ended
}

// NewObserver makes the observer of a lane from the function that its iterator is given.
func NewObserver(yield func(*frame.Frame) bool) Observer { return Observer{yield: yield} }

// Show passes on a frame.
func (o *Observer) Show(f *frame.Frame) {
	if !o.Stopped {
		o.Stopped = !o.yield(f)
	}
}
