package state

import (
	"math"

	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// RoomPhase is how far a page is in its room.
type RoomPhase byte

// Phases. Units go through the room from RoomOpening to RoomEnding.
const (
	roomNone    RoomPhase = iota
	RoomOpening           // the host waits for its code, a device for the experiment
	RoomLobby             // the host waits for its class, and for its own Start
	RoomWorking
	RoomEnding // closed early, what is under way comes in
	RoomDone
	RoomClosed
	RoomRefused
)

// Key is the end of the phase's keys of words.
func (x RoomPhase) Key() string {
	return [...]string{"", "opening", "lobby", "working", "ending", "done", "closed", "refused"}[x]
}

// Room are the page's place in a room, as its host or as one of the devices. The zero value is in none.
type Room struct {
	Code    string
	Link    string // of its experiment
	Hosting bool   // this page has the token
	Phase   RoomPhase
	Why     error
	Lost    bool // the server does not answer
	Info    room.Info
	Board   Board
	Machine string // random, the beginning of the ids of this page's devices
	Given   int    // units that this page gave back
	Idle    bool   // the host's computer computes nothing itself
	Devices []room.Device
	Counts  exchange.Counts
	Course  []RoomPoint
}

// RoomPoint is how the pooled estimate stood after so many units.
type RoomPoint struct{ Units, LogZ, SE float64 }

// On reports whether the page is about a room.
func (r *Room) On() bool { return r.Phase != roomNone }

// Open reports whether the units of the run go through a room.
func (r *Room) Open() bool {
	return r.Link != "" && r.Phase >= RoomOpening && r.Phase <= RoomEnding
}

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

// Board is what the host tells all devices.
type Board struct {
	LogZ   *float64       `json:"z,omitempty"`
	SE     *float64       `json:"se,omitempty"`
	Exact  *float64       `json:"exact,omitempty"`
	Share  float64        `json:"share"`           // of the work
	Points []float64      `json:"points"`          // estimates of replicates, or of machines
	Own    map[string]int `json:"own"`             // by room.Alias, the place of a machine's among them
	Hash   []string       `json:"hash,omitempty"`  // at the end
	Agreed int            `json:"agreed"`          // units that two machines computed
	Early  bool           `json:"early,omitempty"` // closed before the end
}

// Read takes what a host said.
func (x *Board) Read(text string) error {
	return room.ReadJSON([]byte(text), room.Fields{"z": &x.LogZ, "se": &x.SE, "exact": &x.Exact, "share": &x.Share,
		"points": &x.Points, "own": &x.Own, "hash": &x.Hash, "agreed": &x.Agreed, "early": &x.Early})
}

// RoomLink begins the link of a room, whose code follows.
const RoomLink = "room="

// RoomURL is the link that everybody may open.
func (s *Snapshot) RoomURL() string {
	return s.base() + "#" + RoomLink + s.Room.Code
}
