// Package edge is the server of rooms and of short links, as net/http handlers on database/sql: natively on SQLite
// (wasm/rooms/edge/native), on Cloudflare on D1 (wasm/rooms/edge/worker). wasm/rooms/room has the protocol. edge.go
// reads requests and writes responses, room.go opens, finds and deletes rooms, host.go has the requests of hosts,
// device.go of devices, vote.go votes, usage.go limits for each address, share.go and picture.go short links.
//
// The handlers use only features of both databases: single statements (D1 has no transactions), each of which can be
// repeated, at most 100 parameters, no timers, and responses with a Content-Length.
//
// The server stores and hands out. It must not compute anything, or read outcomes beyond their size.
package edge
