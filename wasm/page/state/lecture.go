package state

import "logzlab/wasm/page/deck"

// Lecture is the lecture on show, or the errors in a lecture file.
type Lecture struct {
	Deck           *deck.Deck // nil if none is on show
	Revealed       bool       // the picture is on show, not the question
	Notes          bool       // the window with the notes is open
	Blank          bool       // the screen is black
	ElapsedSeconds int        // since the end of the first step
	Faults         []deck.Fault
	FaultyFile     string // the file with the faults
}

// Lecturing reports whether the page shows a lecture, or is loading one.
func (s *Snapshot) Lecturing() bool { return s.Settings.Deck != "" }

// DeckView returns the settings that stay the same from step to step.
func (s Settings) DeckView() Settings {
	return Settings{Deck: s.Deck, Step: s.Step, Theme: s.Theme, Lang: s.Lang, Projector: s.Projector}
}
