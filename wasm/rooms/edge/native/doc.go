// Package native stores the tables of wasm/rooms/edge in an SQLite file, for servers that run natively. It must be
// linked into native programs only.
package native
