package modelfile

import "testing"

// The error of a file that is too large gives rounded numbers.
func TestTooManyNumbers(t *testing.T) {
	const want = "W has 40 million numbers; at most 33 million are read: give a smaller model"
	if err := reserve(nil, "W", 40_000_000, 0); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
