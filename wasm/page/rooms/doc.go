// Package rooms is the page's place in a room: it opens, joins, hosts and leaves one, has its lane workers compute for
// it, and carries the questions and the remote of a lecture. It must not know reports on show or views.
package rooms
