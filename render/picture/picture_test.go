package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"
)

// frames returns n pictures of a moving bar and a fixed square, with random pixels if noise is set.
func frames(n int, noise bool) (out []*image.RGBA) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range n {
		f := image.NewRGBA(image.Rect(0, 0, 120, 80))
		draw.Draw(f, f.Rect, image.NewUniform(color.RGBA{250, 249, 247, 255}), image.Point{}, draw.Src)
		draw.Draw(f, image.Rect(90, 50, 110, 70), image.NewUniform(color.RGBA{20, 60, 200, 255}), image.Point{}, draw.Src)
		draw.Draw(f, image.Rect(5*k, 10, 5*k+8, 40), image.NewUniform(color.RGBA{210, 40, 30, 255}), image.Point{}, draw.Src)
		if noise {
			for i := range f.Pix {
				if i%4 < 3 {
					f.Pix[i] = uint8(17 * r.UintN(16))
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// played decodes a GIF as a viewer does: each frame is drawn over the previous ones.
func played(t *testing.T, file []byte) (out []*image.RGBA, delays []int) {
	t.Helper()
	g, err := gif.DecodeAll(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if g.LoopCount != 0 {
		t.Errorf("loop count %d, want 0: forever", g.LoopCount)
	}
	now := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for _, m := range g.Image {
		draw.Draw(now, m.Rect, m, m.Rect.Min, draw.Over)
		out = append(out, &image.RGBA{Pix: slices.Clone(now.Pix), Stride: now.Stride, Rect: now.Rect})
	}
	return out, g.Delay
}

func TestLoop(t *testing.T) {
	want := frames(12, false)
	file, err := Loop(want, 12, 100, 1e6, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, delays := played(t, file)
	if len(got) != len(want) {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for k, f := range got {
		if !bytes.Equal(f.Pix, want[k].Pix) {
			t.Errorf("frame %d differs", k)
		}
		if d := map[bool]int{true: 100, false: 12}[k == 11]; delays[k] != d {
			t.Errorf("frame %d has delay %d, want %d", k, delays[k], d)
		}
	}
	again, err := Loop(append(want, want[11]), 12, 100, 1e6, nil)
	if err != nil || len(again) > len(file)+150 {
		t.Errorf("an unchanged frame takes %d bytes, %v", len(again)-len(file), err)
	}
}

// TestLoopSmall checks that frames are dropped until the file is small enough, but never the last one, and at least
// three remain.
func TestLoopSmall(t *testing.T) {
	want := frames(12, true)
	whole, err := Loop(want, 12, 100, 1e9, nil)
	if err != nil {
		t.Fatal(err)
	}
	less, err := Loop(want, 12, 100, len(whole)*2/3, nil)
	if err != nil || len(less) > len(whole)*2/3 {
		t.Fatalf("%d bytes of %d, %v", len(less), len(whole), err)
	}
	all, _ := played(t, whole)
	got, delays := played(t, less)
	if len(got) != 6 || delays[0] != 24 || delays[5] != 100 || !bytes.Equal(got[5].Pix, all[11].Pix) {
		t.Errorf("%d frames with delays %v", len(got), delays)
	}
	least, err := Loop(want, 12, 100, 1, nil)
	if got, _ := played(t, least); err != nil || len(got) != 3 {
		t.Errorf("%d frames, want 3, %v", len(got), err)
	}
}

// TestStill checks that a still picture keeps its colours, and that one that is too large is encoded with fewer.
func TestStill(t *testing.T) {
	f := frames(1, false)[0]
	file, err := Still(f, 1e6)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil || m.Bounds() != f.Rect {
		t.Fatal(m.Bounds(), err)
	}
	got := image.NewRGBA(f.Rect)
	draw.Draw(got, f.Rect, m, image.Point{}, draw.Src)
	if !bytes.Equal(got.Pix, f.Pix) {
		t.Error("the picture differs")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range f.Pix {
		f.Pix[i] = uint8(210 + r.IntN(28)) // a gradient
	}
	whole, err := Still(f, 1e6)
	if err != nil {
		t.Fatal(err)
	}
	if small, err := Still(f, len(whole)-1); err != nil || len(small) > len(whole)/10 {
		t.Errorf("%d bytes of %d, %v", len(small), len(whole), err)
	}
}
