package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/estimators/catalog"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// Bad view settings never stop an experiment: they are ignored and named, and removed from the address.
func TestInvalidViewSettingsAreIgnored(t *testing.T) {
	const link = "#v=1&model=mixture2&method=is&is.particles=50"
	for _, c := range []struct{ view, want, says string }{
		{"&view.theme=projector", "&view.projector=1", ""},
		{"&view.theme=pink&view.lang=de", "&view.lang=de", "view.theme=pink"},
		{"&view.hide=seed,atic,run&view.scene=attic", "&view.hide=seed,run", "view.hide=atic"},
		{"&view.expect=12", "", "view.expect=12"},
		{"&view.beta=.20&view.hide=points,run", "&view.beta=0.2&view.hide=run,points", ""},
		{"&view.beta=1.5", "", "view.beta = \"1.5\""},
		{"&view.bogus=1&view.scene=trace", "&view.scene=trace", "view.bogus"},
		{"&view.tour=9&view.lesson=x&view.slow=-1", "", "view.slow=-1"},
		{"&view.theme=dark&view.theme=light", "&view.theme=dark", "view.theme is given twice"},
		{"&View.Lang=de&view.=1&view.scene=%zz", "", "view.scene is not valid percent-encoding"},
	} {
		p := newPage(t, 1)
		p.controller.Open(link + c.view)
		p.finish()
		m := p.view.Message
		if p.view.Link != link+c.want || (m == nil) != (c.says == "") ||
			m != nil && (m.Level != "warn" || !strings.Contains(m.Text, c.says)) {
			t.Errorf("%s: link %s, message %+v", c.view, p.view.Link, m)
		}
	}
}

// The page announces a run of several minutes, but does not replace an error of the link.
func TestRunTimeNoticeKeepsLinkError(t *testing.T) {
	for view, says := range map[string]string{"": "takes about", "&view.tour=9": "view.tour=9"} {
		p := newPage(t, 1)
		p.controller.Open("#v=1&model=mixture2&method=ais&ais.temperatures=300000&ais.chains=1000" + view)
		for range 30 {
			p.turn(1)
		}
		if m := p.view.Message; m == nil || !strings.Contains(m.Text, says) {
			t.Errorf("%q: message %+v", view, m)
		}
	}
}

// A link to a file that is not here says so where the picture would be, with the way to give it; its name is known.
func TestMissingModelFileIsRequested(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "#v=1&model=file:0123456789ab&method=ais"})
	for range 30 {
		p.turn(1)
	}
	p.controller.Event(state.Event{Name: "dismiss"})
	p.show()
	if v := string(p.parts["view"]); !strings.Contains(v, `data-event="file"`) ||
		strings.Contains(v, "Nothing has run yet") {
		t.Error("the veil does not ask for the file")
	}
	if s := string(p.parts["setup"]); !strings.Contains(s, "a model file (file:0123456789ab)") {
		t.Error("the setup does not say which file is missing")
	}
}

// If the setup covers the page, it has its own Run button, which closes the setup and shows the run.
func TestRunFromTheSetupSheet(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.finish()
	p.controller.Event(state.Event{Name: "sheet", Value: "setup"})
	p.controller.Event(state.Event{Name: "seed", Value: "7"})
	p.show()
	if s := string(p.parts["setup"]); !strings.Contains(s, `data-event="run"`) || p.view.Sheet != "setup" {
		t.Errorf("sheet %q without Run", p.view.Sheet)
	}
	if strings.Contains(string(p.parts["view"]), "space bar") {
		t.Error("the picture speaks of the space bar")
	}
	p.controller.Event(state.Event{Name: "run"})
	if p.finish(); p.view.Sheet != "" {
		t.Errorf("the sheet %s covers the run", p.view.Sheet)
	}
}

// Enter in a field runs the experiment with the typed value. A value that is refused runs nothing, and its message
// stays.
func TestEnterStartsRun(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.finish()
	p.controller.Event(state.Event{Name: "seed", Value: "7", Enter: true})
	if p.finish(); !strings.Contains(p.view.Link, "&seed=7") {
		t.Errorf("link %s", p.view.Link)
	}
	p.controller.Event(state.Event{Name: "param", Key: "ais.chains", Value: "many", Enter: true})
	if p.show(); p.view.State != runstate.Done || p.view.Message == nil {
		t.Errorf("state %s, message %+v", p.view.State, p.view.Message)
	}
}

// A control that a link hides has no keyboard shortcut and no line in the help.
func TestHiddenControlsHaveNoKeys(t *testing.T) {
	for _, c := range []struct{ hide, key, changes string }{
		{"seed", "n", "&seed="}, {"run", "n", "&seed="}, {"tabs", "5", "view.scene=trace"}, {"run", "r", ""},
	} {
		for _, hidden := range []bool{true, false} {
			p := newPage(t, 1)
			if p.controller.Open(smallLink); hidden {
				p.controller.Open(smallLink + "&view.hide=" + c.hide)
			}
			p.finish()
			p.controller.Event(state.Event{Name: "key", Value: "?"})
			p.show()
			listed := strings.Contains(string(p.parts["sheet"]), strings.NewReplacer("5", "Trace</dd>", "n", "A new seed",
				"r", "Restart with").Replace(c.key))
			p.controller.Event(state.Event{Name: "key", Value: "Escape"})
			p.controller.Event(state.Event{Name: "key", Value: c.key})
			p.show()
			did := p.view.State != runstate.Done || c.changes != "" && strings.Contains(p.view.Link, c.changes)
			if did == hidden || listed == hidden {
				t.Errorf("%s, %s hidden %v: the key works %v, the help lists it %v", c.key, c.hide, hidden, did, listed)
			}
		}
	}
}

// A tab whose scene cannot be shown can be focused, and choosing the scene shows the reason.
func TestUnavailableTabExplainsWhy(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.finish()
	if v := string(p.parts["view"]); !strings.Contains(v, `aria-disabled="true"`) || strings.Contains(v, " disabled=") {
		t.Error("a tab cannot be reached")
	}
	p.controller.Event(state.Event{Name: "key", Value: "3"})
	p.show()
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "no units") || p.view.Scene != "plane" {
		t.Errorf("scene %s, message %+v", p.view.Scene, m)
	}
}

// Plain words have the term of the field beside them: the checksum its hash, what a method does its full name, a
// check its name in reports, a model its name in links. The canvas gets them too.
func TestPlainNamesShowTechnicalTerms(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.finish()
	for part, want := range map[string][]string{
		"r-checks": {`same checksum on every computer, with any number of workers.">Result checksum`,
			`title="Reverse gap: `, "<b>Difference of forward and reverse estimates</b>"},
		"r-head":  {`<b title="Spread of log weights">Cooled too fast: the variance of the log weights is 1.60;`},
		"setup":   {`title="Annealed importance sampling`, ">Three hills in a plane<", ">mixture2. Three hills of"},
		"numbers": {`same checksum on every computer, with any number of workers.">Result checksum`},
	} {
		for _, s := range want {
			if !strings.Contains(string(p.parts[part]), s) {
				t.Errorf("%s has no %s: %s", part, s, p.parts[part])
			}
		}
	}
	final := map[string]string{"en": "main run", "de": "Hauptlauf", "xx": "⟦main run⟧"}
	for _, lang := range []string{"xx", "en", "xx", "de"} {
		p.controller.Event(state.Event{Name: "lang", Value: lang})
		if p.Clock += shared.ViewInterval; lang == "xx" {
			p.Clock += summaryInterval // which is said in this language, too
		}
		p.controller.Tick()
		for id, part := range p.parts {
			if lang != "xx" && strings.Contains(string(part), "⟦") {
				t.Errorf("in %s, %s is still in the language before", lang, id)
			}
		}
		p.show()
		want := final[lang]
		i := slices.IndexFunc(p.view.Canvas, func(d view.CanvasMessage) bool { return d.T == "words" })
		if got := p.view.Canvas[i].Words["final"]; got != want {
			t.Errorf("%s: the canvas says %q", lang, got)
		}
	}
	for _, lang := range []string{"en", "de"} {
		for _, e := range catalog.Kinds.Builtin() {
			if !wordsOf(lang).HasPlain(e.Name) {
				t.Errorf("%s has no plain name in %s", e.Name, lang)
			}
		}
	}
}

// Wide pages, too, can change their language.
func TestLanguageInTheHead(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	for _, other := range []string{"de", "en"} {
		p.show()
		if !strings.Contains(string(p.parts["top"]), `data-event="lang" data-value="`+other+`"`) {
			t.Errorf("the head does not offer %s", other)
		}
		p.controller.Event(state.Event{Name: "lang", Value: other})
	}
}

// German numbers group thousands by spaces, not by full stops, and numbers typed in German notation are understood.
func TestGermanNumbers(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("#v=1&model=ising16&method=ais&ais.chains=99600&ais.temperatures=20000&view.lang=de")
	p.show()
	if s := string(p.parts["setup"]); strings.Contains(s, "99,600") || !strings.Contains(s, "value=\"99\u202f600\"") {
		t.Error("99,600 in German reads as 99.6")
	}
	for _, c := range []struct{ lang, key, typed, want string }{
		{"de", "ais.chains", "99\u202f600", "99600"}, {"de", "ais.chains", "99 600", "99600"},
		{"de", "ais.chains", "12.000", "12000"}, {"de", "ais.chains", "1,5", ""}, {"de", "beta", "0,3", "0.3"},
		{"de", "beta", "0.3", "0.3"}, {"en", "ais.chains", "12,000", "12000"}, {"en", "beta", "0,3", ""},
	} {
		p.controller.Settings.Lang = c.lang
		p.controller.LoadLanguage()
		p.controller.Problem, p.controller.Spec.Set = nil, map[string]string{}
		p.controller.Event(state.Event{Name: "param", Key: c.key, Value: c.typed})
		if got := p.controller.Spec.Set[c.key]; got != c.want || (p.controller.Problem == nil) != (c.want != "") {
			t.Errorf("%s, %s typed as %q is %q, want %q", c.lang, c.key, c.typed, got, c.want)
		}
	}
}

// The work of a run is one number in the table, the setup, the trace and the race; independent draws are counted as
// draws.
func TestWorkAgreesEverywhere(t *testing.T) {
	for link, says := range map[string]string{
		"mixture2&method=is": "Work: 10,000 independent draws.", "mixture2&method=is&replicates=3": "Work: 30,000 independent draws.",
		"mixture2&method=ais&ais.temperatures=20": "Work: %s sweeps in total.",
		"mixture2&method=rts&rts.sweeps=300":      "Work: %s sweeps in total.",
		"gpc-1d&method=rm&rm.particles=30":        "Work: %s sweeps in total.",
		"gpc-1d&method=arm&arm.particles=30":      "Work: %s sweeps in total.",
	} {
		p := newPage(t, 1)
		p.controller.Open("#v=1&model=" + link)
		p.finish()
		method := p.controller.Spec.Methods[0]
		work, runs := p.row(method).Cells["sweeps"], p.controller.Spec.Replicates
		if says = strings.Replace(says, "%s", work.Text, 1); !strings.Contains(says, work.Text) ||
			!strings.Contains(string(p.parts["setup"]), says) {
			t.Errorf("%s: the table says %s, the setup not %q", link, work.Text, says)
		}
		trace, race := p.controller.curves.Points[method], p.controller.curves.Courses[method]
		if len(trace) < 2 || len(race) < 2 {
			t.Errorf("%s: %d points in the trace, %d in the race", link, len(trace), len(race))
			continue
		}
		end, alone := trace[len(trace)-1].Sweeps, race[len(race)-1].Sweeps*float64(runs)
		if p.controller.Count(end) != work.Text || p.controller.Count(alone) != work.Text {
			t.Errorf("%s: the table says %s, the trace ends at %v, the race at %v", link, work.Text, end, alone)
		}
		if strings.HasPrefix(link, "mixture2&method=is") != (work.Value == "0" && work.Note == "independent draws") {
			t.Errorf("%s: the cell is %+v", link, work)
		}
	}
}

// The list of methods is closed when the largest number of methods is selected.
func TestMethodListClosesAtLimit(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("#v=1&model=mixture2&method=is,ais,rts,ts,ti,bar,mbar,rts-stationary")
	p.controller.Event(state.Event{Name: "adding"})
	for _, add := range []string{"", "ti-rb"} {
		if add != "" {
			p.controller.Event(state.Event{Name: "method", Value: add, On: true})
		}
		p.show()
		if open := !strings.Contains(string(p.parts["setup"]), `<div id="more" hidden`); open != (add == "") {
			t.Errorf("with %d methods the list is open: %v", len(p.controller.Spec.Methods), open)
		}
	}
}

// A visitor without a link sees a model, one slider and Run, and the other controls behind More. A link shows all
// controls.
func TestReducedSetupWithoutLink(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Base: "https://lab.example/"})
	p.controller.Open(smallLink) // sooner done
	less := func(want bool, when string) {
		t.Helper()
		setup, top := p.part("setup"), p.part("top")
		if got := strings.Contains(setup, `<div id="rest" hidden>`); got != want ||
			strings.Contains(top, `class="quiet narrow"`) == want || !strings.Contains(setup, `value="rts"`) ||
			strings.Index(setup, `data-slide="ais.temperatures"`) < strings.Index(setup, `data-slide="ais.chains"`) != want {
			t.Errorf("%s the setup is %s\nthe head %s", when, setup, top)
		}
	}
	p.finish()
	less(true, "without a link")
	p.controller.Event(state.Event{Name: "more"})
	less(false, "after More")
	p.controller.Start(state.BrowserPage{Link: "#" + smallLink, Base: "https://lab.example/"})
	less(false, "with a link")
}

// The other methods are listed by families. Each search word must begin a word in the description of a method.
func TestMethodSearch(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("#v=1&model=mixture2&method=is")
	p.controller.Event(state.Event{Name: "adding"})
	for search, want := range map[string]string{"": "of-tempering of-particles rts smc",
		"Bennett all": "of-tempering mbar", "STEPPING": "stepping-stone", "ti continuous": "ti-continuous",
		"nothing such": ""} {
		p.controller.Event(state.Event{Name: "find-method", Value: search})
		p.show()
		setup := p.part("setup")
		list, _, _ := strings.Cut(setup[strings.Index(setup, `<div id="more"`):], "</fieldset>")
		for _, name := range strings.Fields(want) {
			if !strings.Contains(list, `data-key="`+name+`"`) {
				t.Errorf("%q does not find %s", search, name)
			}
		}
		if none := strings.Contains(list, `data-key="none"`); none != (want == "") ||
			search != "" && strings.Contains(list, `data-key="rts"`) {
			t.Errorf("%q finds %s", search, list)
		}
	}
}

// The list of other methods closes once one is chosen, and with Escape, which then does nothing else.
func TestListOfMethodsCloses(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink + "&view.projector=1")
	open := func() bool { return !strings.Contains(p.part("setup"), `<div id="more" hidden`) }
	for _, e := range []state.Event{{Name: "method", Value: "ti", On: true}, {Name: "key", Value: "Escape"}} {
		p.controller.Event(state.Event{Name: "adding"})
		before := open()
		p.controller.Event(e)
		if p.show(); !before || open() || !p.controller.Settings.Projector {
			t.Errorf("%s: the list was open: %v, is open: %v", e.Name, before, open())
		}
	}
	if p.view.Focus != "adding" {
		t.Errorf("the focus is on %q", p.view.Focus)
	}
	p.controller.Event(state.Event{Name: "key", Value: "Escape"})
	if p.controller.Settings.Projector {
		t.Error("Escape is taken by a list that is closed")
	}
}

// A classifier with more than two features has no picture of its functions, so the page opens with another scene.
func TestNoFunctionPictureForManyFeatures(t *testing.T) {
	for features, want := range map[int]string{1: "function", 2: "function", 5: "ladder"} {
		var csv strings.Builder
		for i := range 12 {
			for j := range features {
				fmt.Fprintf(&csv, "%.3f,", math.Sin(float64(7*i+3*j)))
			}
			fmt.Fprintln(&csv, i%2)
		}
		p := newPage(t, 1)
		p.controller.Open("#v=1&model=mixture2&method=ais&ais.temperatures=20")
		p.controller.File("mine.csv", []byte(csv.String()), 1)
		if p.finish(); p.view.Scene != want {
			t.Errorf("%d features open with %s", features, p.view.Scene)
		}
		p.controller.Open(strings.Replace(p.view.Link, "ais", "rm&rm.particles=20&rm.islands=2&", 1))
		p.show()
		if none := strings.Contains(string(p.parts["view"]), "no picture"); none != (features > 2) {
			t.Errorf("%d features that form: the caption says that there is no picture: %v", features, none)
		}
	}
}

// For a model of many dimensions the plane passes through its modes, and the caption says so.
func TestCaptionOfManyDimensions(t *testing.T) {
	for model, says := range map[string]string{"mixture2": "Grey: the density", "mixture10": "through the modes. Grey"} {
		p := newPage(t, 1)
		p.controller.Open("#v=1&model=" + model + "&method=ais&ais.temperatures=20")
		p.finish()
		if !strings.Contains(string(p.parts["view"]), says) {
			t.Errorf("%s: the caption does not speak of %s", model, says)
		}
	}
}

// Importance sampling has neither temperatures nor chains, so no check of it asks for more of them, and its bounds,
// which lie far apart on every good day, are none.
func TestImportanceSamplingAdvice(t *testing.T) {
	info, _ := catalog.Method("is")
	for _, c := range info.Checks {
		if strings.Contains(c.Advice, "more chains") || strings.HasPrefix(c.Advice, "Use more temp") || c.Name == "Sandwich width" {
			t.Errorf("%s: %s", c.Name, c.Advice)
		}
	}
}
