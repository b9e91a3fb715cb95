package page

import (
	"regexp"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// TestTableOfParticles: the table behind a picture of particles lists what the picture shows: the newest frame of each
// part, of one method only, each particle with its temperature and its place or its cells.
func TestTableOfParticles(t *testing.T) {
	row := regexp.MustCompile(`<tr[^>]*><t[hd][^>]*>([^<]*)</t[hd]><td[^>]*>([^<]*)</td>` +
		`<td[^>]*>([^<]*)</td><td[^>]*>([^<]*)<`)
	for link, c := range map[string]struct {
		f    frame.Frame
		cell string
	}{
		"v=1&model=mixture2&method=ais,rts&ais.temperatures=2000": {frame.Frame{N: 2, Points: []float32{1, -2, .5, 3}},
			`^[−-]?\d+\.\d\d; [−-]?\d+\.\d\d$`},
		"v=1&model=ising16&method=ais,rts&ais.temperatures=2000": {frame.Frame{N: 2, W: 16, H: 16,
			Pixels: make([]byte, 512)}, `^0 / 256$`},
	} {
		p := newPage(t, 1)
		p.controller.Open(link)
		p.until("running", func() bool { p.show(); return p.view.State == runstate.Running })
		p.looks = nil
		for _, of := range []struct {
			method string
			first  int
			beta   float32
		}{{"rts", 0, .25}, {"ais", 0, .5}, {"ais", 2, .5}, {"ais", 0, .75}} { // the oldest first
			f := c.f
			f.Method, f.First, f.Beta, f.LogW = of.method, of.first, []float32{of.beta, of.beta}, []float32{1, 2}
			p.looks = append(p.looks, f.Append(nil))
		}
		p.controller.Event(state.Event{Name: "focus", Value: "ais"})
		p.controller.Event(state.Event{Name: "sheet", Value: "table"})
		p.show()
		got := row.FindAllStringSubmatch(string(p.parts["sheet"]), -1)
		if len(got) != 4 {
			t.Errorf("%s: %d rows in %s", link, len(got), p.parts["sheet"])
			continue
		}
		for i, r := range got {
			beta := []string{"0.75", "0.75", "0.5", "0.5"}[i]
			if want := []string{"AIS 1", "AIS 2", "AIS 3", "AIS 4"}[i]; r[1] != want || r[2][:len(beta)] != beta ||
				!regexp.MustCompile(c.cell).MatchString(r[4]) {
				t.Errorf("%s: row %q, want %s at %s", link, r[1:], want, beta)
			}
		}
	}
}
