package render

import (
	"image"
	"image/color"
)

// maxTexture is a texture size every WebGL2 device takes.
const maxTexture = 2048

// pictures draws all pictures of a layer from one texture, a texel a cell. They
// have one size.
func (p *painter) pictures(marks []mark) {
	n, w, h := 0, 0, 0
	for i := range marks {
		if m := &marks[i]; m.kind == picture {
			n, w, h = n+1, m.cw, m.ch
		}
	}
	if n == 0 || w > maxTexture || h > maxTexture {
		return
	}
	cols := min(n, maxTexture/w)
	rows := min((n+cols-1)/cols, maxTexture/h)
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
	clear(p.pix)
	palette := p.theme.cells()
	p.from(img, false)
	k := 0
	for i := range marks {
		m := &marks[i]
		if m.kind != picture || k >= cols*rows || len(m.cells) != w*h || m.cw != w || m.ch != h {
			continue
		}
		x, y := k%cols*w, k/cols*h
		for j, v := range m.cells {
			c, at := palette[min(v, tints-1)], 4*((y+j/w)*size.Dx()+x+j%w)
			switch {
			case m.grey:
				c = mix(p.theme.Ground, p.theme.Ink, float64(v)/255)
			case m.signed:
				c = p.theme.WeightColor((float64(v) - 128) / 127)
			}
			p.pix[at], p.pix[at+1], p.pix[at+2], p.pix[at+3] = c.R, c.G, c.B, c.A
		}
		tone := color.RGBA{255, 255, 255, 255}
		if m.color.A > 0 {
			tone = m.color // fainter
		}
		p.box(m.box, image.Rect(x, y, x+w, y+h), tone)
		k++
	}
	img.WritePixels(p.pix)
	p.flush()
}

// forget frees what was drawn for another run.
