package papers

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"logzlab/render/chart"
	"logzlab/render/paint"
)

// A figure of Lines names each series once, has a light and a dark theme, and omits distant points with a note.
func TestLinesNameSeriesOnce(t *testing.T) {
	var rows []Row
	for i := range 12 {
		mean := 10.0
		if i == 5 {
			mean = 99
		}
		rows = append(rows, Row{Point: Point{Panel: fmt.Sprint("panel ", i/6), Series: []string{"AIS", "RTS"}[i%2]},
			LogMeanExp: mean, SD: .1, SE: .05, Known: 10, Seconds: float64(i + 1), N: 10, Mean: mean})
	}
	b, extension, err := Lines(rows, &Experiment{Axes: Axes{Reach: 4}})
	if err != nil || extension != ".svg" {
		t.Fatalf("%s, %v", extension, err)
	}
	for r := xml.NewDecoder(strings.NewReader(string(b))); ; {
		if _, err := r.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for text, n := range map[string]int{">AIS<": 1, ">RTS<": 1, ">panel 0<": 2, ">panel 1<": 2,
		">1 beyond 4 nats left out<": 1, "prefers-color-scheme:dark": 1, "NaN": 0} {
		if got := strings.Count(string(b), text); got != n {
			t.Errorf("%s is there %d times", text, got)
		}
	}
}

// A figure without panels is nil, and the height of a figure grows with its rows of panels.
func TestFigureHeight(t *testing.T) {
	if b, _, err := Figure(nil, 2, nil); b != nil || err != nil {
		t.Errorf("%s, %v", b, err)
	}
	draw := func(c *chart.Chart, t *paint.Theme) {
		Curve(c, t, 0, "AIS", []float64{0, 1}, []float64{1, 2}, []float64{.1, math.NaN()})
	}
	heightOf := func(columns int, panels ...Panel) (h float64) {
		b, _, err := Figure(panels, columns, []string{"AIS"})
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(b), `height="`)
		fmt.Sscan(rest, &h)
		return h
	}
	panel, low := Panel{Draw: draw}, Panel{Draw: draw, Height: 100}
	if a, b, c := heightOf(2, panel, low), heightOf(1, panel, low), heightOf(1, low); b-a < 100 || a-c < 150 {
		t.Errorf("heights %g, %g, %g", a, b, c)
	}
}
