package state

// Event is a user action. N counts events; a view names the last event that it includes.
type Event struct {
	Name, Value, Key string
	On, Hidden       bool
	Enter            bool // by the Enter key; for a slider: it was released
	N                int
}

// BrowserPage describes the browser's page at the start of the controller.
type BrowserPage struct {
	Link, Base, Query, Language string
	Dark, ReducedMotion         bool
	SingleFile                  bool   // the page is a single file; Base is the address of the lab
	Rooms                       bool   // the server offers rooms
	StoredRoom                  string // state of a room that this browser stored
	TabID                       string // random id of this tab, or ""
}
