package apng

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"testing"
)

// film is a bar that goes over a ground with a square that stays.
func film(n int, noise bool) (frames []*image.RGBA) {
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
		frames = append(frames, f)
	}
	return frames
}

// played decodes the frames of a file as a browser does, by package png: each is made a file of its own and drawn over
// the one before.
func played(t *testing.T, file []byte) (out []*image.RGBA, stays []int) {
	t.Helper()
	var head, control []byte
	var now *image.RGBA
	expected := uint32(0)
	number := func(b []byte) {
		if n := binary.BigEndian.Uint32(b); n != expected {
			t.Errorf("chunk %d is numbered %d", expected, n)
		}
		expected++
	}
	show := func(data []byte) {
		var one bytes.Buffer
		one.WriteString("\x89PNG\r\n\x1a\n")
		for name, body := range chunks(head) {
			if name == "IHDR" {
				body = append(bytes.Clone(control[4:12]), body[8:]...)
			}
			put(&one, name, body)
		}
		put(&one, "IDAT", data)
		put(&one, "IEND")
		m, err := png.Decode(&one)
		if err != nil {
			t.Fatal(err)
		}
		next := image.NewRGBA(image.Rect(0, 0, 120, 80))
		if now != nil {
			copy(next.Pix, now.Pix)
		}
		at := image.Pt(int(binary.BigEndian.Uint32(control[12:])), int(binary.BigEndian.Uint32(control[16:])))
		draw.Draw(next, m.Bounds().Add(at), m, m.Bounds().Min, draw.Over)
		now = next
		out = append(out, now)
		stays = append(stays, int(binary.BigEndian.Uint16(control[20:])))
	}
	top := bytes.NewBuffer([]byte("\x89PNG\r\n\x1a\n"))
	for name, body := range chunks(file) {
		switch name {
		case "IHDR", "PLTE", "tRNS":
			put(top, name, body)
			head = top.Bytes()
		case "fcTL":
			number(body)
			control = body
		case "IDAT":
			show(body)
		case "fdAT":
			number(body)
			show(body[4:])
		}
	}
	return out, stays
}

func TestEncode(t *testing.T) {
	frames := film(12, false)
	file, err := Encode(frames, 125, 1000, 1e6, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := png.Decode(bytes.NewReader(file)); err != nil || m.Bounds() != frames[0].Rect {
		t.Errorf("who knows no animations sees %v, %v", m, err)
	}
	got, stays := played(t, file)
	if len(got) != len(frames) {
		t.Fatalf("%d frames", len(got))
	}
	for k, f := range got {
		if !bytes.Equal(f.Pix, frames[k].Pix) {
			t.Errorf("frame %d differs", k)
		}
		if want := map[bool]int{true: 1000, false: 125}[k == 11]; stays[k] != want {
			t.Errorf("frame %d stays for %d ms", k, stays[k])
		}
	}
	still, err := Encode(append(frames, frames[11]), 125, 1000, 1e6, nil)
	if err != nil || len(still) > len(file)+150 {
		t.Errorf("a frame in which nothing moves takes %d bytes, %v", len(still)-len(file), err)
	}
}

// Frames are left out until the file is small enough, the last one never.
func TestEncodeSmall(t *testing.T) {
	frames := film(12, true)
	whole, err := Encode(frames, 125, 1000, 1e9, nil)
	if err != nil {
		t.Fatal(err)
	}
	less, err := Encode(frames, 125, 1000, len(whole)*2/3, nil)
	if err != nil || len(less) > len(whole)*2/3 {
		t.Fatalf("%d bytes of %d, %v", len(less), len(whole), err)
	}
	all, _ := played(t, whole)
	got, stays := played(t, less)
	if len(got) != 6 || stays[0] != 250 || !bytes.Equal(got[5].Pix, all[11].Pix) {
		t.Errorf("%d frames of %v ms", len(got), stays)
	}
	if least, err := Encode(frames, 125, 1000, 1, nil); err != nil || len(least) == 0 {
		t.Errorf("%d bytes, %v", len(least), err)
	}
}

// chunks are the names and bodies of the chunks of a PNG file of our own.
func chunks(file []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		for at := 8; at+12 <= len(file); {
			n := int(binary.BigEndian.Uint32(file[at:]))
			if !yield(string(file[at+4:at+8]), file[at+8:at+8+n]) {
				return
			}
			at += 12 + n
		}
	}
}
