package shared

import (
	"logzlab/wasm/page/workerpool"
	"logzlab/wasm/rooms/room"
)

// NotLoaded is the key of the event that the program of a worker could not be loaded.
const NotLoaded = "load"

// Host is the browser's page as the controller sees it. All calls return at once.
type Host interface {
	workerpool.Host
	View(json []byte)   // display this view
	Frame(b []byte)     // show these curves in the picture
	Field(b []byte)     // show this density behind them
	Reset(stays bool)   // clear the picture; with stays only when the next run has something to show
	HeroFrame(b []byte) // show these samples on the hero
	Copy(text string)   // copy to the clipboard
	Download(name, kind, text string)
	SavePicture(name, head, foot string) // save the picture as a file, between two SVG drawings
	SaveFilm(name, show string)          // save six seconds of the picture: show is film (GIF), video (WebM) or card (for Card)
	// SavePage saves the page as a single file that runs an experiment by itself. about is a SingleFile in JSON, files
	// are those of the model.
	SavePage(name, about string, files map[string][]byte)
	PostParent(kind, data string) // send to the embedding page: results as JSON, or an error as text
	RequestFrames()               // request the frames on show; the answer is Controller.ReceiveFrames
	Now() float64                 // seconds
	Random() uint32               // for new seeds
	// Fetch loads a file of the site, such as models/NAME, and calls done later; fresh bypasses all caches.
	Fetch(file string, fresh bool, done func([]byte, error))
	// Words loads the translations of a language: nil if unavailable, immediately if already loaded.
	Words(lang string, done func([]byte))
	// SendRequest sends a request to the worker of a role (workerapi.Compiler or workerapi.Reader). If on is
	// true, it goes to the worker of the previous request, which keeps its files; otherwise a new worker replaces that
	// worker. If order is nil, the worker is ended.
	SendRequest(role string, on bool, order []byte)
	// AnswerHeads answers question n about chosen files: samples go along with the next request, the others are
	// delivered as files, those in together as one (modelfile.Parts).
	AnswerHeads(n int, samples, together []int)
	Rooms() room.Transport // connection to the server of rooms
	Do(f func())           // run f soon in the controller's goroutine; any goroutine may call Do
	// StoreTraining stores a training in this browser, replacing the previous one; nil deletes it. LoadTraining loads
	// it, nil if there is none.
	StoreTraining(data []byte)
	LoadTraining(done func(data []byte))
	StoreText(text string) // store a text in this browser, for BrowserPage.Stored of the next start; "" deletes it
}
