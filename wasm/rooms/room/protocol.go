// Package room lets many devices compute one experiment together. The experiment has R independent replicates. A host
// opens a room on a server (wasm/rooms/edge). The server hands out the numbers of replicates and stores results,
// devices and votes; it computes nothing. A device takes a number, computes the whole replicate, and sends its outcome.
// The host folds the R outcomes into the report, which is the same, with the same hash, as from a single computer.
//
// protocol.go has the messages and limits, client.go the requests, http.go the native transport, device.go the loop of
// a device, host.go the collection and verification of outcomes, and share.go short links.
//
// The package must not depend on models or methods: an outcome is bytes that callbacks compute and use.
package room

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"logzlab/core/problem"
)

// API is the version of the protocol. The server refuses clients of other versions.
const API = 3

// Build identifies the code that determines results: build.sh sets it to a hash of the sources of core, models,
// estimators and this package, so it is the same natively and in a browser.
var Build = "unknown"

// Limits of a room.
const (
	MaxBody       = 1 << 20        // bytes of a request, and hence of an outcome
	PartSize      = MaxBody - 4096 // bytes of each part of a file except the last
	MaxParts      = 64             // of a file
	MaxReplicates = 10_000         // of a run
	MaxDevices    = 2000
	MaxLink       = 20_000
	MaxBoard      = 64 << 10

	MaxSteps   = 60 // of a lecture, each of which may have a question
	MaxAnswers = 4  // to a question
	RemoteStep = 0  // not a step: its counts are the presses of the remote control, back and forward
)

// Headers of requests.
const (
	HeaderDevice = "Logz-Device" // the random id of a device
	HeaderBuild  = "Logz-Build"
	HeaderAPI    = "Logz-Api"
)

// Meta is the response of api/meta, which shows that the server offers rooms.
type Meta struct {
	API   int      `json:"api"`
	Build string   `json:"build"`
	At    []string `json:"at,omitempty"` // addresses at which other computers reach the server, if known
}

// Opened is the response to a host that opens a room: the public code, and the secret token of the host.
type Opened struct {
	Code  string `json:"code"`
	Token string `json:"token"`
}

// Info is the public state of a room.
type Info struct {
	Code   string `json:"code"`
	Closed bool   `json:"closed"`
	Ends   int64  `json:"ends"`          // time at which the server deletes the room, in Unix seconds
	Board  string `json:"board"`         // text set by Owner.SetBoard
	Run    *Run   `json:"run,omitempty"` // the current or last run, or nil
}

// Run is an experiment that a room computes. A room has one run at a time.
type Run struct {
	ID         int    `json:"id"` // number of the run in the room, from 1; set by the server
	Build      string `json:"build"`
	Link       string `json:"link"` // canonical, without #
	Replicates int    `json:"replicates"`
	Files      []File `json:"files,omitempty"` // model files, which the host has uploaded before
	Done       int    `json:"done"`            // replicates that have a result
	Over       bool   `json:"over"`            // no more replicates are handed out
}

// File is a model file and the number of its parts.
type File struct {
	Name  string `json:"name"`
	Parts int    `json:"parts"`
}

// Task is the response to a device that takes a replicate.
type Task struct {
	Index int `json:"index"` // the replicate to compute, from 1, or 0 if there is none now
	Wait  int `json:"wait"`  // milliseconds until the next request, if Index is 0
}

// Result is an outcome of a device. Only the first result of a replicate has a body; other results confirm or
// contradict it by their hashes.
type Result struct {
	Seq    int    `json:"seq"` // number of the result on the server
	Index  int    `json:"index"`
	Device string `json:"device"`
	Hash   string `json:"hash"` // Sum of the outcome
	Body   []byte `json:"body,omitempty"`
}

// Results are the results since the last request of the host.
type Results struct {
	Wait    int      `json:"wait"` // milliseconds until the next request
	Mean    int      `json:"mean"` // mean time of a replicate on a device, in milliseconds; 0 if unknown
	Results []Result `json:"results"`
}

// Device is a device that has joined the room.
type Device struct {
	ID       string `json:"id"`
	Joined   int64  `json:"joined"` // Unix seconds
	Seen     int64  `json:"seen"`
	Given    int    `json:"given"` // results that were the first of their replicate or equal to it
	Excluded bool   `json:"out"`   // because a result was wrong
}

// Votes are the counts of each of the MaxAnswers answers to a question.
type Votes struct {
	Counts []float64 `json:"counts"`
}

// Failure is an encoded error: its text, and its code and arguments (core/problem), so that it can be translated.
type Failure struct {
	Error string   `json:"error"`
	Code  string   `json:"code"`
	Args  []string `json:"args"`
}

// NewFailure encodes an error.
func NewFailure(err error) Failure {
	f := Failure{Error: err.Error(), Code: err.Error(), Args: []string{}}
	if p, ok := err.(*problem.Error); ok {
		f.Code = p.Code
		for _, a := range p.Args {
			if e, ok := a.(error); ok {
				a = e.Error()
			}
			f.Args = append(f.Args, a.(string))
		}
	}
	return f
}

// Err decodes the error. It returns nil if f is damaged.
func (f Failure) Err() error {
	if f.Code == "" || problem.Placeholders(f.Code) != len(f.Args) {
		return nil
	}
	p := &problem.Error{Code: f.Code}
	for _, a := range f.Args {
		p.Args = append(p.Args, a)
	}
	return p
}

// BuildMismatch returns the error of a device whose build differs from the host's, because its results might differ.
func BuildMismatch(host, device string) error {
	return problem.New("the run was started by build %s of the lab, and this is build %s: load the page again, or take "+
		"the same version of the program on both computers", host, device)
}

// alphabet has the letters of codes, without letters that look alike.
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

// codeLetters is the length of a code. There are 31^8 codes, and a server has at most some thousand rooms.
const codeLetters = 8

// NewCode returns a random code of a room.
func NewCode() string {
	b := make([]byte, 0, codeLetters)
	for len(b) < codeLetters {
		var x [1]byte
		rand.Read(x[:])
		if n := int(x[0] & 31); n < len(alphabet) {
			b = append(b, alphabet[n])
		}
	}
	return string(b)
}

// IsCode reports whether s has the form of a code.
func IsCode(s string) bool { return len(s) == codeLetters && strings.Trim(s, alphabet) == "" }

// NewSecret returns a random id of a device or token of a host, with 128 bits.
func NewSecret() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// IsID reports whether s has the form of an id of a device.
func IsID(s string) bool { return len(s) == 32 && strings.Trim(s, "0123456789abcdef") == "" }

// ID returns the first 128 bits of the SHA-256 of the pieces, in hexadecimal.
func ID(pieces ...[]byte) string {
	h := sha256.New()
	for _, p := range pieces {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Sum returns the SHA-256 of b, in hexadecimal.
func Sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// Remote returns the token of a remote control, which can only turn the steps of a lecture. It is derived from the hash
// of the host's token, so the server need not store it.
func Remote(tokenSum string) string { return Sum([]byte("remote " + tokenSum)) }

// Parts splits a file into at least one part.
func Parts(b []byte) (parts [][]byte) {
	for len(b) > PartSize {
		parts, b = append(parts, b[:PartSize]), b[PartSize:]
	}
	return append(parts, b)
}

// Link returns the public address of the page of a room.
func Link(base, code string) string { return strings.TrimSuffix(base, "/") + "/#room=" + code }

// ReadLink splits the link of a room into the address of its server and its code. View settings are ignored.
func ReadLink(link string) (base, code string, err error) {
	base, code, ok := strings.Cut(link, "#room=")
	code, view, hasSuffix := strings.Cut(code, "&")
	ok, code = ok && (!hasSuffix || strings.HasPrefix(view, "view.")), strings.ToUpper(code)
	if !ok || !IsCode(code) || !strings.HasPrefix(base, "http://") && !strings.HasPrefix(base, "https://") {
		return "", "", problem.New("%q is no link to a room; it looks like http://host:8080/#room=ABCDEFGH", link)
	}
	return strings.TrimSuffix(base, "/") + "/", code, nil
}
