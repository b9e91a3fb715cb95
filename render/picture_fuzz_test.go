package render

import (
	"testing"

	"logzlab/core/frame"
	"logzlab/core/labtest/bound"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// FuzzFrame feeds damaged messages: an error or a picture with finite marks,
// never a panic.
func FuzzFrame(f *testing.F) {
	for _, x := range []*frame.Frame{rings("ais", 90, 10, 5, 3, false), hills(4), histories(true, "ais", "rts"),
		{Method: "x", First: -1, N: 1, W: 1, H: 1, Pixels: []byte{7}}, {},
		formed(run{R: 4, islands: 1, stages: 8, to: 6, w: 4, h: 2, exact: true, method: "arm"})[9], learning(1, 3, 4, 3)[2],
		learning(2, 2, 4, 3)[2], overtrained(1000, 4, 4, 16, 3)} {
		f.Add(x.Append(nil))
	}
	a := testArea(390, 456, 1)
	hook := paint.SayHook
	f.Cleanup(func() { paint.SayHook = hook })
	paint.SayHook = nil // damaged frames say anything
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		x, err := frame.Decode(b)
		if err != nil {
			return
		}
		p := picturing(x)
		for name := range makers {
			for _, l := range draw(name, a, p) {
				for _, m := range l.Marks {
					if v := m.At.X + m.At.Y + m.R + m.Box.X + m.Box.Y + m.Box.W + m.Box.H; !num.Finite(v) {
						t.Fatalf("%s has a mark %+v", name, m)
					}
				}
			}
		}
	})
}
