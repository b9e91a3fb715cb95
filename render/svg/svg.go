package svg

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/color"
	"io"
	"strings"

	"logzlab/render/paint"
)

// Document is a drawing.
type Document struct {
	W, H   float64               // size in the unit of the marks
	Theme  *paint.Theme          // colours of the ground and of halos
	Fonts  *paint.Fonts          // sizes of text, and the decimal separator
	Layers []paint.Layer         // from bottom to top
	Ground bool                  // paint the ground; otherwise the drawing is transparent
	Dark   []paint.Layer         // if set, Layers in paint.Dark, mark for mark, for readers who prefer dark
	Names  map[color.RGBA]string // if set, the CSS variables of the page that have the colours of Theme

	// Encode, if set (for example to png.Encode), writes pictures as images if that is shorter. Programs without
	// pictures leave it nil and do not link the encoder.
	Encode func(w io.Writer, m image.Image) error

	// Title and Desc are for readers who cannot see the drawing; "": none. If Names is set, Title becomes aria-label,
	// because a title would pop up.
	Title, Desc string
}

// family lists the fonts of the text: Go, which is used to measure it, and fonts of about the same width.
const family = "Go,Arial,'Liberation Sans',Helvetica,'Helvetica Neue','Noto Sans',sans-serif"

// Write returns the document. It has no IDs and no references, so that a page can contain several documents.
func (d *Document) Write() []byte {
	w := &writer{d: d, classes: map[ink]int{}}
	if d.Ground {
		w.element("path", w.ink("fill", tone{d.Theme.Ground, paint.Dark.Ground}), `d="M0 0h`, number(d.W), "v", number(d.H),
			"h", number(-d.W), `z"`)
	}
	for i := range d.Layers {
		other := &d.Layers[i]
		if d.Dark != nil {
			other = &d.Dark[i]
		}
		w.layer(&d.Layers[i], other)
	}

	// The head is written last because it contains the styles.
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" font-family="%s"`,
		number(d.W), number(d.H), number(d.W), number(d.H), family)
	switch title := escape(d.Title); {
	case title == "":
		b.WriteString(">")
	case d.Names != nil:
		fmt.Fprintf(&b, ` role="img" aria-label="%s">`, title)
	default:
		fmt.Fprintf(&b, ` role="img"><title>%s</title>`, title)
	}
	if d.Desc != "" {
		fmt.Fprintf(&b, "<desc>%s</desc>", escape(d.Desc))
	}
	w.styles(&b)
	b.Write(w.b.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// writer is the state of Write.
type writer struct {
	d       *Document
	b       bytes.Buffer
	classes map[ink]int // class numbers of a document with two themes
	order   []ink
	images  bool // some pictures differ between light and dark
}

// tone is a colour in the theme of the document, and in the dark theme if the document has both.
type tone [2]color.RGBA

// ink is a fill or stroke with a tone.
type ink struct {
	what string // fill or stroke
	tone tone
}

// styles writes the classes of a document with two themes.
func (w *writer) styles(b *bytes.Buffer) {
	if w.d.Dark == nil {
		return
	}
	var light, dark strings.Builder
	for i, k := range w.order {
		for side, s := range [...]*strings.Builder{&light, &dark} {
			c, opacity := straight(k.tone[side])
			fmt.Fprintf(s, ".c%d{%s:%s", i, k.what, c)
			if k.tone[0].A != 255 || k.tone[1].A != 255 {
				s.WriteString(";" + k.what + "-opacity:" + opacity)
			}
			s.WriteString("}")
		}
	}
	if w.images {
		light.WriteString(".dark{display:none}")
		dark.WriteString(".light{display:none}.dark{display:inline}")
	}
	fmt.Fprintf(b, "<style>%s@media(prefers-color-scheme:dark){%s}</style>", light.String(), dark.String())
}

// straight converts a premultiplied colour to a CSS colour and opacity.
func straight(c color.RGBA) (css, opacity string) {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B), number(float64(n.A) / 255)
}

// ink returns the attribute or class that fills or strokes with a tone.
func (w *writer) ink(what string, t tone) string {
	if w.d.Dark != nil {
		k := ink{what, t}
		i, ok := w.classes[k]
		if !ok {
			i = len(w.order)
			w.classes[k] = i
			w.order = append(w.order, k)
		}
		return fmt.Sprintf(`class="c%d"`, i)
	}
	c, opacity := straight(t[0])
	if name := w.variable(t[0]); name != "" {
		c = "var(" + name + ")"
	}
	s := what + `="` + c + `"`
	if opacity != "1" {
		s += " " + what + `-opacity="` + opacity + `"`
	}
	return s
}

// variable returns the CSS variable with a colour, whatever its opacity, or "".
func (w *writer) variable(c color.RGBA) string {
	if len(w.d.Names) == 0 || c.A == 0 {
		return ""
	}
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	near := 1 + 255/int(c.A) // rounding error of a colour of low opacity
	best, name := 3*near+1, ""
	for k, v := range w.d.Names {
		x, y, z := apart(k.R, n.R), apart(k.G, n.G), apart(k.B, n.B)
		if d := x + y + z; x <= near && y <= near && z <= near && (d < best || d == best && v < name) {
			best, name = d, v
		}
	}
	return name
}

// apart returns |a - b|.
func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// element writes an empty element; parts are its attributes, written verbatim.
func (w *writer) element(name, ink string, parts ...string) {
	w.b.WriteString("<" + name + " " + ink + " ")
	for _, s := range parts {
		w.b.WriteString(s)
	}
	w.b.WriteString("/>")
}

// layer writes a layer in the order in which the canvas paints it: reliefs, pictures, other marks.
func (w *writer) layer(l, dark *paint.Layer) {
	if len(l.Marks) == 0 {
		return
	}
	if c := l.Clip; c.W > 0 { // a nested svg element clips, and unlike a clipPath it needs no ID
		x, y, wide, high := number(c.X), number(c.Y), number(c.W), number(c.H)
		fmt.Fprintf(&w.b, `<svg x="%s" y="%s" width="%s" height="%s" viewBox="%s %s %s %s">`, x, y, wide, high, x, y, wide,
			high)
	}
	for _, kinds := range [...][]paint.Kind{{paint.Ground}, {paint.Cells}, nil} {
		for i := 0; i < len(l.Marks); {
			k := l.Marks[i].Kind
			switch {
			case kinds != nil && k == kinds[0]:
				w.mark(&l.Marks[i], &dark.Marks[i])
				i++
			case kinds == nil && k != paint.Ground && k != paint.Cells:
				i += w.marks(l.Marks[i:], dark.Marks[i:])
			default:
				i++
			}
		}
	}
	if l.Clip.W > 0 {
		w.b.WriteString("</svg>")
	}
}

// marks writes the first of some marks, and those after it that share its path; it returns their number.
func (w *writer) marks(ms, dark []paint.Mark) int {
	n := 1
	if m := &ms[0]; m.Kind == paint.Fill && m.Color.A == 255 {
		var p path
		p.box(m.Box)
		for n < len(ms) && ms[n].Kind == paint.Fill && ms[n].Color == m.Color && dark[n].Color == dark[0].Color {
			p.box(ms[n].Box)
			n++
		}
		w.fill(&p, tone{m.Color, dark[0].Color})
		return n
	}
	w.mark(&ms[0], &dark[0])
	return n
}

func (w *writer) fill(p *path, t tone, more ...string) {
	if t[0].A == 0 && t[1].A == 0 {
		return
	}
	w.element("path", w.ink("fill", t), `d="`, p.String(), `"`, strings.Join(more, ""))
}

func (w *writer) stroke(p *path, width float64, t tone, more ...string) {
	w.element("path", w.ink("stroke", t), `fill="none" stroke-width="`, number(width), `"`, strings.Join(more, ""), ` d="`,
		p.String(), `"`)
}

// ground returns the tone of the ground.
func (w *writer) ground() tone { return tone{w.d.Theme.Ground, paint.Dark.Ground} }

// escape returns a text for XML: without control characters, which XML forbids, and with entities.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
}
