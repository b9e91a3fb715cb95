// Package edge is the server of rooms and of short links, as net/http handlers on database/sql: natively on SQLite
// (wasm/rooms/edge/native), on Cloudflare on D1 (wasm/rooms/edge/worker). wasm/rooms/room has the protocol. edge.go reads requests and
// answers them, room.go opens, finds and deletes rooms, host.go has what hosts ask, device.go what devices ask, vote.go
// votes, usage.go limits by address, share.go and picture.go short links.
//
// The handlers use what both databases have: single statements (D1 has no transactions), each of which can be repeated,
// at most 100 parameters, no timers, and answers with a Content-Length.
//
// The server stores and hands out. It must not compute, nor read outcomes beyond their size.
package edge
