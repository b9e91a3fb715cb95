package view

import (
	"fmt"
	"strings"

	"logzlab/core/format"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/wasm/page/html"
	"logzlab/wasm/page/state"
)

// cardTitle is what a kept drawing is about.
func (p *page) cardTitle() string {
	var names []string
	for _, m := range p.Spec.Methods {
		info, _ := catalog.Method(m)
		names = append(names, p.w.T("kept.method", info.Label, p.w.Phrase(info.Short)))
	}
	return p.w.T("kept.title", p.ModelName(), strings.Join(names, ", "))
}

// cardHead writes the title, and what the model is.
func (p *page) cardHead(c *html.Drawing) {
	c.Y = 24
	c.Lines(30, ` font-weight="700"`, p.cardTitle())
	c.Y += 6
	c.Lines(20, ` class="soft"`, p.about())
}

// cardFoot writes the link that gives these digits.
func (p *page) cardFoot(c *html.Drawing) {
	const size, room = 16, 111 // letters of a line
	c.Y += 40
	c.Write(html.Pad, 18, ` font-weight="700"`, p.w.T("kept.link"))
	for link := p.URL(p.Shared()); link != ""; {
		n := min(room, len(link))
		c.Y += 24
		c.Write(html.Pad, size, ` class="soft" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"`,
			link[:n])
		link = link[n:]
	}
	c.Y += 32
}

// result says log Z of a report with its error bar, or that there is none yet.
func (p *page) result(r *report.Report) string {
	if !report.IsNumber(r.LogZ) {
		return p.w.T("none.yet")
	}
	return p.WithBar(r) + " " + p.w.T("kept.nats")
}

// cardResults writes a line for each method: log Z, error bar, bounds and verdict; and the exact value.
func (p *page) cardResults(c *html.Drawing) {
	c.Y += 16
	for i, r := range p.Reports {
		c.Y += 38
		c.Symbol(i, html.Pad+9, c.Y-8, 1.5)
		c.Write(html.Pad+30, 24, ` font-weight="700"`, state.Label(r.Method))
		c.Write(html.Pad+230, 24, "", "log Z = "+p.result(r))
		if report.IsNumber(r.LogZ) {
			says := p.Verdict(r)
			if lo, hi := float64(r.Lower), float64(r.Upper); hi-lo >= 0 && r.Truth == nil {
				d := format.Decimals(float64(r.SE))
				says = p.w.T("kept.bounds", p.Num(format.Fixed(lo, d)), p.Num(format.Fixed(hi, d))) + "   " + says
			}
			c.Write(html.Pad+620, 20, ` class="soft"`, says)
		}
		if d := r.LogP; d != nil && report.IsNumber(d.LogP) {
			c.Y += 34
			c.Write(html.Pad+230, 24, "", "log p = "+p.Barred(float64(d.LogP), float64(d.SE)))
		}
	}
	if len(p.Reports) > 0 && p.Reports[0].Truth != nil {
		c.Y += 38
		fmt.Fprintf(&c.Body, `<path class="exact" stroke-width="3" d="M%.1f %.1fv-20"/>`, html.Pad+9, c.Y+2)
		c.Write(html.Pad+30, 24, "", p.w.T("exact.is", p.Num(format.Fixed(float64(p.Reports[0].Truth.LogZ), 2))))
	} else if len(p.Reports) > 0 && p.Reports[0].Floor != nil {
		c.Y += 38
		c.Write(html.Pad+30, 24, "", p.w.T("kept.floor", p.Num(format.Down(float64(p.Reports[0].Floor.LogZ), 2))))
	}
}

// frame is what stands above and below the kept picture.
func (p *page) frame() (head, foot string) {
	style := html.Palettes[p.Theme()].Style()
	var c html.Drawing
	p.cardHead(&c)
	p.cardResults(&c)
	c.Y += 24
	head = c.Svg(p.cardTitle(), style)
	c = html.Drawing{}
	p.cardFoot(&c)
	return head, c.Svg(p.cardTitle(), style)
}
