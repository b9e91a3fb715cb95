package view

import (
	"strconv"
	"strings"

	"logzlab/core/words"
	"logzlab/render/html"
	pages "logzlab/site/lessons"
)

// Lesson is a page of site/lessons. The lab shows its text beside the experiment; its links change the experiment in
// place.
type Lesson struct{ Page, Title string }

// Lessons lists the lessons in their order. view.lesson is the index plus 1.
var Lessons = []Lesson{
	{"1-what.html", "What log Z is, and why it is hard"},
	{"2-importance.html", "Importance sampling, and why it fails"},
	{"3-annealing.html", "Annealing and temperature"},
	{"4-bad-start.html", "The bad start"},
	{"5-tempering.html", "Tempering and its ladder"},
	{"6-dreams.html", "RBMs and their samples"},
	{"7-one-run.html", "One run, seven estimators"},
	{"8-error-bars.html", "When is an error bar wrong?"},
	{"9-evidence.html", "Evidence: which model do the data prefer?"},
	{"10-pool.html", "How to pool results"},
	{"11-training.html", "Is the model getting better?"},
	{"12-resampling.html", "Resampling: drop light particles, copy heavy ones"},
	{"13-forming.html", "Digits form, pixel by pixel"},
	{"14-glass.html", "A sum of 2²⁵⁶ terms, exactly"},
	{"15-programs.html", "Your own program, and the price of a prior"},
	{"16-converged.html", "Has this estimate converged?"},
}

// LessonPage returns the path of a lesson page below site/lessons, in the given language if it is translated.
func LessonPage(name string, w *words.Language) string {
	if w.Lesson(name) != "" {
		return w.Lang + "/" + name
	}
	return name
}

// lessonPart returns the text between startMark and endMark on a lesson page. It removes attributes that only tests
// need, and ids, which could collide with ids of the lab.
func lessonPart(name string, w *words.Language, startMark, endMark string) string {
	page := w.Lesson(name)
	if page == "" {
		data, err := pages.Pages.ReadFile(name)
		if err != nil {
			panic(err) // it is compiled in
		}
		page = string(data)
	}
	_, s, _ := strings.Cut(page, startMark)
	s, _, _ = strings.Cut(s, endMark)
	for _, attribute := range []string{"id", "data-link", "data-quote", "data-says"} {
		parts := strings.Split(s, " "+attribute+`="`)
		for i := range parts[1:] {
			_, parts[i+1], _ = strings.Cut(parts[i+1], `"`)
		}
		s = strings.Join(parts, "")
	}
	return s
}

// LessonText returns the text of lesson k, without the still picture of its figure. Links to experiments open on this
// page; they end with linkEnd, which has the language and the theme of the user. Links to other pages begin with site,
// the address of the site.
func LessonText(k int, w *words.Language, linkEnd, site string) html.HTML {
	s := lessonPart(Lessons[k-1].Page, w, "</h1>", `<nav class="turn"`)
	before, after, _ := strings.Cut(s, "<div><img ")
	_, after, _ = strings.Cut(after, "</div>")
	s = before + after
	s = strings.ReplaceAll(s, "&amp;view.lang="+w.Lang, "")
	lesson := "&amp;view.lesson=" + strconv.Itoa(k)
	for _, up := range []string{`"../../index.html#`, `"../index.html#`} {
		s = strings.ReplaceAll(s, up, `"#`)
	}
	s = strings.ReplaceAll(s, lesson+`"`, lesson+linkEnd)
	s = strings.NewReplacer(`href="../../`, `href="`+site, `href="../`, `href="`+site, `href="glossary.html`,
		`href="`+site+"lessons/"+w.Lang+"/glossary.html").Replace(s)
	return html.HTML(strings.NewReplacer("<h2>", "<h3>", "</h2>", "</h3>").Replace(s))
}

// lesson is the pane of the lesson: a column beside the picture, on small screens a sheet over the lower half.
func (p *page) lesson() html.HTML {
	w, k := p.w, p.Settings.Lesson
	if k == 0 || p.Settings.Projector || p.Settings.Embed {
		return html.Tag(`aside id="lesson" hidden`)
	}
	fold, title := "fold", w.Phrase(Lessons[k-1].Title)
	if p.Lesson.Folded {
		fold = "unfold"
	}
	turn := []html.HTML{html.Button("quiet", "sheet", "lessons", html.Text(w.T("lessons.all")))}
	if k < len(Lessons) {
		turn = append(turn, html.El(`button type="button" class="primary" data-event="lesson"`,
			html.At("data-value", strconv.Itoa(k+1), "title", w.Phrase(Lessons[k].Title)), html.Text(w.T("lesson.next"))))
	}
	return html.El(`aside id="lesson" class="lesson-pane"`,
		html.At("aria-label", w.T("lesson.of", k, len(Lessons)), "data-lesson", fold),
		html.Tag(`div class="lesson-head"`, html.TagText(`p class="lesson-n"`, w.T("lesson.of", k, len(Lessons))),
			html.El(`button type="button" id="lesson-fold" class="quiet" data-event="fold" aria-controls="lesson-body"`,
				html.At("aria-expanded", html.Yes(!p.Lesson.Folded), "title", w.T("lesson."+fold)),
				html.Icon("i-caret", "i"), html.TagText(`span class="vh"`, w.T("lesson."+fold))),
			p.closeButton("quiet", "lesson")),
		html.El(`div id="lesson-body" class="page"`, html.At("hidden", html.When(p.Lesson.Folded), "data-key",
			strconv.Itoa(k)),
			html.TagText(`h2 id="lesson-title" tabindex="-1"`, title), p.Lesson.Text, html.Tag(`div class="turn"`, turn...)))
}

// lessonsSheet lists the lessons.
func (p *page) lessonsSheet() []html.HTML {
	items := []html.HTML{html.El("li", html.At("data-key", "lecture"), html.Button("", "sheet", "lecture",
		html.Text(p.w.T("lecture.title"))))}
	about := strings.Split(lessonPart("index.html", p.w, `<ol class="lessons">`, "</ol>"), "<li>")
	for i, l := range Lessons {
		_, summary, _ := strings.Cut(about[i+1], "<p>")
		summary, _, _ = strings.Cut(summary, "</p>")
		n := strconv.Itoa(i + 1)
		items = append(items, html.El("li", html.At("data-key", n), html.El(`button type="button" data-event="lesson"`,
			html.At("data-value", n, "aria-current", html.Yes(p.Settings.Lesson == i+1)), html.Text(n+"  "+p.w.Phrase(l.Title))),
			html.Tag(`span class="why"`, html.HTML(summary))))
	}
	home := p.Site("lessons/" + LessonPage("index.html", p.w))
	items = append(items, html.El("li", html.At("data-key", "broken"), html.Button("", "sheet", "broken",
		html.Text(p.w.T("broken")))))
	return []html.HTML{html.Tag(`ul class="choices"`, items...), html.El(`a class="why"`, html.At("href", home),
		html.Text(p.w.T("lessons.pages")))}
}
