package state

import "logzlab/wasm/page/deck"

// Lecture is a deck on show, or what is wrong in the file of one.
type Lecture struct {
	Deck     *deck.Deck // nil: none is on show
	Revealed bool       // the picture is on show, and no question
	Notes    bool       // the window with the notes is open
	Seconds  int        // since the first step was left
	Faults   []deck.Fault
	File     string // in which they are
}

// Lecturing reports whether the page is a deck, or is about to be one.
func (s *Snapshot) Lecturing() bool { return s.Settings.Deck != "" }

// DeckView is the part of the settings that stays from step to step.
func (s Settings) DeckView() Settings {
	return Settings{Deck: s.Deck, Step: s.Step, Theme: s.Theme, Lang: s.Lang, Projector: s.Projector}
}
