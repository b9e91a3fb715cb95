//go:build !js

package edgetest

import (
	"database/sql"
	"path/filepath"
	"testing"

	"logzlab/wasm/rooms/edge"
	"logzlab/wasm/rooms/edge/native"
)

// Native returns the server of ./build.sh serve with its own empty database, until the test is over.
func Native(t testing.TB) (*edge.Server, *sql.DB) {
	t.Helper()
	s, db, err := native.Server(filepath.Join(t.TempDir(), "rooms.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return s, db
}
