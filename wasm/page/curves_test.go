package page

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// The curve behind the ladder of a mixture, and of a graph that is summed at once, is the exact one, and a field
// reaches the picture.
func TestExactAlongThePath(t *testing.T) {
	for model, exact := range map[string]float64{"mixture2": 3, "chain30": 33.37405950080615} {
		p := newPage(t, 1)
		p.controller.Open("v=1&model=" + model + "&method=ais&ais.chains=10&ais.temperatures=9")
		p.turn(0)
		want, err := models.CapabilitiesOf(p.controller.Job.Model).Exact.LadderLogZ([]float64{0, .5, 1})
		if err != nil {
			t.Fatal(err)
		}
		for k, beta := range []float64{0, .5, 1} {
			if got := p.controller.target.ExactAt(p.controller.Job.Model, beta); math.Abs(got-want[k]) > 1e-6 {
				t.Errorf("%s: log Z at %v is %v, want %v", model, beta, got, want[k])
			}
		}
		p.finish()
		for range 30 {
			p.turn(0)
		}
		l := p.controller.curves.Ladders["ais"]
		if n := len(l); n == 0 || len(l[n-1].Exact) != 9 || math.Abs(l[n-1].Exact[8]-exact) > 1e-6 {
			t.Errorf("%s: ladders %+v", model, l)
		}
	}
}

// Every setting of the page is written to the link and read from it again.
func TestSettingsRoundTrip(t *testing.T) {
	pick := func(n, of int, from []string) string {
		if n%of == 0 {
			return ""
		}
		return from[n%len(from)]
	}
	for n := range 4000 {
		s := state.Settings{Scene: pick(n, 3, scene.Names()), Theme: pick(n, 2, []string{"light", "dark"}),
			Lang: pick(n, 5, words.Languages()), Focus: pick(n, 7, catalog.Names{}.MethodNames()),
			Projector: n%11 < 3, Embed: n%13 < 3, Slow: n % (state.Slowest + 1), Lesson: n % (len(view.Lessons) +
				1), Tour: n % 6}
		if n%19 < 5 {
			s.Beta = []string{"0", "0.2", "0.955", "1e-06", "1"}[n%19]
		}
		for i, h := range state.AllHideable {
			if n>>i&1 == 1 {
				s.Hide = append(s.Hide, h)
			}
		}
		if n%17 > 12 {
			s.Expect = []string{"0123456789abcdef", "fedcba9876543210"}[:n%2+1]
		}
		link := "v=1&model=mixture2&method=ais" + s.Link()
		parsed, err := spec.ParseLink(link, catalog.Names{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Known().Parse(parsed.View)
		if err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		if again := got.Link(); again != s.Link() {
			t.Fatalf("%s became %s", s.Link(), again)
		}
		if parsed.Link() != "v=1&model=mixture2&method=ais" {
			t.Fatalf("view settings reached the spec: %s", parsed.Link())
		}
	}
	for _, bad := range []string{"view.scene=moon", "view.theme=pink", "view.slow=9", "view.lesson=0",
		"view.hide=everything", "view.expect=12", "view.bogus=1", "view.projector=2", "view.lang=tlh",
		"view.focus=nosuch", "view.hide=%zz", "view.beta=hot", "view.beta=", "view.beta=1.01", "view.beta=-0.1",
		"view.beta=NaN"} {
		key, _, _ := strings.Cut(bad, "=")
		if _, err := Known().Parse([]string{bad}); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Blanks around a pasted value are ignored.
func TestSettingsPasted(t *testing.T) {
	x, err := spec.ParseLink("#v=1&model=mixture2&method=ais & view.theme=dark &view.scene=plane%20 ", catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := Known().Parse(x.View); err != nil || s.Theme != "dark" || s.Scene != "plane" {
		t.Errorf("%+v, error %v", s, err)
	}
}
