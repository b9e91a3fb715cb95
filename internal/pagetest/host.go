// Package pagetest has helpers for tests of the page: Host, a browser that records all calls, and Lab, the context of one
// package of the page with an experiment. Only tests import it.
package pagetest

import (
	"context"

	"logzlab/wasm/rooms/room"
)

// Host stands for the browser. It records calls and does nothing else, except where a method says so.
type Host struct {
	Clock   float64 // time in seconds
	Seed    uint32  // result of Random
	Fetches []Fetch // pending requests
	Queue   chan func()
	Server  room.Transport

	Spawned, Killed       []int            // lane workers, in order
	Posted                map[int][][]byte // messages to lane workers
	Resets, FrameRequests int
	Stays                 bool // argument stays of the last Reset
	Copied, StoredText    string
	Training              []byte            // the stored training
	Downloads             []string          // saved files: name and contents
	Files                 map[string][]byte // argument files of the last SavePage
	ParentMessages        []string          // kinds of messages to the embedding page
	Orders                map[string][][]byte
	ReusedWorker          bool    // argument reused of the last SendRequest
	SampleIndices         [][]int // argument samples of each AnswerHeads
}

// Fetch is a request for a file.
type Fetch struct {
	File  string
	Fresh bool
	Done  func([]byte, error)
}

// NewHost returns a host at time 100 s with a server that never answers.
func NewHost() *Host {
	return &Host{Clock: 100, Seed: 4242, Queue: make(chan func(), 1000), Server: Silent{}, Posted: map[int][][]byte{},
		Orders: map[string][][]byte{}}
}

// Silent is a server that never answers.
type Silent struct{}

// Send waits until ctx ends.
func (Silent) Send(ctx context.Context, _ room.Request) (room.Response, error) {
	<-ctx.Done()
	return room.Response{}, ctx.Err()
}

// Answer answers the first pending request for a file, and reports whether there was one.
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

// Spawn records a started lane worker.
func (h *Host) Spawn(id int) { h.Spawned = append(h.Spawned, id) }

// Kill records an ended lane worker.
func (h *Host) Kill(id int) { h.Killed = append(h.Killed, id) }

// Post records a message to a lane worker, in one piece.
func (h *Host) Post(id int, parts ...[]byte) {
	var msg []byte
	for _, p := range parts {
		msg = append(msg, p...)
	}
	h.Posted[id] = append(h.Posted[id], msg)
}

// View does nothing, as do Frame, Field and HeroFrame.
func (h *Host) View([]byte)      {}
func (h *Host) Frame([]byte)     {}
func (h *Host) Field([]byte)     {}
func (h *Host) HeroFrame([]byte) {}

// Reset records the request to clear the picture.
func (h *Host) Reset(stays bool) { h.Resets, h.Stays = h.Resets+1, stays }

// RequestFrames counts requests for frames.
func (h *Host) RequestFrames() { h.FrameRequests++ }

// Copy records a copied text; Download, SavePicture, SaveFilm and SavePage record saved files.
func (h *Host) Copy(text string)              { h.Copied = text }
func (h *Host) Download(name, _, text string) { h.Downloads = append(h.Downloads, name, text) }
func (h *Host) SavePicture(name, head, foot string) {
	h.Downloads = append(h.Downloads, name+"\n"+head+foot)
}
func (h *Host) SaveFilm(name, show string) { h.Downloads = append(h.Downloads, name+"\n"+show) }
func (h *Host) SavePage(name, about string, files map[string][]byte) {
	h.Downloads, h.Files = append(h.Downloads, name+"\n"+about), files
}

// PostParent records messages to the embedding page.
func (h *Host) PostParent(kind, _ string) { h.ParentMessages = append(h.ParentMessages, kind) }

// Now and Random return what the test has set.
func (h *Host) Now() float64   { return h.Clock }
func (h *Host) Random() uint32 { return h.Seed }

// Fetch records a request, which waits for Answer.
func (h *Host) Fetch(file string, fresh bool, done func([]byte, error)) {
	h.Fetches = append(h.Fetches, Fetch{File: file, Fresh: fresh, Done: done})
}

// Words has no translations.
func (h *Host) Words(_ string, done func([]byte)) { done(nil) }

// SendRequest records a request to the compiler or the reader of samples.
func (h *Host) SendRequest(role string, on bool, order []byte) {
	h.Orders[role], h.ReusedWorker = append(h.Orders[role], order), on
}

// AnswerHeads records which of the chosen files are samples.
func (h *Host) AnswerHeads(_ int, samples, _ []int) {
	h.SampleIndices = append(h.SampleIndices, samples)
}

// Rooms returns Server.
func (h *Host) Rooms() room.Transport { return h.Server }

// Do appends f to Queue; Lab.RunQueued calls it.
func (h *Host) Do(f func()) { h.Queue <- f }

// StoreTraining stores a training in the field Training.
func (h *Host) StoreTraining(data []byte) { h.Training = data }

// LoadTraining passes on the stored training.
func (h *Host) LoadTraining(done func(data []byte)) { h.Do(func() { done(h.Training) }) }

// StoreText stores a text in the field StoredText.
func (h *Host) StoreText(text string) { h.StoredText = text }
