package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/room"
)

// heroStroke lists the corners (column, row) of the stroke that state.HeroLink clamps. The pen is two pixels wide.
var heroStroke = [][2]int{{9, 7}, {18, 7}, {16, 11}}

// cmdHero runs state.HeroLink and writes its frames, site/hero.bin, and the picture for previews of links to the first
// page: `hero [-out FILE] [-preview FILE]`.
func cmdHero(args []string) error {
	flags := flag.NewFlagSet("hero", flag.ContinueOnError)
	out := flags.String("out", "site/hero.bin", "the file of frames to write")
	preview := flags.String("preview", "site/previews/stroke.png", "the picture to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	film, _, err := heroRun("site/models")
	if err != nil {
		return err
	}
	data, err := packHero(film)
	if err != nil {
		return err
	}
	if err := os.WriteFile(*out, data, 0o644); err != nil {
		return err
	}
	file, err := os.Create(*preview)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(file, heroPreview(film)), file.Close())
}

// heroPreview draws the picture for previews of links: at the left the square with the stroke, at the right eight
// samples, each the mean of the last 12 frames, in the layout of Hero.card in site/hero.js.
func heroPreview(film [][]byte) image.Image {
	const side = 28
	var (
		background = color.RGBA{7, 9, 13, 255}
		paper      = color.RGBA{21, 28, 39, 255}
		stroke     = color.RGBA{255, 163, 26, 255}
	)
	picture := image.NewRGBA(image.Rect(0, 0, room.PictureWide, room.PictureHigh))
	fill := func(r image.Rectangle, c color.Color) {
		draw.Draw(picture, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(picture.Rect, background)
	isStroke := map[int]bool{}
	for _, p := range strokePixels() {
		isStroke[int(p)] = true
	}
	for p := range side * side {
		x, y := 63+p%side*18, 63+p/side*18
		fill(image.Rect(x, y, x+18, y+18), color.RGBA{13, 18, 26, 255})
		if isStroke[p] {
			fill(image.Rect(x, y, x+18, y+18), stroke)
		} else {
			fill(image.Rect(x, y, x+17, y+17), paper)
		}
	}
	lastFrames := film[max(len(film)-12, 0):]
	for k := range 8 {
		sample := 3 * k
		left, top := 607+k%4*136, 189+k/4*136
		for p := range side * side {
			bit, mean := sample*side*side+p, 0.
			for _, f := range lastFrames {
				mean += float64(f[4+bit/8]>>(7-bit%8)&1) / float64(len(lastFrames))
			}
			brightness := mean * mean * (3 - 2*mean)
			c := color.RGBA{uint8(13 + 211*brightness), uint8(18 + 216*brightness), uint8(26 + 222*brightness), 255}
			if isStroke[p] {
				c = stroke
			}
			x, y := left+p%side*9/2, top+p/side*9/2
			fill(image.Rect(x, y, left+(p%side+1)*9/2, top+(p/side+1)*9/2), c)
		}
	}
	return picture
}

// heroRun runs state.HeroLink, with models from the folder models. film has frames of the first island of particles,
// each encoded by page.PackHeroFrame.
func heroRun(models string) (film [][]byte, r *report.Report, err error) {
	s, err := spec.ParseLink(state.HeroLink, catalog.Names{})
	if err != nil {
		return nil, nil, err
	}
	m, err := engine.Source{Load: func(file string) ([]byte, error) {
		return os.ReadFile(filepath.Join(models, file))
	}}.Open(s, nil)
	if err != nil {
		return nil, nil, err
	}
	job, err := engine.NewJob(s, m, engine.Options{Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	frames := 0
	for k := job.Take(); k != nil; k = job.Take() {
		k.Unit.Snapshots = true
		for f := range job.Lane(k) {
			if d := page.PackHeroFrame(f); d != nil && f.Weighing != nil && f.Weighing.Phase == frame.PhaseMove {
				if frames++; frames%3 == 1 || f.Beta[0] > .9 { // early frames are noise, which does not compress: keep every third
					film = append(film, d)
				}
			}
		}
		job.Done(k)
	}
	return film, report.New(job).All(0)[0], nil
}

// packHero encodes the stroke and the film: the number of pixels of the stroke, its pixels in the order in which they
// are drawn, and then the frames; all compressed by gzip.
func packHero(film [][]byte) ([]byte, error) {
	var data bytes.Buffer
	pixels := strokePixels()
	binary.Write(&data, binary.LittleEndian, uint16(len(pixels)))
	binary.Write(&data, binary.LittleEndian, pixels)
	for _, f := range film {
		data.Write(f)
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data.Bytes()); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}

// strokePixels returns the pixels of the stroke in the order in which they are drawn.
func strokePixels() (pixels []uint16) {
	seen := map[uint16]bool{}
	for i, end := range heroStroke[1:] {
		start := heroStroke[i]
		n := 4 * max(abs(end[0]-start[0]), abs(end[1]-start[1]))
		for k := range n + 1 {
			x := (start[0]*(n-k) + end[0]*k + n/2) / n
			y := (start[1]*(n-k) + end[1]*k + n/2) / n
			for _, p := range []int{28*y + x, 28*y + x + 1, 28*y + 28 + x, 28*y + 29 + x} {
				if p := uint16(p); !seen[p] {
					seen[p] = true
					pixels = append(pixels, p)
				}
			}
		}
	}
	return pixels
}

func abs(x int) int { return max(x, -x) }
