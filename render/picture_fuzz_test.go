package render

import (
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/internal/bound"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/scene"
)

// FuzzFrame decodes damaged frames: they must give an error or a layout with finite marks, never a panic.
func FuzzFrame(f *testing.F) {
	forming := rendertest.ResampleMoveRun(rendertest.Run{R: 4, Islands: 1, Stages: 8, To: 6, W: 4, H: 2, Exact: true, Method: "arm"})
	for _, x := range []*frame.Frame{
		rendertest.Rings("ais", 90, 10, 5, 3, false), rendertest.MixturePoints(4), rendertest.Histories(true, "ais", "rts"),
		{Method: "x", First: -1, N: 1, W: 1, H: 1, Pixels: []byte{7}}, {}, forming[9],
		rendertest.ClassificationRun(1, 3, 4, 3)[2], rendertest.ClassificationRun(2, 2, 4, 3)[2], rendertest.OvertrainedFrame(1000, 4, 4, 16, 3),
	} {
		f.Add(x.Append(nil))
	}
	a := rendertest.Area(390, 456, 1)
	hook := paint.SayHook
	f.Cleanup(func() { paint.SayHook = hook })
	paint.SayHook = nil // damaged frames contain arbitrary words
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		x, err := frame.Decode(b)
		if err != nil {
			return
		}
		p := rendertest.StageWith(x)
		for name := range scene.Makers {
			for _, l := range rendertest.Draw(name, a, p) {
				for _, m := range l.Marks {
					if v := m.At.X + m.At.Y + m.R + m.Box.X + m.Box.Y + m.Box.W + m.Box.H; !num.Finite(v) {
						t.Fatalf("%s has a mark %+v", name, m)
					}
				}
			}
		}
	})
}
