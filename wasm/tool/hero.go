package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page"
	"logzlab/wasm/page/state"
)

// heroStroke is the path of the hand that draws the stroke of state.HeroLink, by its corners: columns and rows of
// pixels. The pen is two pixels wide.
var heroStroke = [][2]int{{9, 7}, {18, 7}, {16, 11}}

// cmdHero runs state.HeroLink and packs its film into site/hero.bin: `hero [-out FILE]`.
func cmdHero(args []string) error {
	set := flag.NewFlagSet("hero", flag.ContinueOnError)
	out := set.String("out", "site/hero.bin", "the file to write")
	if err := set.Parse(args); err != nil {
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
	return os.WriteFile(*out, data, 0o644)
}

// heroRun runs state.HeroLink. The film shows its first island, as page.Dreams packs it.
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
	moment := 0
	for k := job.Take(); k != nil; k = job.Take() {
		k.Unit.Film = true
		for f := range job.Lane(k) {
			if d := page.Dreams(f); d != nil && f.Weighing != nil && f.Weighing.Phase == frame.PhaseMove {
				if moment++; moment%3 == 1 || f.Beta[0] > .9 { // noise cannot be compressed, and all of it looks the same
					film = append(film, d)
				}
			}
		}
		job.Done(k)
	}
	return film, report.New(job).All(0)[0], nil
}

// packHero packs the stroke and the film of the samples: the number of pixels of the stroke, the pixels in the order in
// which they are drawn, and then the frames, compressed by gzip.
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
	for i, to := range heroStroke[1:] {
		from := heroStroke[i]
		n := 4 * max(abs(to[0]-from[0]), abs(to[1]-from[1]))
		for k := range n + 1 {
			x := (from[0]*(n-k) + to[0]*k + n/2) / n
			y := (from[1]*(n-k) + to[1]*k + n/2) / n
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
