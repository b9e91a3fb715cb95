package spec_test

import (
	"strings"
	"testing"
	"time"

	"logzlab/core/spec"
)

// A link with thousands of wrong keys is rejected quickly, with the first errors and the number of the others.
func TestManyErrors(t *testing.T) {
	start := time.Now()
	_, err := spec.ParseLink("v=1&model=mixture2&method=ais"+strings.Repeat("&a=b", 16000), names)
	if err == nil {
		t.Fatal("a link with wrong keys is accepted")
	}
	if s := err.Error(); len(s) > 4000 || !strings.Contains(s, "more errors") {
		t.Errorf("the error has %d bytes, after %v: %.80s", len(s), time.Since(start), s)
	}
}
