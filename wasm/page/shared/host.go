package shared

import (
	"logzlab/wasm/page/workerpool"
	"logzlab/wasm/rooms/room"
)

// NotLoaded is the key of the event that a program of its own did not come.
const NotLoaded = "load"

// Host is what the controller needs of the page. All calls return at once.
type Host interface {
	workerpool.Host
	View(json []byte) // paint this
	Frame(b []byte)   // show these curves
	Field(b []byte)   // and this density behind them
	Reset(stays bool) // clear the picture, or let it stay until the next run has rows to show
	Dreams(b []byte)  // show these at the hero
	Copy(text string) // put text on the clipboard
	Download(name, kind, text string)
	Picture(name, head, foot string) // let the user keep the picture as this file, between two drawings in SVG
	Film(name, show string)          // let the user keep six seconds of it: film (GIF) or video (WebM); card: for Card
	// Alone lets the user keep the page as one file that runs an experiment by itself, described in JSON, with the
	// files of its model.
	Alone(name, about string, files map[string][]byte)
	Parent(kind, data string) // tell the page that embeds this one: results as JSON, an error as text
	Look()                    // answer with the frames on show, by Looked
	Now() float64             // seconds
	Random() uint32           // for new seeds
	// Fetch loads a file of the site, as models/NAME, and calls done later; fresh asks the server and no cache.
	Fetch(file string, fresh bool, done func([]byte, error))
	// Words brings the translations of a language, nil if it cannot be had, at once if it is here.
	Words(lang string, done func([]byte))
	// Order gives an order to a program of its own, stan or court: to the worker that has done one before, if it goes on,
	// or else to a new one in its place. nil ends it.
	Order(role string, on bool, order []byte)
	// Sort tells which of the files that were chosen go along with the next order; the others come as files, some of
	// them as one (modelfile.Parts).
	Sort(n int, samples, together []int)
	Rooms() room.Transport // to the server of rooms
	Do(f func())           // have the controller's goroutine do it soon; any goroutine may call this
	// Save keeps a training in this browser, in place of the one before; nil forgets it. Saved gives it back, nil where
	// there is none.
	Save(data []byte)
	Saved(done func(data []byte))
	Keep(text string) // keep a text in this browser, for Page.Kept of the next start; "" forgets the text
}
