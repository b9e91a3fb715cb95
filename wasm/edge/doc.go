// Package edge is the server of rooms and of short links, as net/http handlers on database/sql: natively on SQLite
// (wasm/edge/native), on Cloudflare on D1 (wasm/edge/worker). edge.go has the handlers and the tables, host.go what
// hosts ask, device.go what devices ask, vote.go votes, rooms.go what is common, share.go short links.
//
// The handlers use what both have: single statements (D1 has no transactions), each of which can be repeated, at most
// 100 parameters, no timers, and answers with a Content-Length.
//
// It stores and hands out. It must not estimate, nor read units or results beyond their size and shape.
package edge
