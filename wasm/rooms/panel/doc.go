// Package panel is the page's place in a room (wasm/rooms/room): it opens, joins, hosts and leaves one, has its lane workers
// compute replicates, and carries the questions and the remote of a lecture. It must not know reports on show or views.
//
// rooms.go enters and leaves, host.go starts runs and gathers them, device.go takes part in them, replicates.go computes
// replicates on the lane workers, server.go watches what the server answers, board.go is what all see, votes.go the
// questions of a lecture.
package panel
