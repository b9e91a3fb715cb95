package state

import (
	"math"

	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// RoomPhase is how far a page is in its room.
type RoomPhase byte

// Phases. From RoomStarting to RoomEnding a run goes through the room; RoomDone leads to the next one.
const (
	roomNone     RoomPhase = iota
	RoomEntering           // the host waits for its code, a device for what the room says
	RoomLobby              // no run yet: the host waits for its class, and for its own Start
	RoomStarting           // the model is made, and a room for the run opened
	RoomWorking
	RoomEnding // ended early, what is under way comes in
	RoomDone   // the run is over, its numbers are on show
	RoomClosed
	RoomRefused
)

// Key is the end of the phase's keys of words.
func (x RoomPhase) Key() string {
	return [...]string{"", "opening", "lobby", "starting", "working", "ending", "done", "closed", "refused"}[x]
}

// Room is the page's place in a room, as its host or as one of the devices. The zero value is in none.
type Room struct {
	Code    string // that of the class
	Run     string // the code of the room of the run, which may be the same; "" while there is none
	Link    string // of the run's experiment
	Hosting bool   // this page has the token
	Phase   RoomPhase
	Why     error
	Lost    bool // the server does not answer
	Info    room.Info
	Board   Board
	Machine string // random, the beginning of the ids of this page's devices
	Given   int    // units of the run that this page gave back
	Ran     string // the code of the room of the last run that this device took part in
	Away    bool   // the host has put the card of the end away
	Idle    bool   // the host's computer computes nothing itself
	Devices []room.Device
	Asked   *Question // that the host asks, with its counts so far
	Step    int       // of the host's lecture
	Remote  string    // the token of the remote of a lecture, "": this device is none
	Vote    int       // the answer of a device to the question VoteOn
	VoteOn  string
	Awaited int // machines of the class that the run waits for before it begins
	Counts  exchange.Counts
	Course  []RoomPoint
}

// Here is how many machines are in the room, without those that were left out.
func (r *Room) Here() (n int) {
	for _, m := range r.Machines() {
		if m.Seen > 0 && !m.Out {
			n++
		}
	}
	return n
}

// seenLately is for how long, in seconds, a device counts as there since the server last heard of it.
const seenLately = 30

// Machines are the devices of the room, those of one machine together. Seen is 0 of one that is gone.
func (r *Room) Machines() (all []room.Device) {
	at, newest := map[string]int{}, int64(0)
	for _, d := range r.Devices {
		id := room.Machine(d.ID)
		i, ok := at[id]
		if !ok {
			i, at[id] = len(all), len(all)
			all = append(all, room.Device{ID: id, Joined: d.Joined})
		}
		m := &all[i]
		m.Seen, m.Given, m.Out = max(m.Seen, d.Seen), m.Given+d.Given, m.Out || d.Out
		newest = max(newest, d.Seen)
	}
	for i := range all {
		if newest-all[i].Seen > seenLately {
			all[i].Seen = 0
		}
	}
	return all
}

// RoomPoint is how the pooled estimate stood after so many units.
type RoomPoint struct{ Units, LogZ, SE float64 }

// On reports whether the page is about a room.
func (r *Room) On() bool { return r.Phase != roomNone }

// Open reports whether the units of the run go through a room.
func (r *Room) Open() bool { return r.Phase >= RoomStarting && r.Phase <= RoomEnding }

// Bound reports whether what is run is not for this page to say.
func (r *Room) Bound() bool { return r.Open() || r.Lent() && r.On() && r.Phase < RoomClosed }

// Lent reports whether this page is one of the devices.
func (r *Room) Lent() bool { return r.On() && !r.Hosting && r.Code != "" }

// KeptOut reports whether this device never got into its room.
func (r *Room) KeptOut() bool { return r.Link == "" && !r.Hosting && r.Phase >= RoomClosed }

// Own is this machine's estimate, NaN while there is none.
func (r *Room) Own() float64 {
	if at, ok := r.Board.Own[room.Alias(r.Machine)]; ok && at >= 0 && at < len(r.Board.Points) {
		return r.Board.Points[at]
	}
	return math.NaN()
}

// Question is what a lecture asks the class.
type Question struct {
	Step    int       `json:"step"`
	Text    string    `json:"text"`
	Answers []string  `json:"answers"`
	Open    bool      `json:"open"`             // votes are taken
	Voted   int       `json:"voted"`            // machines
	Counts  []float64 `json:"counts,omitempty"` // by answers
	Right   int       `json:"right"`            // the place of the right answer, -1 for none
}

// Board is what the host tells all devices.
type Board struct {
	Class  bool           `json:"class,omitempty"` // the room outlives its runs
	Run    string         `json:"run,omitempty"`   // the code of the room of the run under way
	LogZ   *float64       `json:"z,omitempty"`
	SE     *float64       `json:"se,omitempty"`
	Exact  *float64       `json:"exact,omitempty"`
	Share  float64        `json:"share"`           // of the work
	Points []float64      `json:"points"`          // estimates of replicates, or of machines
	Own    map[string]int `json:"own"`             // by room.Alias, the place of a machine's among them
	Hash   []string       `json:"hash,omitempty"`  // at the end
	Agreed int            `json:"agreed"`          // units that two machines computed
	Early  bool           `json:"early,omitempty"` // ended before the end
	Units  int            `json:"units"`           // put so far
	Done   int            `json:"done"`
	Last   string         `json:"last,omitempty"` // the code of the room of the last run
	Ask    *Question      `json:"ask,omitempty"`
	Step   int            `json:"step,omitempty"` // of a lecture
	Helped int            `json:"helped"`         // machines, besides the host's, whose units count
}

// RoomLink begins the link of a room, whose code follows.
const RoomLink = "room="

// RoomURL is the link that everybody may open.
func (s *Snapshot) RoomURL() string {
	return s.base() + "#" + RoomLink + s.Room.Code
}

// RemoteKey begins the token of a remote in the link of a room.
const RemoteKey = "&remote="

// RemoteURL is the link that makes the host's own phone a remote.
func (s *Snapshot) RemoteURL() string { return s.RoomURL() + RemoteKey + s.Room.Remote }
