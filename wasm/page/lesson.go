package page

import (
	"strconv"

	"logzlab/core/words"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// lessonPane is the lesson beside the experiment. It does not depend on the experiment.
type lessonPane struct {
	state.Lesson
	textKey string // key of the current text: lesson, language and theme
}

// open loads the text of lesson k if necessary.
func (b *lessonPane) open(k int, w *words.Language, settings state.Settings, site string) {
	linkEnd := html.Escape(state.Settings{Theme: settings.Theme, Lang: settings.Lang}.Link()) + `"`
	if key := strconv.Itoa(k) + w.Lang + linkEnd; b.textKey != key {
		b.textKey, b.Text = key, view.LessonText(k, w, linkEnd, site)
	}
}

// openLesson shows the lesson with the number value, or none for "0" or "". The experiment stays. The browser's Back
// button returns to the previous lesson.
func (c *Controller) openLesson(value string) {
	k, _ := strconv.Atoi(value)
	if c.Settings.Lesson == k || k < 0 || k > len(view.Lessons) {
		return
	}
	c.Settings.Lesson, c.Settings.Tour, c.Settings.Projector, c.lesson.Folded, c.Panels.Sheet = k, 0, false, false, ""
	c.Address.Entry++
	if c.Repaint.Focus = "lesson-title"; k == 0 {
		c.Repaint.Focus = "lessons menu" // whichever is shown
	}
}
