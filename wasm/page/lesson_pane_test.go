package page

import (
	"image/png"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// The German lessons have the titles of the page, and link to and quote what the English ones do, in the same order.
func TestGermanLessonsMatchEnglish(t *testing.T) {
	sources := regexp.MustCompile(`(?:data-link|data-quote|data-says|id|href)="[^"]*[#=& ][^"]*"`)
	of := func(name, lang string) []string {
		text := body(string(readLesson(t, view.LessonPage(name, wordsOf(lang)))))
		if strings.Count(text, "#v=1") != strings.Count(text, "&amp;view.lang=de") && lang == "de" {
			t.Errorf("%s: a link opens the lab in another language", name)
		}
		text = strings.NewReplacer("../../", "../", "&amp;view.lang=de", "").Replace(text)
		return slices.DeleteFunc(sources.FindAllString(text, -1), func(s string) bool {
			return strings.Contains(s, "glossary.html") // a term may come first in another place
		})
	}
	for _, l := range append(slices.Clone(view.Lessons), view.Lesson{Page: "index.html", Title: ""}) {
		if en, de := of(l.Page, "en"), of(l.Page, "de"); len(en) == 0 || !slices.Equal(en, de) {
			t.Errorf("%s: English\n%q\nGerman\n%q", l.Page, en, de)
		}
		for _, lang := range []string{"en", "de"} {
			title := "<h1>" + wordsOf(lang).Phrase(l.Title) + "</h1>"
			if l.Title != "" && !strings.Contains(string(readLesson(t, view.LessonPage(l.Page, wordsOf(lang)))), title) {
				t.Errorf("%s of %s has no %s", l.Page, lang, title)
			}
		}
	}
}

// Each lesson has one live figure: a small still picture with words for who cannot see it, and the link that figure.js
// opens in its place. Beside the lab, whose picture is live, there is no other.
func TestLessonsHaveFigures(t *testing.T) {
	figure := regexp.MustCompile(`(?s)<figure class="live-figure">\n<div><img src="([^"]*)" alt="[^"]{20,}"></div>\n` +
		`<figcaption>[^<]{20,}</figcaption>\n<p class="live"><a class="button"[^>]* href="[./]*index.html#v=1[^"]*">`)
	for _, lang := range []string{"en", "de"} {
		w := wordsOf(lang)
		for i, l := range view.Lessons {
			page := view.LessonPage(l.Page, w)
			text := string(readLesson(t, page))
			m := figure.FindStringSubmatch(text)
			if m == nil || strings.Count(text, "live-figure") != 1 || m[1] != strconv.Itoa(i+1)+".png" ||
				!strings.Contains(text, `figure.js"></script>`) {
				t.Errorf("%s has no live figure: %v", page, m)
				continue
			}
			f, err := os.Open(path.Join("../../site/lessons", path.Dir(page), m[1]))
			if err != nil {
				t.Fatal(err)
			}
			still, err := png.DecodeConfig(f)
			if info, _ := f.Stat(); err != nil || still.Width != 592 || info.Size() > 24<<10 {
				t.Errorf("%s: a picture %d wide of %d bytes, %v", page, still.Width, info.Size(), err)
			}
			f.Close()
			if pane := string(view.LessonText(i+1, w, `"`, "")); strings.Contains(pane, "<img") ||
				!strings.Contains(pane, `<figure class="live-figure">`) {
				t.Errorf("%s beside the lab: %s", page, pane)
			}
		}
	}
}

// A lesson is shown beside the experiment. Its links change the experiment in place and keep language, theme and
// lesson; the next lesson keeps the experiment, and Back leads to the one before.
func TestLessonPaneKeepsExperiment(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: smallLink + "&view.theme=dark&view.lang=de&view.lesson=4"})
	p.finish()
	pane := string(p.parts["lesson"])
	for _, want := range []string{"Lektion 4 von 16", "Der schlechte Start", "187,8", `data-value="5"`,
		`href="lessons/de/glossary.html#sandwich"`,
		`href="#v=1&amp;model=rbm-pcd-20&amp;method=ais&amp;ais.temperatures=50&amp;start=uniform&amp;view.lesson=4` +
			`&amp;view.theme=dark&amp;view.lang=de"`} {
		if !strings.Contains(pane, want) {
			t.Errorf("the pane has no %s:\n%s", want, pane)
		}
	}
	if strings.Contains(pane, `"../`) || strings.Contains(pane, "data-quote") || strings.Contains(pane, `id="coins"`) {
		t.Error("the pane has links away, or ids of a page")
	}
	units, entry := p.units, p.view.Entry
	p.controller.Event(state.Event{Name: "lesson", Value: "5"})
	p.show()
	if !strings.Contains(p.view.Link, "&view.lesson=5") || p.units != units || p.view.Entry != entry+1 ||
		!strings.Contains(string(p.parts["lesson"]), "Lektion 5") || p.view.Focus != "lesson-title" {
		t.Errorf("link %s, %d units more, entry %d, focus %q", p.view.Link, p.units-units, p.view.Entry, p.view.Focus)
	}
	p.controller.Event(state.Event{Name: "fold"})
	if p.show(); !strings.Contains(string(p.parts["lesson"]), `id="lesson-body" class="page" hidden`) {
		t.Error("the lesson cannot be folded")
	}
	if p.view.Focus != "" {
		t.Error("the focus is taken again")
	}
	p.controller.Event(state.Event{Name: "lesson"})
	if p.show(); strings.Contains(p.view.Link, "lesson") || !strings.Contains(string(p.parts["lesson"]), "hidden") {
		t.Errorf("the lesson cannot be closed: %s", p.view.Link)
	}
	p.controller.Event(state.Event{Name: "lesson", Value: "16"})
	p.controller.Event(state.Event{Name: "lesson", Value: "16"})
	if p.show(); !strings.Contains(p.view.Link, "view.lesson=16") || strings.Contains(string(p.parts["lesson"]), `"17"`) {
		t.Errorf("after the last lesson: %s", p.view.Link)
	}
	for _, hides := range []string{"&view.embed=1", "&view.projector=1"} {
		p.controller.Open(smallLink + "&view.lesson=4" + hides)
		if p.show(); !strings.Contains(string(p.parts["lesson"]), "hidden") {
			t.Errorf("%s shows the pane", hides)
		}
	}
}

// The list of lessons opens each of them.
func TestListOfLessons(t *testing.T) {
	for _, lang := range []string{"en", "de"} {
		p := newPage(t, 1)
		p.controller.Open(smallLink + "&view.lang=" + lang)
		p.controller.Event(state.Event{Name: "sheet", Value: "lessons"})
		p.show()
		sheet := string(p.parts["sheet"])
		for _, l := range view.Lessons {
			if !strings.Contains(sheet, wordsOf(lang).Phrase(l.Title)) {
				t.Errorf("%s is not listed", l.Title)
			}
		}
		if n := strings.Count(sheet, `class="why">`); n != len(view.Lessons) || strings.Contains(sheet, "data-quote") {
			t.Errorf("%d explanations in %s", n, sheet)
		}
		p.controller.Event(state.Event{Name: "lesson", Value: "3"})
		if p.show(); p.view.Sheet != "" || !strings.Contains(p.view.Link, "&view.lesson=3") {
			t.Errorf("sheet %q, link %s", p.view.Sheet, p.view.Link)
		}
	}
}
