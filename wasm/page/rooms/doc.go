// Package rooms is the page's place in a room: it opens, joins, hosts and leaves one, has its lane workers compute for
// it, and carries the questions and the remote of a lecture. It must not know reports on show or views.
//
// rooms.go opens and joins, host.go starts runs and gathers them, device.go is a phone of the class, work.go lends lane
// workers, board.go is what all see, votes.go the questions of a lecture.
package rooms
