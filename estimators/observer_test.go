package estimators

import (
	"testing"

	"logzlab/core/frame"
)

// After the loop over a lane has ended, frames are dropped: yield must not be called again.
func TestObserver(t *testing.T) {
	shown := 0
	o := NewObserver(func(*frame.Frame) bool {
		shown++
		return shown < 2
	})
	for range 4 {
		o.Show(&frame.Frame{})
	}
	if shown != 2 || !o.Stopped {
		t.Errorf("%d frames, stopped %v", shown, o.Stopped)
	}
}
