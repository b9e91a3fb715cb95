package browser

import (
	"slices"
	"syscall/js"
	"testing"
)

// TestPost: bytes and ports of a message belong to the receiver, nil bytes are left out, parts are joined, and what is
// sent before somebody listens waits.
func TestPost(t *testing.T) {
	a, b := NewChannel()
	inner, other := NewChannel()
	a.Post(map[string]any{"n": 3, "none": []byte(nil), "empty": []byte{}, "data": []byte{1, 2}, "port": inner,
		"parts": [][]byte{{3}, nil, {4, 5}}})
	got := make(chan js.Value, 1)
	stop := b.Listen(func(m js.Value) { got <- m })
	m := <-got
	stop()
	for key, want := range map[string][]byte{"empty": {}, "data": {1, 2}, "parts": {3, 4, 5}} {
		if !slices.Equal(Bytes(m.Get(key)), want) {
			t.Errorf("%s is %v", key, Bytes(m.Get(key)))
		}
	}
	if !m.Get("none").IsUndefined() || Number(m.Get("n")) != 3 || Text(m.Get("n")) != "" || Number(m.Get("none")) != 0 {
		t.Errorf("%s", js.Global().Get("JSON").Call("stringify", m))
	}

	// The port that went along leads to the other end.
	Port{m.Get("port")}.Post(map[string]any{"text": "on"})
	shut := other.Listen(func(m js.Value) { got <- m })
	if says := Text((<-got).Get("text")); says != "on" {
		t.Errorf("the port says %q", says)
	}
	shut()
}
