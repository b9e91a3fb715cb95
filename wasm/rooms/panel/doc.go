// Package panel is the page's part in a room (wasm/rooms/room): it opens, joins, hosts and leaves a room, computes
// replicates with the lane workers, and handles the questions and the remote control of a lecture. It must not depend
// on reports or views of the page.
//
// rooms.go enters and leaves a room, host.go starts runs and gathers them, device.go takes part in runs, replicates.go
// computes replicates with the lane workers, server.go watches the responses of the server, board.go makes the text for
// all devices, votes.go handles the questions of a lecture.
package panel
