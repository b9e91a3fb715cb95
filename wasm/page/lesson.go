package page

import (
	"strconv"

	"logzlab/core/words"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// lessonPane is the lesson beside the experiment. It must not know the experiment.
type lessonPane struct {
	state.Lesson
	made string // key of the current text: lesson, language and theme
}

// open loads the text of lesson k if necessary.
func (b *lessonPane) open(k int, w *words.Language, shown state.Settings, site string) {
	keep := html.Escape(state.Settings{Theme: shown.Theme, Lang: shown.Lang}.Link()) + `"`
	if made := strconv.Itoa(k) + w.Lang + keep; b.made != made {
		b.made, b.Text = made, view.LessonText(k, w, keep, site)
	}
}

// openLesson shows the lesson of a number, or none, and keeps the experiment. Back returns to the previous lesson.
func (c *Controller) openLesson(value string) {
	k, _ := strconv.Atoi(value)
	if c.Settings.Lesson == k || k < 0 || k > len(view.Lessons) {
		return
	}
	c.Settings.Lesson, c.Settings.Tour, c.Settings.Projector, c.booklet.Folded, c.Panels.Sheet = k, 0, false, false, ""
	c.Address.Entry++
	if c.Repaint.Focus = "lesson-title"; k == 0 {
		c.Repaint.Focus = "lessons menu" // whichever is shown
	}
}
