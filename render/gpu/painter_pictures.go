package gpu

import (
	"image"
	"image/color"
	"logzlab/render/paint"
)

// pictures draws all pictures of a layer from one texture, with a texel per cell. All have the same size.
func (p *Painter) pictures(marks []paint.Mark) {
	n, w, h := 0, 0, 0
	for i := range marks {
		if m := &marks[i]; m.Kind == paint.Cells {
			n, w, h = n+1, m.Cols, m.Rows
		}
	}
	if n == 0 || w > paint.MaxTexture || h > paint.MaxTexture {
		return
	}

	// A texture for all pictures, reused if the size is the same.
	cols := min(n, paint.MaxTexture/w)
	rows := min((n+cols-1)/cols, paint.MaxTexture/h)
	size := image.Rect(0, 0, cols*w, rows*h)
	if p.sheet == len(p.sheets) {
		p.sheets = append(p.sheets, nil)
	}
	if old := p.sheets[p.sheet]; old == nil || old.Bounds() != size {
		if old != nil {
			old.Deallocate()
		}
		p.sheets[p.sheet] = texture(size.Max)
	}
	img := p.sheets[p.sheet]
	p.sheet++
	if need := 4 * size.Dx() * size.Dy(); cap(p.pix) < need {
		p.pix = make([]byte, need)
	} else {
		p.pix = p.pix[:need]
	}

	// The cells of each picture become texels, its box two triangles.
	clear(p.pix)
	palette := p.theme.CellColors()
	p.setTexture(img, false)
	k := 0
	for i := range marks {
		m := &marks[i]
		if m.Kind != paint.Cells || k >= cols*rows || len(m.Cells) != w*h || m.Cols != w || m.Rows != h {
			continue
		}
		x, y := k%cols*w, k/cols*h
		for j, v := range m.Cells {
			c, at := palette[min(v, paint.CellKinds-1)], 4*((y+j/w)*size.Dx()+x+j%w)
			switch {
			case m.Grey:
				c = paint.Mix(p.theme.Ground, p.theme.Ink, float64(v)/255)
			case m.Signed:
				c = p.theme.WeightColor((float64(v) - 128) / 127)
			}
			p.pix[at], p.pix[at+1], p.pix[at+2], p.pix[at+3] = c.R, c.G, c.B, c.A
		}
		tone := color.RGBA{255, 255, 255, 255}
		if m.Color.A > 0 {
			tone = m.Color // transparent
		}
		p.box(m.Box, image.Rect(x, y, x+w, y+h), tone)
		k++
	}

	img.WritePixels(p.pix)
	p.flush()
}
