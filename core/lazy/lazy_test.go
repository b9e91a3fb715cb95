package lazy

import "testing"

// A value whose computation panicked is computed again, and then only once.
func TestOfRetriesAfterPanic(t *testing.T) {
	calls := 0
	get := Of(func() int {
		if calls++; calls == 1 {
			panic("cancelled")
		}
		return calls
	})
	func() {
		defer func() { _ = recover() }()
		get()
	}()
	if a, b := get(), get(); a != 2 || b != 2 {
		t.Errorf("got %d, then %d; want 2 twice", a, b)
	}
}
