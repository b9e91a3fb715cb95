package page

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"logzlab/wasm/page/state"
)

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

// TestPictureExport: around the picture stand title, results with error bars, the exact value or a bound, and the link,
// in the colours of the page and in its language.
func TestPictureExport(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Base: "https://lab.example/", Language: "de",
		Link: "#v=1&model=mixture2&method=ais,rts&ais.chains=20&rts.sweeps=100&view.theme=dark&view.lang=de"})
	p.turn(3)
	p.finish()
	p.controller.Event(state.Event{Name: "export", Value: "picture"})
	svg := p.Downloads[len(p.Downloads)-1]
	name, svg, _ := strings.Cut(svg, "\n")
	head, foot, _ := strings.Cut(svg, "</svg>")
	says := drawn(t, head+"</svg>")
	for _, want := range []string{"log Z von mixture2 mit AIS (abkühlen)",
		"log Z = " + p.row("ais").Cells["logz"].Text, " ± ", " Nats|", "exakt ", "Drei Hügel"} {
		if !strings.Contains(says, want) {
			t.Errorf("the head does not say %q: %s", want, says)
		}
	}
	if !strings.Contains(head, `<path fill="#111417" d="M0 0h1200v`) || !strings.HasSuffix(name, ".png") {
		t.Errorf("%s is not in the colours of the page: %s", name, head)
	}
	if says := strings.ReplaceAll(drawn(t, foot), "|", ""); !strings.Contains(says,
		"https://lab.example/#v=1&model=mixture2&method=ais,rts&ais.chains=20&rts.sweeps=100&view.theme=dark&view.lang=de") {
		t.Errorf("the foot does not say the link: %s", says)
	}
}

// TestChartExport: the charts are one drawing with title, axes and their unit, marks with error bars, the exact value,
// the course of the run, and the link; of methods that are far apart, too.
func TestChartExport(t *testing.T) {
	for link, bound := range map[string]string{"v=1&model=mixture2&method=ais,rts&ais.chains=20&rts.sweeps=300": "exact ",
		"v=1&model=rbm-pcd-20&method=is,ais&ais.temperatures=40&ais.chains=10&is.particles=100": "exact ",
		"v=1&model=rbm-pcd-100&method=ais&ais.temperatures=20&ais.chains=4":                     "a proven lower bound"} {
		p := newPage(t, 1)
		p.controller.Start(state.BrowserPage{Base: "https://lab.example/", Link: "#" + link, Language: "en"})
		p.finish()
		p.controller.Event(state.Event{Name: "export", Value: "chart"})
		svg := p.Downloads[len(p.Downloads)-1]
		says := drawn(t, svg)
		for _, want := range []string{"log Z of ", "AIS", "log Z in nats", bound, "https://lab.example/#v=1",
			"log Z against work", "Work: sweeps of all chains, or independent draws"} {
			if !strings.Contains(says, want) {
				t.Errorf("the chart does not say %q: %s", want, says)
			}
		}
		for _, want := range []string{"fill:#1f74d4", "fill:#4a9ff5", "prefers-color-scheme:dark"} { // the first method
			if !strings.Contains(svg, want) {
				t.Errorf("the chart has no %s", want)
			}
		}
		if bound == "exact " && strings.Count(says, "exact 2")+strings.Count(says, "exact 3") < 2 {
			t.Errorf("the exact value is not at its line: %s", says)
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("the chart draws what is no number: %s", svg)
		}
	}
}

// TestFilmExport: the loop has a name, and the line of HTML for it leads to the experiment and says the number.
func TestFilmExport(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Base: "https://lab.example/", Language: "en", Link: "#v=1&model=mixture2&method=is"})
	p.finish()
	p.controller.Event(state.Event{Name: "export", Value: "loop"})
	const file = "logz-mixture2-is-seed1-loop.gif"
	if got := p.Downloads[len(p.Downloads)-1]; got != file+"\nfilm" {
		t.Errorf("kept %q", got)
	}
	p.controller.Event(state.Event{Name: "export", Value: "loop.line"})
	want := `<a href="https://lab.example/#v=1&amp;model=mixture2&amp;method=is"><img src="` + file +
		`" alt="mixture2, is: log Z = ` + p.row("is").Cells["logz"].Text + ` ± `
	if got := p.Copied; !strings.HasPrefix(got, want) {
		t.Errorf("copied %q, want %q ...", got, want)
	}
}
