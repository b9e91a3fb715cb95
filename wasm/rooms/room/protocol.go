// Package room lets a class compute one experiment together. The experiment has R independent replicates. A host opens a
// room on a server (wasm/rooms/edge), which is a mailbox: it hands out the numbers of replicates, keeps results, presence and
// votes, and never computes. A device asks for a number, computes that whole replicate by the ordinary code, and gives
// its outcome back. The host pools the R outcomes into the report, with the same hash, that one machine alone would get.
//
// protocol.go has the messages and limits, client.go the calls, http.go the native transport, device.go the loop of a
// device, host.go how a host gathers and verifies outcomes, and share.go short links.
//
// The package knows neither models nor methods: an outcome is bytes, which a callback computes or takes.
package room

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"logzlab/core/problem"
)

// API is the version of the protocol. A client of another version is told to reload.
const API = 3

// Build names what makes the digits of this program: build.sh sets it to a hash of the sources of core, models,
// estimators and this package, so it is the same natively and in a browser.
var Build = "unknown"

// Limits of a room.
const (
	MaxBody       = 1 << 20        // bytes of a request, and so of an outcome
	PartSize      = MaxBody - 4096 // bytes of each part of a file but the last
	MaxParts      = 64             // of a file
	MaxReplicates = 10_000         // of a run
	MaxDevices    = 2000
	MaxLink       = 20_000
	MaxBoard      = 64 << 10

	MaxSteps   = 60 // of a lecture, each of which may ask a question
	MaxAnswers = 4  // to a question
	RemoteStep = 0  // not a step of a lecture: its counts say how often the remote was pressed, back and on
)

// Headers of requests.
const (
	HeaderDevice = "Logz-Device" // the random id of a device
	HeaderBuild  = "Logz-Build"
	HeaderAPI    = "Logz-Api"
)

// Meta is the answer of api/meta: that there are rooms here, and of which build its page is.
type Meta struct {
	API   int      `json:"api"`
	Build string   `json:"build"`
	At    []string `json:"at,omitempty"` // addresses at which other machines reach the server, if it knows them
}

// Opened is the answer to a host that opens a room: the code that everybody may know, and the token that only the host
// has.
type Opened struct {
	Code  string `json:"code"`
	Token string `json:"token"`
}

// Info is what anybody with the code may know of a room.
type Info struct {
	Code   string `json:"code"`
	Closed bool   `json:"closed"`
	Ends   int64  `json:"ends"`          // when the server forgets the room, in Unix seconds
	Board  string `json:"board"`         // what the host last told all, a text
	Run    *Run   `json:"run,omitempty"` // the last run, nil before the first
}

// Run is one experiment that the room computes. A room has one run at a time.
type Run struct {
	ID         int    `json:"id"` // counts the runs of the room from 1; the server sets it
	Build      string `json:"build"`
	Link       string `json:"link"` // canonical, without #
	Replicates int    `json:"replicates"`
	Files      []File `json:"files,omitempty"` // of an own model, which the host gave before
	Done       int    `json:"done"`            // replicates that have a result
	Over       bool   `json:"over"`            // nothing is handed out any more
}

// File is a file of an own model, of so many parts.
type File struct {
	Name  string `json:"name"`
	Parts int    `json:"parts"`
}

// Task is the answer to a device that asks for work.
type Task struct {
	Index int `json:"index"` // the replicate to compute, from 1; 0: none now
	Wait  int `json:"wait"`  // milliseconds until it may ask again, if there is none
}

// Result is an outcome that a device gave. The body comes with the first result of a replicate; those of other devices
// confirm it, or do not, by their hashes.
type Result struct {
	Seq    int    `json:"seq"` // counts the results of the server
	Index  int    `json:"index"`
	Device string `json:"device"`
	Hash   string `json:"hash"` // Sum of the outcome
	Body   []byte `json:"body,omitempty"`
}

// Results are those that came since the host last asked.
type Results struct {
	Wait    int      `json:"wait"` // milliseconds until it may ask again
	Mean    int      `json:"mean"` // milliseconds that a replicate of the run takes a device, 0: not known
	Results []Result `json:"results"`
}

// Device is one that was seen in the room.
type Device struct {
	ID     string `json:"id"`
	Joined int64  `json:"joined"` // Unix seconds
	Seen   int64  `json:"seen"`
	Given  int    `json:"given"` // results that were the first of their replicate, or equal to the first
	Out    bool   `json:"out"`   // left out, because a result was wrong
}

// Votes are the counts of a question by its answers, MaxAnswers of them.
type Votes struct {
	Counts []float64 `json:"counts"`
}

// Failure is an error as it is sent: its text, and its code and arguments (core/problem), so that it can be translated.
type Failure struct {
	Error string   `json:"error"`
	Code  string   `json:"code"`
	Args  []string `json:"args"`
}

// NewFailure is an error in the form in which it is sent.
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

// Err is the error that was sent, or nil if it is damaged.
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

// OtherBuild is the error of a device whose program is not that of the host: it might compute other digits.
func OtherBuild(host, device string) error {
	return problem.New("the run was started by build %s of the lab, and this is build %s: load the page again, or take "+
		"the same version of the program on both machines", host, device)
}

// alphabet has the letters of codes: none looks like another.
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

// codeLetters is the length of a code: 31^8 codes, of which a server has at most some thousand.
const codeLetters = 8

// NewCode is a random code of a room.
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

// IsCode reports whether a text may be a code.
func IsCode(s string) bool { return len(s) == codeLetters && strings.Trim(s, alphabet) == "" }

// NewSecret is a random id of a device, or a token of a host: 128 bits.
func NewSecret() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// IsID reports whether a text may be the id of a device.
func IsID(s string) bool { return len(s) == 32 && strings.Trim(s, "0123456789abcdef") == "" }

// ID names bytes by 128 bits of their hash.
func ID(pieces ...[]byte) string {
	h := sha256.New()
	for _, p := range pieces {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Sum is the hash of an outcome.
func Sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// Remote is the token of a remote control: it may turn the steps of a lecture, and nothing else. It follows from the sum
// of the host's token, so the server knows it without keeping it.
func Remote(tokenSum string) string { return Sum([]byte("remote " + tokenSum)) }

// Parts cuts a file for sending; there is at least one part.
func Parts(b []byte) (parts [][]byte) {
	for len(b) > PartSize {
		parts, b = append(parts, b[:PartSize]), b[PartSize:]
	}
	return append(parts, b)
}

// Link is the address of a room's page, which everybody may open.
func Link(base, code string) string { return strings.TrimSuffix(base, "/") + "/#room=" + code }

// ReadLink takes the address and the code of a room apart. View settings that follow are left out.
func ReadLink(link string) (base, code string, err error) {
	base, code, ok := strings.Cut(link, "#room=")
	code, view, viewed := strings.Cut(code, "&")
	ok, code = ok && (!viewed || strings.HasPrefix(view, "view.")), strings.ToUpper(code)
	if !ok || !IsCode(code) || !strings.HasPrefix(base, "http://") && !strings.HasPrefix(base, "https://") {
		return "", "", problem.New("%q is no link to a room; it looks like http://host:8080/#room=ABCDEFGH", link)
	}
	return strings.TrimSuffix(base, "/") + "/", code, nil
}
