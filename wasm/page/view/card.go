package view

import (
	"strings"

	"logzlab/core/format"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/render/paint"
	"logzlab/wasm/page/state"
)

// cardTitle returns the title of a saved drawing: model and methods.
func (p *page) cardTitle() string {
	var names []string
	for _, m := range p.Spec.Methods {
		info, _ := catalog.Method(m)
		names = append(names, p.w.T("kept.method", info.Label, p.w.Phrase(info.Short)))
	}
	return p.w.T("kept.title", p.ModelName(), strings.Join(names, ", "))
}

// cardHead writes the title and the description of the model.
func (p *page) cardHead(d *drawing) {
	d.y = 24
	d.lines(paint.Figure, d.a.Theme.Ink, p.cardTitle())
	d.y += 6
	d.lines(paint.Tick, d.a.Theme.Ink2, p.about())
}

// cardFoot writes the link that reproduces the result.
func (p *page) cardFoot(d *drawing) {
	d.y += 44
	d.write(drawingMargin, paint.StrongTick, d.a.Theme.Ink, p.w.T("kept.link"))
	link := p.URL(p.SharedView())
	for link != "" {
		n := len(link)
		for d.a.Fonts.Width(link[:n], paint.Tick) > drawingWidth-2*drawingMargin {
			n--
		}
		d.y += 28
		d.write(drawingMargin, paint.Tick, d.a.Theme.Ink2, link[:n])
		link = link[n:]
	}
	d.y += 32
}

// result returns log Z of a report with its error bar and unit, or the words for "no result yet".
func (p *page) result(r *report.Report) string {
	if !report.IsNumber(r.LogZ) {
		return p.w.T("none.yet")
	}
	return p.FormatLogZ(r) + " " + p.w.T("kept.nats")
}

// cardResults writes a line for each method (log Z, error bar, bounds and verdict), and the exact value.
func (p *page) cardResults(d *drawing) {
	const name, value, verdict = drawingMargin + 30, drawingMargin + 230, drawingMargin + 620
	ink, soft := d.a.Theme.Ink, d.a.Theme.Ink2
	d.y += 16
	for i, r := range p.Reports {
		d.y += 38
		d.symbol(i, drawingMargin+9, d.y-8)
		d.write(name, paint.Strong, ink, state.Label(r.Method))
		d.write(value, paint.Plain, ink, "log Z = "+p.result(r))
		if report.IsNumber(r.LogZ) {
			text := p.Verdict(r)
			if lo, hi := float64(r.Lower), float64(r.Upper); hi-lo >= 0 && r.Truth == nil {
				k := format.Decimals(float64(r.SE))
				text = p.w.T("kept.bounds", p.Num(format.Fixed(lo, k)), p.Num(format.Fixed(hi, k))) + "   " + text
			}
			d.write(verdict, paint.Tick, soft, text)
		}
		if b := r.LogP; b != nil && report.IsNumber(b.LogP) {
			d.y += 34
			d.write(value, paint.Plain, ink, "log p = "+p.FormatEstimate(float64(b.LogP), float64(b.SE)))
		}
	}
	if len(p.Reports) > 0 && p.Reports[0].Truth != nil {
		d.y += 38
		d.addLayer(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(drawingMargin+7.5, d.y-18, 3, 20), Color: ink})
		d.write(name, paint.Plain, ink, p.w.T("exact.is", p.Num(format.Fixed(float64(p.Reports[0].Truth.LogZ), 2))))
	} else if len(p.Reports) > 0 && p.Reports[0].Floor != nil {
		d.y += 38
		d.write(name, paint.Plain, ink, p.w.T("kept.floor", p.Num(format.RoundDown(float64(p.Reports[0].Floor.LogZ), 2))))
	}
}

// frame returns the drawings above and below a saved picture.
func (p *page) frame() (head, foot string) {
	head = p.svgDrawing(p.Theme(), func(d *drawing) {
		p.cardHead(d)
		p.cardResults(d)
		d.y += 24
	})
	return head, p.svgDrawing(p.Theme(), p.cardFoot)
}
