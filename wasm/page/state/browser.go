package state

// Event is something the user did. N counts events; a view says which it has
// seen.
type Event struct {
	Name, Value, Key string
	On, Hidden       bool
	Enter            bool // by the Enter key; of a slider: it was let go
	N                int
}

// Page describes the browser's page when the controller starts.
type Page struct {
	Link, Base, Query, Language string
	Dark, Still                 bool
	Alone                       bool   // it is a file by itself; Base is the lab's address
	Rooms                       bool   // the server offers rooms
	Kept                        string // what a host's page kept
	Machine                     string // random, of this tab; "": none was made
}
