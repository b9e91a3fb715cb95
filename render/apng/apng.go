package apng

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"maps"
	"slices"
)

// Encode is a loop of frames of equal size that never ends, each shown for so many milliseconds and the last one for
// hold. If the file has more than most bytes, frames are left out, every second one at a time, and the others stay as
// much longer; three are always there. yield, if set, is called between frames.
func Encode(frames []*image.RGBA, delay, hold, most int, yield func()) ([]byte, error) {
	if yield == nil {
		yield = func() {}
	}
	palette, index := colours(frames, yield)
	for step := 1; ; step *= 2 {
		var kept []*image.Paletted
		for i := len(frames) - 1; i >= 0; i -= step { // the last frame is what a loop leads to
			kept = append(kept, indexed(frames[i], palette, index))
			yield()
		}
		slices.Reverse(kept)
		file, err := write(kept, delay*step, hold, yield)
		if err != nil || len(file) <= most || len(kept) <= 3 {
			return file, err
		}
	}
}

// bin is a colour of five bits a channel.
func bin(p []byte) uint16 { return uint16(p[0]>>3)<<10 | uint16(p[1]>>3)<<5 | uint16(p[2]>>3) }

// colours are the 255 colours that stand for all in the frames, after one that is clear, and which of them stands for a
// bin. Flat grounds and lines keep their colours exactly; what is rare, as edges of letters, takes the nearest.
func colours(frames []*image.RGBA, yield func()) (color.Palette, []uint8) {
	type sum struct{ n, r, g, b int }
	sums := map[uint16]*sum{}
	for _, f := range frames {
		for i := 0; i < len(f.Pix); i += 4 {
			p := f.Pix[i : i+3]
			s := sums[bin(p)]
			if s == nil {
				s = new(sum)
				sums[bin(p)] = s
			}
			s.n, s.r, s.g, s.b = s.n+1, s.r+int(p[0]), s.g+int(p[1]), s.b+int(p[2])
		}
		yield()
	}

	// Frequent colours enter the palette; rare colours take the nearest.
	bins := slices.SortedFunc(maps.Keys(sums), func(a, b uint16) int {
		return cmp.Or(cmp.Compare(sums[b].n, sums[a].n), cmp.Compare(a, b))
	})
	palette, index := color.Palette{color.NRGBA{}}, make([]uint8, 1<<15)
	for k, b := range bins {
		s := sums[b]
		c := color.NRGBA{uint8(s.r / s.n), uint8(s.g / s.n), uint8(s.b / s.n), 255}
		if k < 255 {
			palette = append(palette, c)
			index[b] = uint8(k + 1)
		} else {
			index[b] = uint8(1 + palette[1:].Index(c))
		}
	}
	return palette, index
}

// indexed is a frame in the colours of the palette.
func indexed(f *image.RGBA, palette color.Palette, index []uint8) *image.Paletted {
	out := image.NewPaletted(image.Rectangle{Max: f.Bounds().Size()}, palette)
	for i := range out.Pix {
		out.Pix[i] = index[bin(f.Pix[4*i:])]
	}
	return out
}

// change is what a frame has anew: the least rectangle, with pixels that stay made clear. It has a pixel at least.
func change(f, last *image.Paletted) *image.Paletted {
	var box image.Rectangle
	for y := range f.Rect.Dy() {
		a, b := f.Pix[y*f.Stride:][:f.Stride], last.Pix[y*f.Stride:][:f.Stride]
		if bytes.Equal(a, b) {
			continue
		}
		from, to := 0, len(a)
		for a[from] == b[from] {
			from++
		}
		for a[to-1] == b[to-1] {
			to--
		}
		box = box.Union(image.Rect(from, y, to, y+1))
	}
	if box.Empty() {
		box = image.Rect(0, 0, 1, 1)
	}
	out := image.NewPaletted(box, f.Palette)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if c := f.ColorIndexAt(x, y); c != last.ColorIndexAt(x, y) {
				out.SetColorIndex(x, y, c)
			}
		}
	}
	return out
}

// write puts the frames into a file: the chunks of a PNG file, and those of animations (APNG, of PNG's third edition).
func write(frames []*image.Paletted, delay, hold int, yield func()) ([]byte, error) {
	var file bytes.Buffer
	file.WriteString("\x89PNG\r\n\x1a\n")
	put(&file, "IHDR", numbers(frames[0].Rect.Dx(), frames[0].Rect.Dy()), []byte{8, 3, 0, 0, 0}) // bytes of a palette
	put(&file, "acTL", numbers(len(frames), 0))

	// The palette, common to all frames.
	var colours []byte
	for _, c := range frames[0].Palette {
		c := c.(color.NRGBA)
		colours = append(colours, c.R, c.G, c.B)
	}
	put(&file, "PLTE", colours)
	put(&file, "tRNS", []byte{0}) // the first colour is clear

	// Each frame: place and time, then the changed pixels.
	sequence := 0
	for k, f := range frames {
		part, stays := f, delay
		if k > 0 {
			part = change(f, frames[k-1])
		}
		if k == len(frames)-1 {
			stays = hold
		}
		control := numbers(sequence, part.Rect.Dx(), part.Rect.Dy(), part.Rect.Min.X, part.Rect.Min.Y)
		control = binary.BigEndian.AppendUint16(control, uint16(stays))
		control = binary.BigEndian.AppendUint16(control, 1000)
		put(&file, "fcTL", control, []byte{0, 1}) // leave it there; draw over what is there
		data, err := pixels(part)
		if err != nil {
			return nil, err
		}
		if sequence++; k == 0 {
			put(&file, "IDAT", data)
		} else {
			put(&file, "fdAT", numbers(sequence), data)
			sequence++
		}
		yield()
	}
	put(&file, "IEND")
	return file.Bytes(), nil
}

// pixels are the rows of a picture, unfiltered, as suits a palette, and compressed.
func pixels(f *image.Paletted) ([]byte, error) {
	var out bytes.Buffer
	z, err := zlib.NewWriterLevel(&out, zlib.BestCompression)
	if err != nil {
		return nil, err
	}
	for y := range f.Rect.Dy() {
		z.Write([]byte{0}) // no filter
		z.Write(f.Pix[y*f.Stride:][:f.Rect.Dx()])
	}
	err = z.Close()
	return out.Bytes(), err
}

// numbers are four bytes each.
func numbers(all ...int) (b []byte) {
	for _, n := range all {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// put writes a chunk.
func put(file *bytes.Buffer, name string, parts ...[]byte) {
	body := append([]byte(name), bytes.Join(parts, nil)...)
	file.Write(numbers(len(body) - 4))
	file.Write(body)
	file.Write(numbers(int(crc32.ChecksumIEEE(body))))
}
