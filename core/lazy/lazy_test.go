package lazy

import "testing"

// A value that was given up is made anew, and then once.
func TestOf(t *testing.T) {
	calls := 0
	get := Of(func() int {
		if calls++; calls == 1 {
			panic("given up")
		}
		return calls
	})
	func() {
		defer func() { _ = recover() }()
		get()
	}()
	if a, b := get(), get(); a != 2 || b != 2 {
		t.Errorf("%d, then %d", a, b)
	}
}
