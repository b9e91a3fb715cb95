package native

import (
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"logzlab/wasm/rooms/edge"
	"logzlab/wasm/rooms/room"
)

// Server returns a server whose rooms are stored in a file, which is created if necessary. Close the database at the
// end.
func Server(file string) (*edge.Server, *sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate")
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	if err := createTables(db); err != nil {
		db.Close()
		return nil, nil, fmt.Errorf("the rooms' file %s: %w", file, err)
	}
	return &edge.Server{Open: func() (*sql.DB, error) { return db, nil }, Build: room.Build,
		Pace: 50 * time.Millisecond,
		Most: edge.Limits{Room: roomBytes, All: min(maxBytes, freeBytes(file)/2)},
		Log:  func(err error) { fmt.Fprintln(os.Stderr, "rooms:", err) }}, db, nil
}

// roomBytes is the limit of a room in bytes, maxBytes of all rooms. If half of the free disk is less, that is the
// limit of all.
const (
	roomBytes = 512 << 20
	maxBytes  = 16 << 30
)

// createTables creates the tables if necessary.
func createTables(db *sql.DB) error {
	version := 0
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil || version == edge.Version {
		return err
	}
	if _, err := db.Exec(edge.Schema); err != nil {
		return err
	}
	_, err := db.Exec("PRAGMA user_version = " + strconv.Itoa(edge.Version))
	return err
}

// Web returns an http.Server with time limits, so that slow clients do not block it. It accepts only requests to IP
// addresses, to localhost, to the name of this computer and to the given names: otherwise a page of another site could
// reach it by a name that resolves to this computer (DNS rebinding).
func Web(h http.Handler, names ...string) *http.Server {
	if own, err := os.Hostname(); err == nil {
		names = append(names, own, own+".local")
	}
	return &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answersTo(r.Host, names) {
			http.Error(w, "This server does not know the name "+strconv.Quote(r.Host)+
				". Open its address of numbers, or start it with this name: logz host -name NAME, ./build.sh serve "+
				"ADDRESS NAME.",
				http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		h.ServeHTTP(w, r)
	}), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 2 * time.Minute,
		IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10}
}

// answersTo reports whether a Host header is an IP address, localhost, or one of the names.
func answersTo(host string, names []string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	return net.ParseIP(host) != nil || host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, host) })
}

// Reached returns the address at which others reach a listener: if it listens at all addresses, the address of this
// computer in its network.
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
