package page

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"logzlab/core/format"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
)

// Drawings that the user keeps: the head and the foot of a picture, and charts. They are whole SVG documents with
// colours, type and sizes of their own, since they leave the page.

// palette is the colours of a theme, as in site/style.css.
type palette struct {
	ground, ink, ink2, ink3, line string
	methods                       [marks]string
}

var palettes = map[string]palette{
	"light": {"#ffffff", "#14181d", "#48505a", "#646c76", "#868e98", [marks]string{"#1f74d4", "#c4680c", "#6b2150",
		"#f33b8e", "#073e07", "#4911df", "#61530a", "#511a9a", "#933a69"}},
	"dark": {"#111417", "#eceff2", "#b5bcc4", "#919aa3", "#717a84", [marks]string{"#4a9ff5", "#d9803a", "#f2aad0",
		"#99f72a", "#d81227", "#06785d", "#8030fe", "#ad76a4", "#ba16a9"}},
	"projector": {"#ffffff", "#000000", "#20262c", "#3d454d", "#5a626b", [marks]string{"#0b5fc2", "#ad5600", "#571640",
		"#fe3180", "#0698b3", "#8e2612", "#3e0883", "#6a3c6d", "#340618"}},
}

// style is a palette as the classes of a drawing.
func (c palette) style() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".ground{fill:%s}text{fill:%s}.soft{fill:%s}.faint{fill:%s}.exact{stroke:%s}.axis{stroke:%s}",
		c.ground, c.ink, c.ink2, c.ink3, c.ink, c.line)
	for i, m := range c.methods {
		fmt.Fprintf(&b, ".m%d{fill:%s;stroke:%s}", i, m, m)
	}
	return b.String()
}

// Sizes of drawings in pixels.
const (
	cardWide = 1200.0
	cardPad  = 48.0
)

// card is a drawing, made from the top down.
type card struct {
	b strings.Builder
	y float64
}

// write puts a line of text at x, its foot at the present height.
func (c *card) write(x, size float64, more, s string) {
	fmt.Fprintf(&c.b, `<text x="%.1f" y="%.1f" font-size="%.0f"%s>%s</text>`, x, c.y, size, more, escape(s))
}

// lines writes a text in lines no longer than the drawing is wide.
func (c *card) lines(size float64, more, s string) {
	line := ""
	flush := func() {
		if line != "" {
			c.y += 1.4 * size
			c.write(cardPad, size, more, line)
		}
	}
	for _, word := range strings.Fields(s) {
		if line != "" && .56*size*float64(utf8.RuneCountInString(line+" "+word)) > cardWide-2*cardPad {
			flush()
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	flush()
}

// svg is the drawing as a document with a style.
func (c *card) svg(title, style string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `+
		`font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif">`+
		`<title>%s</title><style>%s</style><rect width="100%%" height="100%%" class="ground"/>%s</svg>`+"\n",
		cardWide, c.y, cardWide, c.y, escape(title), style, c.b.String())
}

// symbol draws the mark of the i-th method around a point, as the page does.
func (c *card) symbol(i int, x, y, scale float64) {
	shapes := [marks]string{"", "M-5-5H5V5H-5z", "M0-6.8 6.8 0 0 6.8-6.8 0z", "M0-6.2 6 4.4H-6z", "M0 6.2-6-4.4H6z",
		"M-2.1-6h4.2v3.9H6v4.2H2.1V6h-4.2V2.1H-6v-4.2h3.9z", "M-3-6 0-3 3-6 6-3 3 0 6 3 3 6 0 3-3 6-6 3-3 0-6-3z",
		"M-2.9-6.5h5.8v13h-5.8z", "M-6-6H6L1.5 0 6 6H-6l4.5-6z"}
	if i %= marks; i == 0 {
		fmt.Fprintf(&c.b, `<circle class="m0" cx="%.1f" cy="%.1f" r="%.1f"/>`, x, y, 5.5*scale)
		return
	}
	fmt.Fprintf(&c.b, `<path class="m%d" stroke="none" transform="translate(%.1f %.1f) scale(%.2f)" d="%s"/>`,
		i, x, y, scale, shapes[i])
}

// cardTitle is what a kept drawing is about.
func (p *pane) cardTitle() string {
	var names []string
	for _, m := range p.spec.Methods {
		info, _ := catalog.Method(m)
		names = append(names, p.w.T("kept.method", info.Label, p.w.Phrase(info.Short)))
	}
	return p.w.T("kept.title", p.modelName(), strings.Join(names, ", "))
}

// cardHead writes the title, and what the model is.
func (p *pane) cardHead(c *card) {
	c.y = 24
	c.lines(30, ` font-weight="700"`, p.cardTitle())
	c.y += 6
	c.lines(20, ` class="soft"`, p.about())
}

// cardFoot writes the link that gives these digits.
func (p *pane) cardFoot(c *card) {
	const size, room = 16, 111 // letters of a line
	c.y += 40
	c.write(cardPad, 18, ` font-weight="700"`, p.w.T("kept.link"))
	for link := p.url(p.shared()); link != ""; {
		n := min(room, len(link))
		c.y += 24
		c.write(cardPad, size, ` class="soft" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"`,
			link[:n])
		link = link[n:]
	}
	c.y += 32
}

// result says log Z of a report with its error bar, or that there is none yet.
func (p *pane) result(r *report.Report) string {
	if !report.IsNumber(r.LogZ) {
		return p.w.T("none.yet")
	}
	return p.withBar(r) + " " + p.w.T("kept.nats")
}

// cardResults writes a line for each method: log Z, error bar, bounds and verdict; and the exact value.
func (p *pane) cardResults(c *card) {
	c.y += 16
	for i, r := range p.reports {
		c.y += 38
		c.symbol(i, cardPad+9, c.y-8, 1.5)
		c.write(cardPad+30, 24, ` font-weight="700"`, label(r.Method))
		c.write(cardPad+230, 24, "", "log Z = "+p.result(r))
		if report.IsNumber(r.LogZ) {
			says := p.verdict(r)
			if lo, hi := float64(r.Lower), float64(r.Upper); hi-lo >= 0 && r.Truth == nil {
				d := format.Decimals(float64(r.SE))
				says = p.w.T("kept.bounds", p.num(format.Fixed(lo, d)), p.num(format.Fixed(hi, d))) + "   " + says
			}
			c.write(cardPad+620, 20, ` class="soft"`, says)
		}
		if d := r.LogP; d != nil && report.IsNumber(d.LogP) {
			c.y += 34
			c.write(cardPad+230, 24, "", "log p = "+p.barred(float64(d.LogP), float64(d.SE)))
		}
	}
	if len(p.reports) > 0 && p.reports[0].Truth != nil {
		c.y += 38
		fmt.Fprintf(&c.b, `<path class="exact" stroke-width="3" d="M%.1f %.1fv-20"/>`, cardPad+9, c.y+2)
		c.write(cardPad+30, 24, "", p.w.T("exact.is", p.num(format.Fixed(float64(p.reports[0].Truth.LogZ), 2))))
	} else if len(p.reports) > 0 && p.reports[0].Floor != nil {
		c.y += 38
		c.write(cardPad+30, 24, "", p.w.T("kept.floor", p.num(format.Fixed(float64(p.reports[0].Floor.LogZ), 2))))
	}
}

// frame is what stands above and below the kept picture.
func (p *pane) frame() (head, foot string) {
	style := palettes[p.theme()].style()
	var c card
	p.cardHead(&c)
	p.cardResults(&c)
	c.y += 24
	head = c.svg(p.cardTitle(), style)
	c = card{}
	p.cardFoot(&c)
	return head, c.svg(p.cardTitle(), style)
}
