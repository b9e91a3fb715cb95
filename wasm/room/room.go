package room

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"logzlab/core/problem"
	"logzlab/core/wire"
)

// API is the version of the protocol.
const API = 2

// Build names what makes the digits of this program: build.sh sets it to a hash of the sources of core, models,
// estimators and this package, so it is the same natively and in a browser.
var Build = "unknown"

// Limits of a room.
const (
	MaxBody   = 1 << 20        // bytes of a request
	PartSize  = MaxBody - 4096 // of each part of what is larger, but the last
	MaxParts  = 64
	MaxUnits  = 100_000
	MaxBatch  = 100 // units in a request
	MaxDevice = 10_000
	MaxLink   = 20_000
	MaxBoard  = 64 << 10

	MaxSteps   = 60 // of a lecture, each of which may ask
	MaxAnswers = 4  // to a question
	RemoteStep = 0  // which is none of a lecture, has the counts of its remote: back and on
)

// OneIn is the share of units that another machine computes as well: one unit in OneIn.
const OneIn = 20

// LongestWait is how long a device is told to wait at most.
const LongestWait = 4 * time.Second

// Headers of requests.
const (
	HeaderDevice = "Logz-Device" // random id of a device
	HeaderBuild  = "Logz-Build"
)

// Machine is what the ids of devices of one machine begin with, and is known to the host and the server only. A machine
// does not confirm its own results.
func Machine(device string) string { return device[:min(len(device), 16)] }

// Alias names a machine to all, and does not let them join as it.
func Alias(device string) string { return Sum([]byte(Machine(device)))[:16] }

// NewDevice is the id of one more device of a machine.
func NewDevice(machine string) string { return Machine(machine) + NewSecret()[16:] }

// Meta is the answer of api/meta: that there are rooms here, and of which build its page is.
type Meta struct {
	API   int      `json:"api"`
	Build string   `json:"build"`
	At    []string `json:"at,omitempty"` // addresses at which other machines reach the server, if it knows them
}

// Setup is what a host says of its room when it opens one.
type Setup struct {
	Build string   `json:"build"`
	Link  string   `json:"link"` // canonical, without #
	Files []string `json:"files,omitempty"`
}

// Opened is the answer: the code that everybody may know, and the token that only the host has.
type Opened struct {
	Code  string `json:"code"`
	Token string `json:"token"`
}

// Info is what anybody with the code may know of a room.
type Info struct {
	Code    string `json:"code"`
	Build   string `json:"build"`
	Link    string `json:"link"`
	Files   []File `json:"files"` // of an own model, that the host has given
	Opened  int64  `json:"opened"`
	Ends    int64  `json:"ends"` // Unix seconds
	Closed  bool   `json:"closed"`
	Devices int    `json:"devices"`
	Units   int    `json:"units"` // put so far
	Done    int    `json:"done"`
	Looks   int    `json:"looks"` // units that another machine is to compute as well
	Board   string `json:"board"` // what the host last told all, text
}

// File is a file in a room, of so many parts.
type File struct {
	Name  string `json:"name"`
	Parts int    `json:"parts"`
}

// Told is what the board of a class says to its devices. A class has a room that outlives its runs: each run is
// computed in a room of its own. Other rooms are of one run.
type Told struct {
	Class bool   `json:"class"`
	Run   string `json:"run"` // the code of the room of the run under way, "" if there is none
}

// ReadTold takes what the board of a room says to devices.
func ReadTold(board string) (t Told) {
	_ = json.Unmarshal([]byte(board), &t) // of a room without a class it is any text
	return t
}

// Votes are the counts of a question, by its answers.
type Votes struct {
	Counts []float64 `json:"counts"`
}

// Device is one of those that joined.
type Device struct {
	ID     string `json:"id"`
	Joined int64  `json:"joined"`
	Seen   int64  `json:"seen"`
	Given  int    `json:"given"` // results
	Out    bool   `json:"out"`
}

// Failure is an error as it is sent: its text, and its code and arguments (core/problem).
type Failure struct {
	Error string   `json:"error"`
	Code  string   `json:"code"`
	Args  []string `json:"args"`
}

// Failed is the error in a form to be sent.
func Failed(err error) Failure {
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

// Err is the error that was sent, to be translated; nil if it is damaged.
func (f Failure) Err() error {
	if f.Code == "" || problem.Places(f.Code) != len(f.Args) {
		return nil
	}
	p := &problem.Error{Code: f.Code}
	for _, a := range f.Args {
		p.Args = append(p.Args, a)
	}
	return p
}

// alphabet has the letters of codes: none looks like another.
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

// Letters of a code: 30 bits, or 40 for a room with files.
const ShortCode, LongCode = 6, 8

// NewCode is a random code of a room.
func NewCode(letters int) string {
	b := make([]byte, 0, letters)
	for len(b) < letters {
		var x [1]byte
		rand.Read(x[:])
		if n := int(x[0] & 31); n < len(alphabet) {
			b = append(b, alphabet[n])
		}
	}
	return string(b)
}

// IsCode reports whether a text may be a code.
func IsCode(s string) bool {
	return (len(s) == ShortCode || len(s) == LongCode) && strings.Trim(s, alphabet) == ""
}

// NewSecret is a random id of a device, or a host's token: 128 bits.
func NewSecret() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// IsID reports whether a text may be the id of a device, a unit or a round.
func IsID(s string) bool {
	return len(s) == 32 && strings.Trim(s, "0123456789abcdef") == ""
}

// ID names bytes by their hash: equal rounds and equal units have equal ids, whenever and by whom they are made.
func ID(pieces ...[]byte) string {
	h := sha256.New()
	for _, p := range pieces {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Parts cuts bytes for sending; there is at least one part.
func Parts(b []byte) (parts [][]byte) {
	for len(b) > PartSize {
		parts, b = append(parts, b[:PartSize]), b[PartSize:]
	}
	return append(parts, b)
}

// Digest is the hash of what has these parts, from the hashes of each.
func Digest(sums []string) string {
	if len(sums) == 1 {
		return sums[0]
	}
	return Sum([]byte(strings.Join(sums, "")))
}

// Sum is the hash of one part.
func Sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// Remote is the token of a remote: of all that the host may do, only turning the steps of a lecture. It is made of the
// sum of the host's token, so that the server knows it without keeping it.
func Remote(sum string) string { return Sum([]byte("remote " + sum)) }

// Kinds of results.
const (
	KindDone  = 'D' // the bytes of engine.Result
	KindError = 'E' // the unit failed: those of wire.Writer.Problem
)

// CheckResult refuses what cannot be a result; what its numbers are is seen by the fold and by checks.
func CheckResult(b []byte) error {
	if len(b) == 0 {
		return problem.New("the result of the unit is empty")
	}
	r := wire.Reader{B: b[1:]}
	switch b[0] {
	case KindDone:
		r.Bytes() // the partial, which may be empty
		r.Bool()
		r.Bytes()
	case KindError:
		r.B = nil
		if len(b) > 4096 {
			return problem.New("the result of the unit is damaged")
		}
	default:
		return problem.New("the result of the unit is damaged")
	}
	if r.Err != nil || len(r.B) > 0 {
		return problem.New("the result of the unit is damaged")
	}
	return nil
}
