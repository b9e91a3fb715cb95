package page

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestCardLooksLikePage: drawings that are kept have the colours of style.css and the marks of index.html.
func TestCardLooksLikePage(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile("../../site/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	css, html := read("style.css"), read("index.html")
	for theme, start := range map[string]string{"light": ":root {", "dark": `[data-theme="dark"] {`,
		"projector": `[data-theme="projector"] {`} {
		_, block, _ := strings.Cut(css, start)
		block, _, _ = strings.Cut(block, "}")
		c := palettes[theme]
		want := map[string]string{"ground": c.ground, "ink": c.ink, "ink-2": c.ink2, "ink-3": c.ink3, "line-2": c.line}
		for i, m := range c.methods {
			want[fmt.Sprintf("m-%d", i)] = m
		}
		for name, colour := range want {
			if !strings.Contains(block, "--"+name+": "+colour+";") {
				t.Errorf("%s: --%s is not %s", theme, name, colour)
			}
		}
	}
	for i := range marks {
		var c card
		c.symbol(i, 0, 0, 1)
		shape := regexp.MustCompile(` (d|r)="[^"]+"`)
		_, mine, _ := strings.Cut(html, fmt.Sprintf(`<g id="f-%d">`, i))
		if got, want := strings.Replace(shape.FindString(c.b.String()), ".50", ".5", 1), shape.FindString(mine); got != want {
			t.Errorf("mark %d is %s, on the page %s", i, got, want)
		}
	}
}

// drawn reads a drawing: its texts, and whether it is well-formed.
func drawn(t *testing.T, svg string) (text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return text
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		if s, ok := token.(xml.CharData); ok {
			text += string(s) + "|"
		}
	}
}

// TestPictureKept: around the picture stand title, results with error bars, the exact value or a bound, and the link,
// in the colours of the page and in its language.
func TestPictureKept(t *testing.T) {
	p := newPage(t, 1)
	p.brain.Start(Page{Base: "https://lab.example/", Language: "de",
		Link: "#v=1&model=mixture2&method=ais,rts&ais.chains=20&rts.sweeps=100&view.theme=dark&view.lang=de"})
	p.turn(3)
	p.finish()
	p.brain.Event(Event{Name: "export", Value: "picture"})
	svg := p.saved[len(p.saved)-1]
	name, svg, _ := strings.Cut(svg, "\n")
	head, foot, _ := strings.Cut(svg, "</svg>")
	says := drawn(t, head+"</svg>")
	for _, want := range []string{"log Z von mixture2 mit AIS (abkühlen)",
		"log Z = " + p.row("ais").Cells["logz"].Text, " ± ", " Nats|", "exakt ", "Drei Hügel"} {
		if !strings.Contains(says, want) {
			t.Errorf("the head does not say %q: %s", want, says)
		}
	}
	if !strings.Contains(head, palettes["dark"].ground) || !strings.HasSuffix(name, ".png") {
		t.Errorf("%s is not in the colours of the page: %s", name, head)
	}
	if says := strings.ReplaceAll(drawn(t, foot), "|", ""); !strings.Contains(says,
		"https://lab.example/#v=1&model=mixture2&method=ais,rts&ais.chains=20&rts.sweeps=100&view.theme=dark&view.lang=de") {
		t.Errorf("the foot does not say the link: %s", says)
	}
}

// TestChartKept: the charts are one drawing with title, axes and their unit, marks with error bars, the exact value,
// the course of the run, and the link; of methods that are far apart, too.
func TestChartKept(t *testing.T) {
	for link, bound := range map[string]string{"v=1&model=mixture2&method=ais,rts&ais.chains=20&rts.sweeps=300": "exact ",
		"v=1&model=rbm-pcd-20&method=is,ais&ais.temperatures=40&ais.chains=10&is.particles=100": "exact ",
		"v=1&model=rbm-pcd-100&method=ais&ais.temperatures=20&ais.chains=4":                     "for certain"} {
		p := newPage(t, 1)
		p.brain.Start(Page{Base: "https://lab.example/", Link: "#" + link, Language: "en"})
		p.finish()
		p.brain.Event(Event{Name: "export", Value: "chart"})
		svg := p.saved[len(p.saved)-1]
		says := drawn(t, svg)
		for _, want := range []string{"log Z of ", "AIS", "log Z in nats", bound, "https://lab.example/#v=1",
			"log Z against work", "Work: updates of all chains, or plain draws"} {
			if !strings.Contains(says, want) {
				t.Errorf("the chart does not say %q: %s", want, says)
			}
		}
		for _, want := range []string{`class="m0"`, `clip-path="url(#plot)"`, "prefers-color-scheme:dark"} {
			if !strings.Contains(svg, want) {
				t.Errorf("the chart has no %s", want)
			}
		}
		if bound == "exact " && !strings.Contains(svg, `class="exact"`) {
			t.Error("the exact value is not drawn")
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("the chart draws what is no number: %s", svg)
		}
	}
}
