package state

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/wasm/rooms/room"
)

// RoomPhase is the phase of the page in its room.
type RoomPhase byte

// Phases. In RoomStarting and RoomWorking the room computes a run; RoomDone may be followed by the next run.
const (
	roomNone     RoomPhase = iota
	RoomEntering           // the host waits for its code, a device for the state of the room
	RoomLobby              // no run yet: devices join until the host presses Start
	RoomStarting           // the model is opened, and the run announced to the server
	RoomWorking
	RoomDone // the run is over, its result is on show
	RoomClosed
	RoomRefused
)

// Key returns the last part of the keys of the phase's words.
func (x RoomPhase) Key() string {
	return [...]string{"", "opening", "lobby", "starting", "working", "done", "closed", "refused"}[x]
}

// Room is the state of the page in a room, as host or as one of the devices. The zero value means no room.
type Room struct {
	Code         string
	Run          room.Run // the last run that this page takes part in; its ID is 0 before the first
	Hosting      bool     // this page is the host
	Phase        RoomPhase
	Reason       error
	Disconnected bool // no connection to the server
	Board        Board
	Device       string         // random id of this page
	Submitted    int            // number of replicates that this page sent to the server
	Computed     []OwnReplicate // replicates that this device computed, newest last
	CardClosed   bool           // the host has closed the final card
	HostIdle     bool           // the host's computer does not compute
	Devices      []room.Device
	Question     *Question // the host's question, with its counts so far
	Step         int       // step of the host's lecture
	Remote       string    // token of a lecture's remote control, "" if this device is none
	Vote         int       // the device's answer to the question VoteOn
	VoteOn       string
	Counts       room.Counts // the host's counts
	Course       []RoomPoint
}

// OwnReplicate is a replicate that this device computed: its index, from 1, and its estimate.
type OwnReplicate struct {
	Index int
	LogZ  float64 // NaN if it has none
}

// RoomPoint is the pooled estimate after a number of replicates.
type RoomPoint struct{ Replicates, LogZ, SE float64 }

// connectedSeconds is for how many seconds after its last message a device counts as connected.
const connectedSeconds = 30

// IsConnected reports whether a device is connected: its last message is not much older than the newest message of all.
func (r *Room) IsConnected(d room.Device) bool {
	newest := int64(0)
	for _, o := range r.Devices {
		newest = max(newest, o.Seen)
	}
	return newest-d.Seen <= connectedSeconds
}

// Connected returns the number of connected devices, without excluded ones.
func (r *Room) Connected() (n int) {
	for _, d := range r.Devices {
		if !d.Excluded && r.IsConnected(d) {
			n++
		}
	}
	return n
}

// If the user has not set the number of replicates, it follows from the number of devices.
const minReplicates, perDeviceReplicates, maxByDevices = 8, 2, 1000

// Replicates returns the number of replicates that a run of an experiment would have now.
func (r *Room) Replicates(s *spec.Spec) int {
	if s.Replicates > 1 {
		return s.Replicates
	}
	return min(max(minReplicates, perDeviceReplicates*r.Connected()), maxByDevices)
}

// InRoom reports whether the page is in a room.
func (r *Room) InRoom() bool { return r.Phase != roomNone }

// Computing reports whether the room is computing a run.
func (r *Room) Computing() bool { return r.Phase == RoomStarting || r.Phase == RoomWorking }

// LocksExperiment reports whether the user cannot change the experiment, because the room determines it.
func (r *Room) LocksExperiment() bool {
	return r.Computing() || r.IsDevice() && r.InRoom() && r.Phase < RoomClosed
}

// IsDevice reports whether this page is a device of a room, not its host.
func (r *Room) IsDevice() bool { return r.InRoom() && !r.Hosting && r.Code != "" }

// NeverJoined reports whether this device never got into its room.
func (r *Room) NeverJoined() bool { return r.Run.ID == 0 && !r.Hosting && r.Phase >= RoomClosed }

// OwnEstimate returns the newest estimate that this device computed and its index; NaN if there is none.
func (r *Room) OwnEstimate() (logZ float64, index int) {
	if n := len(r.Computed); n > 0 {
		return r.Computed[n-1].LogZ, r.Computed[n-1].Index
	}
	return math.NaN(), 0
}

// Estimates returns the estimates of all finished replicates, including the device's own, which the host may not have
// received.
func (r *Room) Estimates() (all []float64) {
	own, index := r.OwnEstimate()
	for i, z := range r.Board.Points {
		if z != nil {
			all = append(all, *z)
		}
		if i+1 == index {
			index = 0
			if z == nil && num.NotNaN(own) {
				all = append(all, own)
			}
		}
	}
	if index > 0 && num.NotNaN(own) { // the board does not contain it
		all = append(all, own)
	}
	return all
}

// WithReplicates returns a copy of an experiment with n replicates.
func WithReplicates(s *spec.Spec, n int) *spec.Spec {
	x := *s
	x.Replicates, x.Target, x.Limit = n, 0, 0
	return &x
}

// IsCurrent reports whether an experiment is the current one; the host of a room may run it with several replicates.
func (s *Snapshot) IsCurrent(x *spec.Spec) bool {
	current := s.Spec
	return current != nil &&
		(current.Link() == x.Link() || s.Room.Hosting && current.Link() == WithReplicates(x, current.Replicates).Link())
}

// Question is a question of a lecture to the class.
type Question struct {
	Step    int       `json:"step"`
	Text    string    `json:"text"`
	Answers []string  `json:"answers"`
	Open    bool      `json:"open"`             // votes are taken
	Voted   int       `json:"voted"`            // number of devices that have voted
	Counts  []float64 `json:"counts,omitempty"` // votes for each answer
	Right   int       `json:"right"`            // index of the right answer, -1 for none
}

// Board is the host's message to all devices. Its numbers belong to the current run, or to the last one.
type Board struct {
	room.Counts
	Run    int        `json:"run"` // id of the run, 0 before the first
	LogZ   *float64   `json:"z,omitempty"`
	SE     *float64   `json:"se,omitempty"`
	Exact  *float64   `json:"exact,omitempty"`
	Share  float64    `json:"share"`          // share of the work done
	Points []*float64 `json:"points"`         // estimates of the first replicates in order, null if not done
	Hash   []string   `json:"hash,omitempty"` // checksum of each method, at the end
	Early  bool       `json:"early"`          // the host ended the run early
	Here   int        `json:"here"`           // number of connected devices
	Ask    *Question  `json:"ask,omitempty"`
	Step   int        `json:"step,omitempty"` // step of the lecture
}

// Final reports whether the numbers of the run are final.
func (b *Board) Final() bool { return b.Hash != nil || b.Early }

// Confirming reports whether all replicates are finished and devices compute some of them twice.
func (b *Board) Confirming() bool { return b.Replicates > 0 && b.Got == b.Replicates && !b.Final() }

// RoomLink begins the link to a room; the code follows.
const RoomLink = "room="

// RoomURL returns the link for the devices of the class.
func (s *Snapshot) RoomURL() string {
	return s.publicBase() + "#" + RoomLink + s.Room.Code
}

// RemoteKey begins the token of a remote control in the link to a room.
const RemoteKey = "&remote="

// RemoteURL returns the link that makes the host's own phone a remote control.
func (s *Snapshot) RemoteURL() string { return s.RoomURL() + RemoteKey + s.Room.Remote }
