package page

import (
	"strings"
	"testing"

	"logzlab/core/modelfile"
)

// An own file settles what a link says of it, whether the link or the file comes first: defaults of its kind are left
// out, and what its kind does not have is named, with the rest on offer.
func TestOwnFileSettles(t *testing.T) {
	gpc := []byte(`{"kind":"gpc","y":[1,-1,1],"X":[[0],[1],[2]]}`)
	head := "#v=1&model=" + modelfile.ID(gpc) + "&method=ais"
	for _, c := range []struct{ more, want, says string }{
		{"&order=natural&ais.chains=7&view.theme=dark", "&ais.chains=7&view.theme=dark", ""},
		{"&order=random", "&order=random", ""},
		{"&order=variance", "", `order = "variance" must be one of: natural, random`},
		{"&form=marginal&seed=3", "&seed=3", "form is not a parameter of this model and method"},
		{"&beta=", "", "beta is not a parameter of this model and method"},
	} {
		for _, first := range []string{"link", "file"} {
			p := newPage(t, 1)
			if first == "file" {
				p.brain.File("mine.json", gpc, 1)
			}
			p.brain.Open(head + c.more)
			if first == "link" {
				p.brain.File("mine.json", gpc, 1)
			}
			p.show()
			m := p.view.Message
			if c.says == "" && (m != nil || p.view.Link != head+c.want || p.view.State != "running") ||
				c.says != "" && (m == nil || !strings.Contains(m.Text, c.says) || m.Action == nil ||
					m.Action.Value != head+c.want || p.view.State != "failed") {
				t.Errorf("%s, %s first: link %s, state %s, message %+v", c.more, first, p.view.Link, p.view.State, m)
			}
		}
	}
}
