package html

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Drawings that the user keeps are whole SVG documents with colours, type and sizes of their own, since they leave the
// page.

// palette is the colours of a theme, as in site/style/base.css.
type palette struct {
	Ground, ink, ink2, ink3, line string
	methods                       [Marks]string
}

// Palettes are the colours of the themes, by name.
var Palettes = map[string]palette{
	"light": {"#ffffff", "#14181d", "#48505a", "#646c76", "#868e98", [Marks]string{"#1f74d4", "#c4680c", "#6b2150",
		"#f33b8e", "#073e07", "#4911df", "#61530a", "#511a9a", "#933a69"}},
	"dark": {"#111417", "#eceff2", "#b5bcc4", "#919aa3", "#717a84", [Marks]string{"#4a9ff5", "#d9803a", "#f2aad0",
		"#99f72a", "#d81227", "#06785d", "#8030fe", "#ad76a4", "#ba16a9"}},
	"projector": {"#ffffff", "#000000", "#20262c", "#3d454d", "#5a626b", [Marks]string{"#0b5fc2", "#ad5600", "#571640",
		"#fe3180", "#0698b3", "#8e2612", "#3e0883", "#6a3c6d", "#340618"}},
}

// Style is a palette as the classes of a drawing.
func (c palette) Style() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".ground{fill:%s}text{fill:%s}.soft{fill:%s}.faint{fill:%s}.exact{stroke:%s}.axis{stroke:%s}",
		c.Ground, c.ink, c.ink2, c.ink3, c.ink, c.line)
	for i, m := range c.methods {
		fmt.Fprintf(&b, ".m%d{fill:%s;stroke:%s}", i, m, m)
	}
	return b.String()
}

// Sizes of drawings in pixels.
const (
	Wide = 1200.0
	Pad  = 48.0
)

// Drawing is a drawing, made from the top down.
type Drawing struct {
	Body strings.Builder
	Y    float64
}

// Write puts a line of text at x, its foot at the present height.
func (c *Drawing) Write(x, size float64, more, s string) {
	fmt.Fprintf(&c.Body, `<text x="%.1f" y="%.1f" font-size="%.0f"%s>%s</text>`, x, c.Y, size, more, Escape(s))
}

// Lines writes a text in lines no longer than the drawing is wide.
func (c *Drawing) Lines(size float64, more, s string) {
	line := ""
	flush := func() {
		if line != "" {
			c.Y += 1.4 * size
			c.Write(Pad, size, more, line)
		}
	}
	for _, word := range strings.Fields(s) {
		if line != "" && .56*size*float64(utf8.RuneCountInString(line+" "+word)) > Wide-2*Pad {
			flush()
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	flush()
}

// Svg is the drawing as a document with a style.
func (c *Drawing) Svg(title, style string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `+
		`font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif">`+
		`<title>%s</title><style>%s</style><rect width="100%%" height="100%%" class="ground"/>%s</svg>`+"\n",
		Wide, c.Y, Wide, c.Y, Escape(title), style, c.Body.String())
}

// Symbol draws the mark of the i-th method around a point, as the page does.
func (c *Drawing) Symbol(i int, x, y, scale float64) {
	shapes := [Marks]string{"", "M-5-5H5V5H-5z", "M0-6.8 6.8 0 0 6.8-6.8 0z", "M0-6.2 6 4.4H-6z", "M0 6.2-6-4.4H6z",
		"M-2.1-6h4.2v3.9H6v4.2H2.1V6h-4.2V2.1H-6v-4.2h3.9z", "M-3-6 0-3 3-6 6-3 3 0 6 3 3 6 0 3-3 6-6 3-3 0-6-3z",
		"M-2.9-6.5h5.8v13h-5.8z", "M-6-6H6L1.5 0 6 6H-6l4.5-6z"}
	if i %= Marks; i == 0 {
		fmt.Fprintf(&c.Body, `<circle class="m0" cx="%.1f" cy="%.1f" r="%.1f"/>`, x, y, 5.5*scale)
		return
	}
	fmt.Fprintf(&c.Body, `<path class="m%d" stroke="none" transform="translate(%.1f %.1f) scale(%.2f)" d="%s"/>`,
		i, x, y, scale, shapes[i])
}

// Line draws a line of a class.
func (c *Drawing) Line(class string, wide, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.Body, `<path class="%s" fill="none" stroke-width="%.1f" d="M%.1f %.1fL%.1f %.1f"/>`,
		class, wide, x1, y1, x2, y2)
}

// Label writes a text around, before or behind x at a height.
func (c *Drawing) Label(x, y, size float64, anchor, class, s string) {
	fmt.Fprintf(&c.Body, `<text x="%.1f" y="%.1f" font-size="%.0f" text-anchor="%s" class="%s">%s</text>`,
		x, y, size, anchor, class, Escape(s))
}

// XAxis draws an axis with its ticks and its title below a chart.
func (c *Drawing) XAxis(y float64, ticks []float64, at func(float64) float64, text func(float64) string, title string) {
	c.Line("axis", 1.5, ChartLeft, y, ChartRight, y)
	for _, t := range ticks {
		c.Line("axis", 1.5, at(t), y, at(t), y+6)
		c.Label(at(t), y+26, 18, "middle", "soft", text(t))
	}
	c.Label((ChartLeft+ChartRight)/2, y+52, 18, "middle", "soft", title)
}

// Sizes of charts in pixels.
const (
	ChartLeft  = 250.0 // of the axis
	ChartRight = Wide - Pad
)
