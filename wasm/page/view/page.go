package view

import (
	"logzlab/core/runstate"
	"logzlab/core/words"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// page renders one view.
type page struct {
	*state.Snapshot
	w *words.Language
}

func newPage(s *state.Snapshot) *page { return &page{s, s.Words} }

// Parts returns the whole page as markup, by the DOM ids of its parts.
func Parts(s *state.Snapshot) map[string]html.HTML { return newPage(s).parts() }

func (p *page) parts() map[string]html.HTML {
	parts := map[string]html.HTML{
		"top": p.top(), "message": p.message(), "dropping": p.dropping(), "tour": p.tour(), "lesson": p.lesson(),
		"deck": p.slide(), "setup": p.setup(),
		"r-head": p.number(), "r-forest": p.forest(), "r-checks": p.checks(), "numbers": p.numbers(),
		"view": p.picture(), "transport": p.transport(), "sheet": p.sheetPart(),
		"summary": html.TagText(`p id="summary" class="vh" aria-live="polite"`, p.Summary),
	}
	if p.Hero.Shown {
		parts["hero"] = p.hero()
	}
	if p.Lecture.Notes {
		parts["notes"] = p.deckNotes()
	}
	return parts
}

// Title returns the title of a drawing of the experiment.
func Title(s *state.Snapshot) string { return newPage(s).cardTitle() }

// About describes the model, and says whether its exact log Z is known.
func About(s *state.Snapshot) string { return newPage(s).about() }

// Frame returns the drawings above and below a saved picture.
func Frame(s *state.Snapshot) (head, foot string) { return newPage(s).frame() }

// Chart returns the experiment as an SVG drawing.
func Chart(s *state.Snapshot) string { return newPage(s).chart() }

// Cells returns the results of a method as text, by column.
func Cells(s *state.Snapshot, r *report.Report) map[string]Cell { return newPage(s).cells(r) }

// Notes returns the remarks on a method's result that a reader must know.
func Notes(s *state.Snapshot, r *report.Report) []string { return newPage(s).notes(r) }

// Progress returns the share of the work that is done, 0 to 1.
func Progress(s *state.Snapshot) float64 {
	share, _, _ := newPage(s).progress()
	return share
}

// Hero returns the hero, the first page, as it is before the visitor draws.
func Hero(w *words.Language) html.HTML {
	return newPage(&state.Snapshot{Appearance: state.Appearance{Words: w},
		Hero: state.Hero{Shown: true, Odds: state.HeroResult}, Shell: true}).hero()
}

// Shell returns the lab before anything is computed, as index.html contains it.
func Shell(lang string) map[string]html.HTML {
	s := &state.Snapshot{Appearance: state.Appearance{Words: words.New(lang)}, Run: state.Run{State: runstate.Loading},
		Canvas: state.Canvas{State: state.CanvasNone}, Shell: true}
	s.Spec = s.Draft()
	return Parts(s)
}
