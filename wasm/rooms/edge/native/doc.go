// Package native keeps what the handlers of wasm/rooms/edge store in an SQLite file, for servers that run by themselves. It
// is linked into native programs only.
package native
