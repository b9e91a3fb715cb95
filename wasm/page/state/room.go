package state

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/wasm/rooms/room"
)

// RoomPhase is how far a page is in its room.
type RoomPhase byte

// Phases. While a run starts or works, the room computes it; RoomDone leads to the next one.
const (
	roomNone     RoomPhase = iota
	RoomEntering           // the host waits for its code, a device for what the room says
	RoomLobby              // no run yet: the host waits for its class, and for its own Start
	RoomStarting           // the model is made, and the server told of the run
	RoomWorking
	RoomDone // the run is over, its numbers are on show
	RoomClosed
	RoomRefused
)

// Key is the end of the phase's keys of words.
func (x RoomPhase) Key() string {
	return [...]string{"", "opening", "lobby", "starting", "working", "done", "closed", "refused"}[x]
}

// Room is the page's place in a room, as its host or as one of the devices. The zero value is in none.
type Room struct {
	Code     string
	Run      room.Run // the last one that this page takes part in, its ID is 0 before
	Hosting  bool     // this page has the token
	Phase    RoomPhase
	Why      error
	Lost     bool // the server does not answer
	Board    Board
	Device   string         // random, the id of this page
	Given    int            // replicates of the run that this page gave to the server
	Computed []OwnReplicate // replicates of the run that this device computed, the newest last
	Away     bool           // the host has put the card of the end away
	Idle     bool           // the host's computer computes nothing itself
	Devices  []room.Device
	Asked    *Question // that the host asks, with its counts so far
	Step     int       // of the host's lecture
	Remote   string    // the token of the remote of a lecture, "": this device is none
	Vote     int       // the answer of a device to the question VoteOn
	VoteOn   string
	Counts   room.Counts // of the host
	Course   []RoomPoint
}

// OwnReplicate is a replicate that this device computed, by its index from 1, with its estimate.
type OwnReplicate struct {
	Index int
	LogZ  float64 // NaN if it has none
}

// RoomPoint is the pooled estimate after so many replicates.
type RoomPoint struct{ Replicates, LogZ, SE float64 }

// seenLately is for how long, in seconds, a device counts as there since the server last heard of it.
const seenLately = 30

// IsHere reports whether a device is in the room now: it was heard of not long before the last one.
func (r *Room) IsHere(d room.Device) bool {
	newest := int64(0)
	for _, o := range r.Devices {
		newest = max(newest, o.Seen)
	}
	return newest-d.Seen <= seenLately
}

// Here is how many devices are in the room, without those that were left out.
func (r *Room) Here() (n int) {
	for _, d := range r.Devices {
		if !d.Excluded && r.IsHere(d) {
			n++
		}
	}
	return n
}

// Each device of a run is to have some replicates; their number follows from that of devices where nobody has set it.
const leastReplicates, perDeviceReplicates, mostByDevices = 8, 2, 1000

// Replicates is how many a run of an experiment would have now.
func (r *Room) Replicates(s *spec.Spec) int {
	if s.Replicates > 1 {
		return s.Replicates
	}
	return min(max(leastReplicates, perDeviceReplicates*r.Here()), mostByDevices)
}

// On reports whether the page is about a room.
func (r *Room) On() bool { return r.Phase != roomNone }

// Open reports whether the room computes the run.
func (r *Room) Open() bool { return r.Phase == RoomStarting || r.Phase == RoomWorking }

// Bound reports whether what is run is not for this page to say.
func (r *Room) Bound() bool { return r.Open() || r.Lent() && r.On() && r.Phase < RoomClosed }

// Lent reports whether this page is one of the devices.
func (r *Room) Lent() bool { return r.On() && !r.Hosting && r.Code != "" }

// KeptOut reports whether this device never got into its room.
func (r *Room) KeptOut() bool { return r.Run.ID == 0 && !r.Hosting && r.Phase >= RoomClosed }

// Own is the newest estimate that this device computed, NaN while there is none, and its index.
func (r *Room) Own() (logZ float64, index int) {
	if n := len(r.Computed); n > 0 {
		return r.Computed[n-1].LogZ, r.Computed[n-1].Index
	}
	return math.NaN(), 0
}

// Estimates are those of the replicates so far, with that of this device, which the host may not have yet.
func (r *Room) Estimates() (all []float64) {
	own, index := r.Own()
	for i, z := range r.Board.Points {
		if z != nil {
			all = append(all, *z)
		}
		if i+1 == index {
			index = 0
			if z == nil && num.Known(own) {
				all = append(all, own)
			}
		}
	}
	if index > 0 && num.Known(own) { // the host has told nothing of the run yet, or has too many for its board
		all = append(all, own)
	}
	return all
}

// InReplicates is an experiment in so many replicates.
func InReplicates(s *spec.Spec, n int) *spec.Spec {
	x := *s
	x.Replicates, x.Target, x.Limit = n, 0, 0
	return &x
}

// IsOnShow reports whether an experiment is the one on show. The host of a room may have it in several replicates.
func (s *Snapshot) IsOnShow(x *spec.Spec) bool {
	now := s.Spec
	return now != nil &&
		(now.Link() == x.Link() || s.Room.Hosting && now.Link() == InReplicates(x, now.Replicates).Link())
}

// Question is what a lecture asks the class.
type Question struct {
	Step    int       `json:"step"`
	Text    string    `json:"text"`
	Answers []string  `json:"answers"`
	Open    bool      `json:"open"`             // votes are taken
	Voted   int       `json:"voted"`            // devices
	Counts  []float64 `json:"counts,omitempty"` // by answers
	Right   int       `json:"right"`            // the place of the right answer, -1 for none
}

// Board is what the host says to all devices. Its numbers are those of the run under way, or of the last one.
type Board struct {
	room.Counts
	Run    int        `json:"run"` // the id of the run, 0 before the first
	LogZ   *float64   `json:"z,omitempty"`
	SE     *float64   `json:"se,omitempty"`
	Exact  *float64   `json:"exact,omitempty"`
	Share  float64    `json:"share"`          // of the work
	Points []*float64 `json:"points"`         // estimates of the first replicates in order, null where there is none yet
	Hash   []string   `json:"hash,omitempty"` // of each method, at the end
	Early  bool       `json:"early"`          // ended before the end
	Here   int        `json:"here"`           // devices in the room
	Ask    *Question  `json:"ask,omitempty"`
	Step   int        `json:"step,omitempty"` // of a lecture
}

// Final reports whether the numbers are the last ones of their run.
func (b *Board) Final() bool { return b.Hash != nil || b.Early }

// Confirming reports whether all replicates of a run are in, and the devices compute some twice.
func (b *Board) Confirming() bool { return b.Replicates > 0 && b.Got == b.Replicates && !b.Final() }

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
