// Package pagetest is what tests of the page share: a browser that keeps what it is told, and a desk with an experiment
// at which one part of the page is tested alone. Only tests import it.
package pagetest

import (
	"context"

	"logzlab/wasm/rooms/room"
)

// Host is a browser without a page. It keeps what it is told, and brings nothing by itself.
type Host struct {
	Clock   float64 // seconds
	Seed    uint32  // of Random
	Fetches []Fetch // that wait for an answer
	Todo    chan func()
	Server  room.Transport

	Spawned, Killed []int            // lane workers, as they came and went
	Posted          map[int][][]byte // messages to them
	Resets, Looks   int
	Stays           bool // the picture, at the last reset
	Copied, Kept    string
	Training        []byte            // that the browser keeps
	Downloads       []string          // files for the user: names, texts and drawings in turn
	Files           map[string][]byte // of a page that was saved as one file
	Told            []string          // to the page around this one: kinds of messages
	Orders          map[string][][]byte
	GoesOn          bool    // the last program that got an order keeps what it has
	Sorted          [][]int // which of the chosen files are samples, at each question
}

// Fetch asks for a file.
type Fetch struct {
	File  string
	Fresh bool
	Done  func([]byte, error)
}

// NewHost is a browser at some time.
func NewHost() *Host {
	return &Host{Clock: 100, Seed: 4242, Todo: make(chan func(), 1000), Server: Silent{}, Posted: map[int][][]byte{},
		Orders: map[string][][]byte{}}
}

// Silent is a server that never answers.
type Silent struct{}

// Send waits until nobody wants the answer any more.
func (Silent) Send(ctx context.Context, _ room.Request) (room.Response, error) {
	<-ctx.Done()
	return room.Response{}, ctx.Err()
}

// Answer gives a file, or an error, to the first that asked for it, and reports whether there was one.
func (h *Host) Answer(file string, data []byte, err error) bool {
	for i, f := range h.Fetches {
		if f.File == file {
			h.Fetches = append(h.Fetches[:i:i], h.Fetches[i+1:]...)
			f.Done(data, err)
			return true
		}
	}
	return false
}

// Spawn notes a lane worker that starts.
func (h *Host) Spawn(id int) { h.Spawned = append(h.Spawned, id) }

// Kill notes a lane worker that ends.
func (h *Host) Kill(id int) { h.Killed = append(h.Killed, id) }

// Post notes a message to a lane worker, in one piece.
func (h *Host) Post(id int, parts ...[]byte) {
	var msg []byte
	for _, p := range parts {
		msg = append(msg, p...)
	}
	h.Posted[id] = append(h.Posted[id], msg)
}

// View shows nothing, and nor do Frame, Field and Dreams.
func (h *Host) View([]byte)   {}
func (h *Host) Frame([]byte)  {}
func (h *Host) Field([]byte)  {}
func (h *Host) Dreams([]byte) {}

// Reset notes that the picture is cleared.
func (h *Host) Reset(stays bool) { h.Resets, h.Stays = h.Resets+1, stays }

// Look notes that the frames on show are wanted.
func (h *Host) Look() { h.Looks++ }

// Copy notes what the user takes away, as do Download, Picture, Film and Alone.
func (h *Host) Copy(text string)              { h.Copied = text }
func (h *Host) Download(name, _, text string) { h.Downloads = append(h.Downloads, name, text) }
func (h *Host) Picture(name, head, foot string) {
	h.Downloads = append(h.Downloads, name+"\n"+head+foot)
}
func (h *Host) Film(name, show string) { h.Downloads = append(h.Downloads, name+"\n"+show) }
func (h *Host) Alone(name, about string, files map[string][]byte) {
	h.Downloads, h.Files = append(h.Downloads, name+"\n"+about), files
}

// Parent notes what the page around this one is told.
func (h *Host) Parent(kind, _ string) { h.Told = append(h.Told, kind) }

// Now is what the test has set, and so is Random.
func (h *Host) Now() float64   { return h.Clock }
func (h *Host) Random() uint32 { return h.Seed }

// Fetch waits for Answer.
func (h *Host) Fetch(file string, fresh bool, done func([]byte, error)) {
	h.Fetches = append(h.Fetches, Fetch{File: file, Fresh: fresh, Done: done})
}

// Words has no translations of any language.
func (h *Host) Words(_ string, done func([]byte)) { done(nil) }

// Order notes an order to the compiler or the reader of samples.
func (h *Host) Order(role string, on bool, order []byte) {
	h.Orders[role], h.GoesOn = append(h.Orders[role], order), on
}

// Sort notes which of the chosen files are samples.
func (h *Host) Sort(_ int, samples, _ []int) { h.Sorted = append(h.Sorted, samples) }

// Rooms is the way to Server.
func (h *Host) Rooms() room.Transport { return h.Server }

// Do leaves it to whoever reads Todo.
func (h *Host) Do(f func()) { h.Todo <- f }

// Save has the browser keep a training; Saved and Keep are its store as well.
func (h *Host) Save(data []byte)             { h.Training = data }
func (h *Host) Saved(done func(data []byte)) { h.Do(func() { done(h.Training) }) }
func (h *Host) Keep(text string)             { h.Kept = text }
