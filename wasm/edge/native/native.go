// Package native keeps what the handlers of wasm/edge store in an SQLite file, for servers that run by themselves. It
// is linked into native programs only.
package native

import (
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"logzlab/wasm/edge"
	"logzlab/wasm/room"
)

// Server keeps rooms in a file, which is made if it is not there; Close the database at the end.
func Server(file string) (*edge.Server, *sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate")
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(edge.Schema); err != nil {
		db.Close()
		return nil, nil, fmt.Errorf("the rooms' file %s: %w", file, err)
	}
	return &edge.Server{Open: func() (*sql.DB, error) { return db, nil }, Build: room.Build,
		Pace: 50 * time.Millisecond,
		Log:  func(err error) { fmt.Fprintln(os.Stderr, "rooms:", err) }}, db, nil
}

// Reached is how others reach what listens at an address: at all of them, by the machine's own in its network.
func Reached(a net.Addr) string {
	t, ok := a.(*net.TCPAddr)
	if !ok || !t.IP.IsUnspecified() {
		return a.String()
	}
	all, _ := net.InterfaceAddrs()
	for _, x := range all {
		if n, ok := x.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			return net.JoinHostPort(n.IP.String(), strconv.Itoa(t.Port))
		}
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(t.Port))
}
