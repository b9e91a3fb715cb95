// Command worker is the server of rooms on Cloudflare: the handlers of wasm/rooms/edge on D1. `./build.sh edge` packs
// it; shim.mjs explains how its instances are used.
package main

import (
	"database/sql"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/syumai/workers"
	_ "github.com/syumai/workers/cloudflare/d1" // the driver "d1"

	"logzlab/wasm/rooms/edge"
	"logzlab/wasm/rooms/room"
)

func main() {
	debug.SetGCPercent(25) // instances have little memory (shim.mjs)
	s := &edge.Server{
		Open:    sync.OnceValues(func() (*sql.DB, error) { return sql.Open("d1", "DB") }), // once, because each call leaks memory
		Address: func(r *http.Request) string { return r.Header.Get("CF-Connecting-IP") }, // set by Cloudflare
		Build:   room.Build,
		Pace:    500 * time.Millisecond, // Cloudflare counts requests
		// D1's free plan has 500 MB in a database.
		Most: edge.Limits{Room: 100 << 20, All: 300 << 20},
	}
	workers.ServeNonBlock(s.Handler())
	workers.Ready()
	select {}
}
