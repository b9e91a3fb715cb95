package picture

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"maps"
	"slices"
)

// Loop encodes frames of equal size as a GIF that repeats forever. Each frame is shown for delay and the last one for
// hold, in hundredths of a second. While the file has more than most bytes and more than three frames, every second
// frame is dropped, counted from the last, and the delay is doubled. pause, if not nil, is called often, so that a
// single-threaded program can do other work.
func Loop(frames []*image.RGBA, delay, hold, most int, pause func()) ([]byte, error) {
	if pause == nil {
		pause = func() {}
	}
	palette := newPalette(frames, pause)
	images := make([]*image.Paletted, len(frames))
	for i, f := range frames {
		images[i] = palette.paletted(f)
		pause()
	}
	for {
		file, err := encodeLoop(images, delay, hold, pause)
		if err != nil || len(file) <= most || len(images) <= 3 {
			return file, err
		}
		var half []*image.Paletted
		for i := (len(images) - 1) % 2; i < len(images); i += 2 {
			half = append(half, images[i])
		}
		images, delay = half, 2*delay
	}
}

// encodeLoop encodes images with a common palette. Each image after the first contains only the rectangle that has
// changed, with unchanged pixels transparent, which makes the file several times smaller.
func encodeLoop(images []*image.Paletted, delay, hold int, pause func()) ([]byte, error) {
	size := images[0].Rect.Size()
	g := &gif.GIF{Config: image.Config{ColorModel: images[0].Palette, Width: size.X, Height: size.Y}}
	for i, m := range images {
		if i > 0 {
			m = changed(m, images[i-1])
		}
		g.Image, g.Delay, g.Disposal = append(g.Image, m), append(g.Delay, delay), append(g.Disposal, gif.DisposalNone)
	}
	g.Delay[len(images)-1] = hold
	var file bytes.Buffer
	err := gif.EncodeAll(&pausing{&file, pause}, g)
	return file.Bytes(), err
}

// changed returns the smallest rectangle of m, at least one pixel, with all pixels that differ from last; equal pixels
// in it are transparent.
func changed(m, last *image.Paletted) *image.Paletted {
	var box image.Rectangle
	for i, c := range m.Pix {
		if c != last.Pix[i] {
			x, y := i%m.Stride, i/m.Stride
			box = box.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	if box.Empty() {
		box = image.Rect(0, 0, 1, 1)
	}
	out := image.NewPaletted(box, m.Palette)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if c := m.ColorIndexAt(x, y); c != last.ColorIndexAt(x, y) {
				out.SetColorIndex(x, y, c)
			}
		}
	}
	return out
}

// pausing is a writer that calls pause at each write.
type pausing struct {
	io.Writer
	pause func()
}

func (w *pausing) Write(b []byte) (int, error) {
	w.pause()
	return w.Writer.Write(b)
}

// Still encodes a picture as a PNG. If the file has more than most bytes, it is encoded again with nine levels per
// colour channel, which makes gradients flat; that file may also be larger than most.
func Still(m *image.RGBA, most int) ([]byte, error) {
	file, err := encodeStill(m)
	if err != nil || len(file) <= most {
		return file, err
	}
	coarse := image.NewRGBA(m.Rect)
	for i, x := range m.Pix {
		coarse.Pix[i] = uint8(min((int(x)+16)/32*32, 255))
	}
	return encodeStill(coarse)
}

func encodeStill(m *image.RGBA) ([]byte, error) {
	var file bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	err := e.Encode(&file, newPalette([]*image.RGBA{m}, func() {}).paletted(m))
	return file.Bytes(), err
}

// palette contains the colours of pictures: transparent, then at most 255 others. index maps each of the 2^15 colours
// with five bits per channel to its colour.
type palette struct {
	colors color.Palette
	index  []uint8
}

// fiveBits returns the colour of pixel p with five bits per channel.
func fiveBits(p []byte) uint16 { return uint16(p[0]>>3)<<10 | uint16(p[1]>>3)<<5 | uint16(p[2]>>3) }

// newPalette selects the most frequent colours, so that flat areas and lines keep their colours exactly. Rare colours,
// as at the edges of letters, are replaced by the nearest ones.
func newPalette(frames []*image.RGBA, pause func()) palette {
	type sum struct{ n, r, g, b int }
	sums := map[uint16]*sum{}
	for _, f := range frames {
		for i := 0; i < len(f.Pix); i += 4 {
			p := f.Pix[i : i+3]
			s := sums[fiveBits(p)]
			if s == nil {
				s = new(sum)
				sums[fiveBits(p)] = s
			}
			s.n, s.r, s.g, s.b = s.n+1, s.r+int(p[0]), s.g+int(p[1]), s.b+int(p[2])
		}
		pause()
	}
	byCount := slices.SortedFunc(maps.Keys(sums), func(a, b uint16) int {
		return cmp.Or(cmp.Compare(sums[b].n, sums[a].n), cmp.Compare(a, b))
	})
	out := palette{color.Palette{color.NRGBA{}}, make([]uint8, 1<<15)}
	for k, c := range byCount {
		s := sums[c]
		mean := color.NRGBA{uint8(s.r / s.n), uint8(s.g / s.n), uint8(s.b / s.n), 255}
		if k < 255 {
			out.colors = append(out.colors, mean)
			out.index[c] = uint8(k + 1)
		} else {
			out.index[c] = uint8(1 + out.colors[1:].Index(mean))
		}
	}
	return out
}

// paletted returns f in the colours of the palette.
func (p palette) paletted(f *image.RGBA) *image.Paletted {
	out := image.NewPaletted(image.Rectangle{Max: f.Bounds().Size()}, p.colors)
	for i := range out.Pix {
		out.Pix[i] = p.index[fiveBits(f.Pix[4*i:])]
	}
	return out
}
