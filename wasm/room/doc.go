// Package room is the protocol of rooms: one run on many devices, through a mailbox. The host has the job and folds it;
// it puts units into the room, devices take them under a lease, compute them and give the results back. The mailbox
// (wasm/edge) never estimates.
//
// A class has a room that outlives its runs, without units: its board names the room of the run under way. So each run
// has the leases, checks and limits of a room of its own, nothing of a run can reach the next one, and the server knows
// nothing of classes but their votes.
//
// room.go has the messages, their limits and checks, wire.go units as bytes, owner.go and client.go the calls of the host
// and of a device, http.go the native transport, share.go short links. What a job and a worker do with the messages is in
// wasm/room/exchange.
//
// The package must not know a network but Transport, nor methods or models.
package room
