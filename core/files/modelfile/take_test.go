package modelfile

import "testing"

// A file that is too large says so in numbers that people read at once.
func TestTooManyNumbers(t *testing.T) {
	const want = "W has 40 million numbers; at most 33 million are read: give a smaller model"
	if err := reserve(nil, "W", 40_000_000, 0); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
