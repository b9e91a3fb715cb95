package arm

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"logzlab/core/cpu"
	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/estimators/papers"
	"logzlab/models"
)

// Fig5 shows particles at intermediate stages.
var Fig5 = &papers.Experiment{
	Name:   "arm-fig5",
	About:  "Particles of arm on rbm-pcd-500 when 200 of 784 pixels have been formed, and all of them, as pictures.",
	Figure: "Figure 5 of the ARM paper (Fraccaro, Paquet and Winther)",
	Points: fig5Points, Judge: fig5Judge, Chart: pictureGrid,
	More: []Picture(nil),
	Notes: []string{
		"The RBM is this lab's own, of the same size and trained in the same way.",
		"The paper does not say how many particles there were; here are 100, with -full 1,000.",
		"Pixels come in order of their variance in the training set; those that are not there yet are grey.",
	},
	Title: "Digits on the way",
	Lead:  "Particles of adaptive resample-move when 200 of 784 pixels are there, and when all of them are.",
	Alt: "Two walls of pictures. On the left handwritten digits whose outer pixels are still grey, on the right " +
		"whole digits.",
	Live: [2]string{paperLink("rbm-pcd-500", "arm") + "&arm.particles=20&view.scene=formation", "Watch them form"},
}

// fig5Points returns one point, whose row has the particles as pictures.
func fig5Points(size papers.Size) []papers.Point {
	r, moves := map[papers.Size]int{papers.Small: 4, papers.Normal: 100, papers.Full: 1000}[size], 10
	stages := []int{200, 784}
	if size == papers.Small {
		moves = 1
	}
	return []papers.Point{{Panel: "PCD", Series: "ARM", Make: formPictures(stages), Cost: costParticle * costARM * float64(r),
		Link: fmt.Sprintf("%s&arm.particles=%d&arm.islands=1&arm.moves=%d", paperLink("rbm-pcd-500", "arm"), r, moves)}}
}

// Picture holds the particles of a stage: N pictures of W x H pixels, 0 off, 1 on, 2 not added yet.
type Picture struct {
	Stage, N, W, H int
	Pixels         []byte
	// Nearest has mean distances to the nearest of half of the test digits, as numbers of different pixels: of the
	// particles, of the other test digits, and of pictures with independent pixels that are on as often as in the digits.
	// It is 0 before the final stage.
	Nearest [3]float64
}

// pictures returns the pictures of a row.
func pictures(r *papers.Row) []Picture {
	list, _ := r.More.([]Picture)
	return list
}

// formPictures returns a function for Point.Make that makes a row with pictures of one island at the given stages.
func formPictures(stages []int) func(context.Context, papers.Point, papers.Load, func(float64)) ([]papers.Row, error) {
	return func(ctx context.Context, p papers.Point, load papers.Load, progress func(float64)) ([]papers.Row, error) {
		before := cpu.Seconds()
		s, m, err := papers.OpenLink(p.Link, engine.Source{Load: load})
		if err != nil {
			return nil, err
		}
		digits, err := papers.Digits(load)
		if err != nil {
			return nil, err
		}
		row := papers.NewRow(p, s, nil)
		row.More, err = form(ctx, s, m, stages, digits, progress)
		row.Seconds = cpu.Seconds() - before
		return []papers.Row{row}, err
	}
}

// form runs one island of a method that builds its particles unit by unit, and returns pictures of the particles at the
// given stages (numbers of units, rising).
func form(ctx context.Context, s *spec.Spec, m models.Model, stages []int, digits [][]uint8,
	progress func(share float64)) ([]Picture, error) {
	j, err := engine.NewJob(s, m, engine.Options{})
	if err != nil {
		return nil, err
	}
	var out []Picture
	for k := j.Take(); k != nil; k = j.Take() {
		k.Unit.Watched = k.Unit.Lane == 0
		for f := range j.Lane(k) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if g := f.Growth; k.Unit.Watched && g != nil {
				progress(math.Pow(float64(g.Stage)/float64(g.Stages), 2))
				if len(out) < len(stages) && g.Stage == stages[len(out)] && f.Phase == frame.PhaseAugment {
					out = append(out, newPicture(f, digits))
				}
			}
		}
		j.Done(k)
	}
	return out, j.Status(s.Methods[0]).Err
}

// newPicture returns the picture of a frame, with Nearest at the final stage.
func newPicture(f *frame.Frame, digits [][]uint8) Picture {
	p := Picture{Stage: f.Growth.Stage, N: f.N, W: f.W, H: f.H, Pixels: bytes.Clone(f.Pixels)}
	if p.Stage == f.Growth.Stages && len(digits) > 1 {
		p.Nearest = nearest(p, digits)
	}
	return p
}

// nearest computes Picture.Nearest.
func nearest(p Picture, digits [][]uint8) (out [3]float64) {
	half := len(digits) / 2
	known, others := digits[:half], digits[half:]
	size := p.W * p.H

	// Draw pictures with independent pixels that are on as often as in the digits.
	onShare := make([]float64, size)
	for _, d := range digits {
		for i, v := range d {
			onShare[i] += float64(v) / float64(len(digits))
		}
	}
	s := rng.NewKey(1, "arm-fig5", 0).Stream(0, 0, 0)
	noise := make([]uint8, size)
	for r := range p.N {
		for i := range noise {
			noise[i] = 0
			if s.Float64() < onShare[i] {
				noise[i] = 1
			}
		}

		// The number of pixels that differ from the nearest known digit: for a particle, another digit, and noise.
		for k, x := range [][]uint8{p.Pixels[r*size : (r+1)*size], others[r%len(others)], noise} {
			best := size
			for _, d := range known {
				distance := 0
				for i, v := range d {
					distance += int(v ^ x[i])
				}
				best = min(best, distance)
			}
			out[k] += float64(best) / float64(p.N)
		}
	}
	return out
}

// fig5Judge judges the similarity of the final particles to digits.
func fig5Judge(rows []papers.Row) (out []papers.Finding) {
	for _, r := range rows {
		for _, p := range pictures(&r) {
			if p.Nearest[2] > 0 {
				out = append(out, looksLikeDigits(p))
			}
		}
	}
	return out
}

// looksLikeDigits returns the finding on the position of the particles between digits (0) and independent pixels (1),
// measured by the distance to the nearest digit: it agrees below 1/3 and contradicts above 2/3.
func looksLikeDigits(p Picture) papers.Finding {
	d := p.Nearest
	position := (d[0] - d[1]) / (d[2] - d[1])
	f := papers.Finding{Paper: "When enough pixels are there, the particles look like real handwritten digits.",
		Here: fmt.Sprintf("from a particle to the nearest of 1,000 test digits it is %.0f of %d pixels, from another "+
			"digit %.0f, from independent pixels %.0f; particles are %.0f %% of the way from digits to those, and below 33 "+
			"%% counts as alike.", d[0], p.W*p.H, d[1], d[2], 100*position)}
	switch {
	case position < 1./3:
		f.Answer = papers.Agrees
	case position > 2./3:
		f.Answer = papers.Contradicts
	}
	return f
}

// pictureGrid draws the pictures of all stages next to each other, as many as fit, as a PNG.
func pictureGrid(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	const across, down, zoom, gap, margin = 8, 6, 2, 6, 32
	var all []Picture
	for _, r := range rows {
		all = append(all, pictures(&r)...)
	}
	if len(all) == 0 {
		return nil, ".png", nil
	}
	cw, ch := all[0].W*zoom+gap, all[0].H*zoom+gap
	block := across*cw - gap
	img := image.NewPaletted(image.Rect(0, 0, len(all)*(block+margin)-margin, down*ch-gap),
		color.Palette{color.Transparent, color.Gray{16}, color.Gray{255}, color.Gray{140}})
	for b, p := range all {
		for r := range min(p.N, across*down) {
			x0, y0 := b*(block+margin)+r%across*cw, r/across*ch
			for i := range p.W * p.H {
				for k := range zoom * zoom {
					img.SetColorIndex(x0+i%p.W*zoom+k%zoom, y0+i/p.W*zoom+k/zoom, p.Pixels[r*p.W*p.H+i]+1)
				}
			}
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, img)
	return out.Bytes(), ".png", err
}
