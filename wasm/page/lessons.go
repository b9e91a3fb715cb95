package page

import (
	"strconv"
	"strings"

	pages "logzlab/site/lessons"
	"logzlab/wasm/words"
)

// Lesson is a page of site/lessons. The lab shows its text beside the experiment, where its links change the
// experiment in place.
type Lesson struct{ Page, Title string }

// lessons in their order; view.lesson counts from 1.
var lessons = []Lesson{
	{"1-what.html", "What log Z is, and why it is hard"},
	{"2-importance.html", "Importance sampling, and why it fails"},
	{"3-annealing.html", "Annealing and temperature"},
	{"4-bad-start.html", "The bad start"},
	{"5-tempering.html", "Tempering and its ladder"},
	{"6-dreams.html", "Boltzmann machines and what they dream"},
	{"7-one-run.html", "One run, seven estimators"},
	{"8-error-bars.html", "When does an error bar lie?"},
	{"9-evidence.html", "Evidence: which model does the data prefer?"},
	{"10-pool.html", "How to pool, and how not to"},
	{"11-training.html", "Is the machine getting better?"},
}

// booklet is the lesson beside the experiment. It must not know the experiment.
type booklet struct {
	folded bool // only its head is shown
	made   string
	text   HTML // of the lesson that made names
}

// lessonPage is the path of a page of the lessons in a language, below site/lessons.
func lessonPage(name string, w *words.Language) string {
	if w.Lesson(name) != "" {
		return w.Lang + "/" + name
	}
	return name
}

// lessonPart is what stands between two marks on a page of the lessons, without what only the tests need: sources of
// numbers, and ids, which could be those of other elements of the lab.
func lessonPart(name string, w *words.Language, from, to string) string {
	page := w.Lesson(name)
	if page == "" {
		data, err := pages.Pages.ReadFile(name)
		if err != nil {
			panic(err) // it is compiled in
		}
		page = string(data)
	}
	_, s, _ := strings.Cut(page, from)
	s, _, _ = strings.Cut(s, to)
	for _, attribute := range []string{"id", "data-link", "data-quote", "data-says"} {
		parts := strings.Split(s, " "+attribute+`="`)
		for i := range parts[1:] {
			_, parts[i+1], _ = strings.Cut(parts[i+1], `"`)
		}
		s = strings.Join(parts, "")
	}
	return s
}

// lessonText is the text of lesson k. Its links lead to experiments on this page, shown in the reader's language and
// theme.
func (p *pane) lessonText(k int) HTML {
	keep := escape(Settings{Theme: p.set.Theme, Lang: p.set.Lang}.Link()) + `"`
	if made := strconv.Itoa(k) + p.w.Lang + keep; p.booklet.made != made {
		s := lessonPart(lessons[k-1].Page, p.w, "</h1>", `<nav class="turn"`)
		s = strings.ReplaceAll(s, "&amp;view.lang="+p.w.Lang, "")
		lesson := "&amp;view.lesson=" + strconv.Itoa(k)
		for _, up := range []string{`"../../index.html#`, `"../index.html#`} {
			s = strings.ReplaceAll(s, up, `"#`)
		}
		s = strings.ReplaceAll(s, lesson+`"`, lesson+keep)
		s = strings.NewReplacer("<h2>", "<h3>", "</h2>", "</h3>").Replace(s)
		p.booklet.made, p.booklet.text = made, HTML(s)
	}
	return p.booklet.text
}

// lesson is the pane of the lesson: a column beside the picture, on small screens a sheet over the lower half.
func (p *pane) lesson() HTML {
	w, k := p.w, p.set.Lesson
	if k == 0 || p.set.Projector || p.set.Embed {
		return tag(`aside id="lesson" hidden`)
	}
	fold, title := "fold", w.Phrase(lessons[k-1].Title)
	if p.booklet.folded {
		fold = "unfold"
	}
	turn := []HTML{button("quiet", "sheet", "lessons", text(w.T("lessons.all")))}
	if k < len(lessons) {
		turn = append(turn, el(`button type="button" class="primary" data-event="lesson"`,
			at("data-value", strconv.Itoa(k+1), "title", w.Phrase(lessons[k].Title)), text(w.T("lesson.next"))))
	}
	return el(`aside id="lesson" class="lesson-pane"`,
		at("aria-label", w.T("lesson.of", k, len(lessons)), "data-lesson", fold),
		tag(`div class="lesson-head"`, tagText(`p class="lesson-n"`, w.T("lesson.of", k, len(lessons))),
			el(`button type="button" id="lesson-fold" class="quiet" data-event="fold" aria-controls="lesson-body"`,
				at("aria-expanded", yes(!p.booklet.folded), "title", w.T("lesson."+fold)),
				icon("i-caret", "i"), tagText(`span class="vh"`, w.T("lesson."+fold))),
			p.closeButton("quiet", "lesson")),
		el(`div id="lesson-body" class="page"`, at("hidden", when(p.booklet.folded), "data-key", strconv.Itoa(k)),
			tagText(`h2 id="lesson-title" tabindex="-1"`, title), p.lessonText(k), tag(`div class="turn"`, turn...)))
}

// openLesson shows the lesson of a number, or none, and keeps the experiment. Back returns to the lesson before it.
func (b *Brain) openLesson(value string) {
	k, _ := strconv.Atoi(value)
	if b.set.Lesson == k || k < 0 || k > len(lessons) {
		return
	}
	b.set.Lesson, b.set.Tour, b.set.Projector, b.booklet.folded, b.panels.sheet = k, 0, false, false, ""
	b.address.entry++
	if b.views.focus = "lesson-title"; k == 0 {
		b.views.focus = "lessons menu" // whichever is shown
	}
}

// lessonsSheet lists the lessons.
func (p *pane) lessonsSheet() []HTML {
	var items []HTML
	about := strings.Split(lessonPart("index.html", p.w, `<ol class="lessons">`, "</ol>"), "<li>")
	for i, l := range lessons {
		_, says, _ := strings.Cut(about[i+1], "<p>")
		says, _, _ = strings.Cut(says, "</p>")
		n := strconv.Itoa(i + 1)
		items = append(items, el("li", at("data-key", n), el(`button type="button" data-event="lesson"`,
			at("data-value", n, "aria-current", yes(p.set.Lesson == i+1)), text(n+"  "+p.w.Phrase(l.Title))),
			tag(`span class="why"`, HTML(says))))
	}
	home := p.site("lessons/" + lessonPage("index.html", p.w))
	items = append(items, el("li", at("data-key", "broken"), button("", "sheet", "broken", text(p.w.T("broken")))))
	return []HTML{tag(`ul class="choices"`, items...), el(`a class="why"`, at("href", home), text(p.w.T("lessons.pages")))}
}
