package costs

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/estimators/papers"
	"logzlab/internal/papertest"
	"logzlab/models"
	"logzlab/models/graph"
	"logzlab/render/paint"
)

// The files next to the page have the ids of the spin glasses in the links.
func TestGlassFilesMatchLinks(t *testing.T) {
	ids := map[string]bool{}
	for name, text := range glassFiles() {
		f, err := modelfile.Read(text, []modelfile.Reader[models.File]{graph.Kind.Reader}, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		ids[modelfile.ID(models.CanonicalOf(f, text))] = true
	}
	for _, p := range glassPoints(papers.Normal) {
		if id := papers.LinkValue(p.Link, "model"); !ids[id] {
			t.Errorf("no file is %s, %s", id, p.Step)
		}
	}
	if len(ids) != len(glassKinds)*len(glassSides) {
		t.Errorf("%d glasses", len(ids))
	}
}

// glasses returns rows of n estimates whose time to 0.1 nats is factor times a power of the number of spins.
func glasses(series string, n int, power, factor float64) (out []papers.Row) {
	for _, side := range []string{"6 x 6", "20 x 20"} {
		at := map[string]float64{"6 x 6": 36, "20 x 20": 400}[side]
		out = append(out, papers.Row{Point: papers.Point{Panel: "glass", Series: series, At: at, Step: side}, N: n,
			Seconds: factor * math.Pow(at, power), SD: .1})
	}
	return out
}

// The findings on spin glasses agree, contradict or are undecided as the rows require.
func TestGlassFindings(t *testing.T) {
	for _, c := range []struct {
		n             int
		power, factor float64
		tree, grows   papers.Answer
	}{{100, 2, .2, papers.Agrees, papers.Agrees}, {100, .3, 5, papers.Contradicts, papers.Contradicts},
		{4, 1.1, .9, papers.Unseen, papers.Unseen}} {
		var rows []papers.Row
		for _, by := range glassSeries {
			factor := 1.
			if by.model != "" {
				factor = c.factor
			}
			if by.series == "AIS, from a tree" {
				factor *= c.factor
			}
			rows = append(rows, glasses(by.series, c.n, c.power, factor)...)
		}
		f := glassJudge(rows)
		for about, want := range map[string]papers.Answer{"annealing with blocks": c.tree, "annealing from a tree": c.tree,
			"of AIS, single grows": c.grows} {
			if got := papertest.Find(t, f, about); got != want {
				t.Errorf("%+v: %s: got %v, want %v", c, about, got, want)
			}
		}
	}
}

// Every series has a panel, and no panel has more than three series, whose marks differ in shape.
func TestGlassPanelsHaveDistinctMarks(t *testing.T) {
	lines := map[string]int{}
	for k, by := range glassSeries {
		method, _, _ := strings.Cut(by.series, ",")
		for _, f := range glassFamilies {
			if slices.Contains(strings.Fields(f.methods), method) {
				mark := fmt.Sprint(f.name, k%(3+len(paint.Emblems)))
				lines[f.name], lines[mark] = lines[f.name]+1, lines[mark]+1
				if lines[mark] > 1 {
					t.Errorf("%s: two lines with one mark", f.name)
				}
			}
		}
	}
	if n := lines["annealing"] + lines["tempering"] + lines["particles"]; n != len(glassSeries) || lines["annealing"] > 3 ||
		lines["tempering"] > 3 || lines["particles"] > 3 {
		t.Errorf("%d lines in the panels, of %d", n, len(glassSeries))
	}
}
