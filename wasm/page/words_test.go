package page

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/estimators"
	"logzlab/estimators/calibration"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/estimators/training"
	"logzlab/internal/testmodels"
	"logzlab/models"
	"logzlab/render/vocabulary"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// Phrases of other packages without a German translation are listed, and shown in English.
func TestGermanPhrases(t *testing.T) {
	missing := missingGerman(t)
	slices.Sort(missing)
	if missing = slices.Compact(missing); len(missing) > 0 {
		t.Logf("de.po has no German for %d texts:\n%s", len(missing), strings.Join(missing, "\n"))
	}
}

// missingGerman lists the sentences of models, methods, flags, checks and scenes that have no German form.
func missingGerman(t *testing.T) (missing []string) {
	german := wordsOf("de")
	need := func(s string) {
		if !german.HasPhrase(s) && s != "" {
			missing = append(missing, s)
		}
	}
	for _, k := range catalog.Kinds {
		need(k.Title)
		for _, e := range k.Entries {
			need(e.About)
		}
	}
	params := catalog.Kinds.Params("")
	for _, m := range catalog.Methods {
		need(m.About)
		need(m.Short)
		params = append(params, m.Params...)
		for _, c := range m.Checks {
			need(c.Name)
			need(c.Meaning)
			need(c.Advice)
		}
	}
	for _, q := range append(params, training.Params...) {
		need(q.Help)
		name := strings.ReplaceAll(q.Name, "_", " ")
		need(strings.ToUpper(name[:1]) + name[1:])
	}
	for _, sentence := range diag.Meanings {
		need(sentence)
	}
	for _, s := range vocabulary.Words {
		need(s)
	}
	for _, sentence := range estimators.SEMeans {
		need(sentence)
	}
	for _, l := range view.Lessons {
		need(l.Title)
	}
	for _, s := range scene.All {
		need(s.Label)
		need(s.About)
		for _, x := range append(slices.Clone(s.Missing), s.Captions...) {
			need(x.Text)
		}
		for _, table := range s.Tables {
			for _, h := range table.Heads {
				if !german.Has(h) {
					need(h)
				}
			}
		}
	}
	low := report.Number(.0001)
	r := &report.Report{Method: "rts", LogZ: 1, SE: 1, Lower: 0, Upper: 99, Truth: &report.Truth{LogZ: 99},
		Flags: []diag.Flag{models.FlagBaseGuessed}, Diagnostics: map[diag.Number]report.Number{
			"ess": 1, "var_log_weight": 99, "logz_reverse": 99, "occupancy_min": low, "occupancy_max": 1,
			"round_trips": 0, "initial_max_dev": 9, "target_gap": 9, "target_gap_se": 1}}
	lone := &report.Report{Method: "ais", LogZ: 1, SE: report.NaN, Lower: report.NaN, Upper: report.NaN,
		Flags: []diag.Flag{models.FlagBaseGuessed}}
	none := &report.Report{Method: "ais", LogZ: report.NaN, SE: report.NaN}
	form := &report.Report{Method: "arm", Spec: report.ReportSpec{Params: map[string]string{"particles": "10"}},
		SEMethod: "islands", LogZ: 1, SE: report.NaN, Lower: report.NaN, Upper: report.NaN,
		Diagnostics: map[diag.Number]report.Number{"islands_sd": 9, "stages_below": 1, "gamma_min": 0, "i_max_share": 1,
			"ancestors": 1}}
	one := &report.Report{Method: "ais", State: runstate.MethodDone, LogZ: 1, SE: .1, Upper: report.NaN, Verdict: &report.Verdict{}}
	other := &report.Report{Method: "arm", State: runstate.MethodDone, LogZ: 9, SE: .1, Upper: report.NaN, Verdict: &report.Verdict{}}
	alone, j := *one, report.New(&engine.Job{Model: testmodels.TwoHills(t)})
	j.Opinions([]*report.Report{one, other})
	j.Opinions([]*report.Report{&alone})
	checks := append(one.Verdict.Checks, alone.Verdict.Checks...)
	for number, x := range map[diag.Number]report.Number{models.DiagClimbs: 1, models.DiagUnseenModes: .5,
		models.DiagDivergent: .5, models.DiagFarMass: 2} {
		searched := *one
		searched.Verdict = &report.Verdict{}
		searched.Diagnostics = map[diag.Number]report.Number{models.DiagClimbs: 9, number: x}
		j.Opinions([]*report.Report{&searched})
		checks = append(checks, searched.Verdict.Checks...)
	}
	for _, r := range []*report.Report{r, lone, none, form} {
		checks = append(checks, r.Judge().Checks...)
	}
	checks = append(checks, report.CoverageCheck(calibration.Counts{Runs: 100, Within2: 90, Squares: 900}))
	for _, c := range checks {
		need(c.Name)
		need(c.Meaning)
		need(c.Advice)
		if _, unit, ok := strings.Cut(c.Text, " "); ok && !german.HasPhrase(c.Text) {
			need(unit)
		}
	}
	return missing
}

// Errors as they come: their places are found again, those of inner errors too.
func TestGermanErrors(t *testing.T) {
	link := func(s string) error { _, err := spec.ParseLink(s, catalog.Names{}); return err }
	file := func(s string) error { _, err := catalog.Kinds.ReadFile([]byte(s), nil); return err }
	view := func(s string) error { _, err := Known().Parse([]string{s}); return err }
	w := wordsOf("de")
	for _, c := range []struct {
		err  error
		want string
	}{
		{link("v=1&model=mixture2&method=rtx"),
			`Link: das Verfahren "rtx" gibt es nicht (ist rts gemeint?); möglich sind ` + strings.Join(catalog.Names{}.MethodNames(), ", ") + "."},
		{link("v=1&model=mixture2&method=ais&ais.chains=0"),
			"Link: ais.chains = 0 liegt außerhalb; möglich ist 1 bis 1000000."},
		{link("v=1&model=mixture2&method=ais&ais.chains=many"),
			`Link: ais.chains = "many" ist keine ganze Zahl; sie muss zwischen 1 und 1000000 liegen.`},
		{link("v=1&model=mixture2&method=ais&ais.schedule=steep"),
			"Link: ais.schedule: die Abstufung \"steep\" gibt es nicht; möglich sind linear, power:p (0 < p ≤ 1000), " +
				"geometric:bmin (0 < bmin < 1), sigmoid:r (0 < r ≤ 1000), sm08; nach einem Vorlauf: varopt, varopt:v (höchstens " +
				"v mal so schnell wie linear, 1 ≤ v ≤ 1000), varopt-eta:e (kein Schritt länger als e, 0 < e < 1), friction, " +
				"gms13, gms13-marginal, adaptive:a (0 < a < 1); oder betas:b_b_... (eigene, steigend zwischen 0 und 1)."},
		{link("v=2&model=mixture2&method=ais"), "Link: v=2 ist hier nicht bekannt; dieses Labor liest v=1."},
		{link("v=1&model=mixture2&method=ais&ais.chains=5&ais.chains=5"),
			"Link: ais.chains steht zweimal da; eines weglassen."},
		{view("view.slow=9"), "Link: view.slow=9 muss eine ganze Zahl von 0 bis 3 sein."},
		{view("view.beta=2"), `Link: view.beta = "2" muss eine Zahl zwischen 0 und 1 sein.`},
		{file(`{"kind": "rbm", "W": [[1, null]]}`), "Modelldatei: W: zwischen den Zahlen steht ein null."},
		{file(`{"kind": "rbm", "W": [[1], [2, "NaN"]]}`), `Modelldatei: W: Zeile 1: Eintrag 1: "NaN" ist keine Zahl.`},
		{file(`{"kind": "rbm", "W": [[1`), "Modelldatei: kein gültiges JSON: der Text endet zu früh, in Zeile 1, Spalte 25."},
		{file(`{"kind": "rbm", "W": [[NaN]]}`),
			"Modelldatei: kein gültiges JSON: in Zeile 1, Spalte 24 steht NaN oder Infinity; Zahlen müssen endlich sein."},
		{file(`{"kind": "rbm", "W": [[1], [2e7]], "c_visible": [0, 0]}`),
			"RBM-Datei: b_hidden fehlt; es hat einen Bias für jede der 1 Spalten von W (den Namen b hat es nur in .npz); " +
				"eine RBM ohne diese hat Nullen."},
		{link("v=1&model=mixture2&method=ais&leaps=2"),
			"Link: leaps wirkt mit proposal = mh, der Vorgabe, nicht; leaps weglassen oder proposal anders setzen."},
		{file(`{"kind": "gpc", "y": [1], "kernel": {"length": "1"}}`), `Modelldatei: kernel.length: "1" ist keine Zahl.`},
		{file(`{"kind": "rbm", "W": [[1], [2]], "c_visible": [0], "b_hidden": [0]}`),
			"RBM-Datei: c_visible hat 1 Werte, W hat 2 Zeilen."},
		{file("PK damaged"), ""},
		{errors.New("something else: 5 %"), "Something else: 5 %."},
	} {
		got := w.Sentence(c.err)
		if c.want == "" && strings.HasPrefix(got, "Npz- oder pt-Datei: beschädigt oder abgeschnitten (") {
			continue
		}
		if got != c.want {
			t.Errorf("%v\n   gives %q\n   want  %q", c.err, got, c.want)
		}
	}
	english := words.New("en").Sentence(errors.New("link: v=2 is not known here; this lab reads v=1"))
	if english != "Link: v=2 is not known here; this lab reads v=1." {
		t.Error(english)
	}
}

var (
	tags   = regexp.MustCompile(`(?s)<(svg|code)\b.*?</(svg|code)>|<[^>]*>`)
	labels = regexp.MustCompile(`(?:aria-label|title|aria-valuetext)="([^"]*)"`)
	given  = regexp.MustCompile(`⟦[^⟧]*⟧`)
	letter = regexp.MustCompile(`\pL{2,}`)
)

// In the pseudo-language every text is in brackets: bare text was never in
// the string table. Names of models, methods and languages, and symbols, are bare.
func TestNoHardCodedText(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Start(state.BrowserPage{Link: smallLink + "&view.lang=xx&view.lesson=2&view.expect=0123456789abcdef",
		Base: "https://lab.example/"})
	names := map[string]bool{"log": true, "Lab": true, "LogZ": true, "Esc": true, "English": true, "Deutsch": true, "yes": true,
		"no": true, "marginal": true, "joint": true, "linear": true, "ones": true, "mixture": true}
	for _, e := range catalog.Kinds.Builtin() {
		for _, part := range letter.FindAllString(e.Name, -1) {
			names[part] = true
		}
	}
	for _, q := range catalog.Kinds.Params("") { // choices are written as in links
		for _, c := range q.Choices {
			for _, part := range letter.FindAllString(c, -1) {
				names[part] = true
			}
		}
	}
	for _, m := range catalog.Methods {
		for _, part := range letter.FindAllString(m.Label+" "+m.Name, -1) {
			names[part] = true
		}
	}
	check := func(when string) {
		t.Helper()
		for id, part := range p.parts {
			// Each language has lessons of its own.
			bare := given.ReplaceAllString(strings.ReplaceAll(string(part), string(p.controller.lesson.Text), ""), "")
			if when == "lessons" {
				bare = regexp.MustCompile(`<span class="why">.*?</span></li>`).ReplaceAllString(bare, "")
			}
			texts := strings.Split(tags.ReplaceAllString(bare, "|"), "|")
			for _, m := range labels.FindAllStringSubmatch(bare, -1) {
				texts = append(texts, m[1])
			}
			for _, s := range texts {
				for _, word := range letter.FindAllString(s, -1) {
					if !names[word] {
						t.Errorf("%s, %s: %q in %q is not in the string table", when, id, word, s)
					}
				}
			}
		}
	}
	for range 6 {
		p.turn(20)
	}
	check("running")
	p.finish()
	check("done")
	for _, s := range view.Sheets {
		p.controller.Event(state.Event{Name: "sheet", Value: s})
		p.show()
		check(s)
	}
	for _, s := range []string{"plane", "ladder", "trace"} {
		p.controller.Event(state.Event{Name: "scene", Value: s})
		p.controller.Event(state.Event{Name: "sheet", Value: "table"})
		p.show()
		check(s)
	}
	p.controller.Event(state.Event{Name: "theme", Value: "projector"})
	p.controller.Event(state.Event{Name: "seed", Value: "8"})
	p.show()
	check("projector")
}
