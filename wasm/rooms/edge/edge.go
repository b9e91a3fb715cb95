package edge

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"logzlab/core/problem"
	"logzlab/wasm/rooms/room"
)

//go:embed migrations/0002_share.sql
var shares string

//go:embed migrations/0006_pictures.sql
var pictures string

//go:embed migrations/0007_rooms.sql
var rooms string

// Schema makes the tables, new ones for rooms. D1 takes the same files as migrations. Version is its number.
var Schema = shares + "\n" + pictures + "\n" + rooms

const Version = 7

// mostTime is how long all statements of a request may take.
const mostTime = 10 * time.Second

// Server holds what the handlers need.
type Server struct {
	Open    func() (*sql.DB, error)    // the database; called at every request
	Now     func() time.Time           // nil: time.Now
	Address func(*http.Request) string // of the client; nil: RemoteAddr
	Build   string                     // of the site that is served beside it
	At      []string                   // addresses at which other machines reach it, if they are known
	Pace    time.Duration              // the shortest time after which a device that got no work asks again
	Most    Limits
	Log     func(error) // takes errors of the database; may be nil
}

// Limits are how many bytes a server keeps, as they are stored: in base64.
type Limits struct {
	Room int // of a room
	All  int // of all rooms
}

// Handler answers everything below /api/ and /s/.
func (s *Server) Handler() http.Handler {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Address == nil {
		s.Address = func(r *http.Request) string { return r.RemoteAddr }
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/meta", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, 200, room.Meta{API: room.API, Build: s.Build, At: s.At})
	})

	// Calls of everybody with the code, of the host, and of devices.
	mux.HandleFunc("POST /api/rooms", s.with(openRoom))
	mux.HandleFunc("GET /api/rooms/{code}", s.with(inRoom(info)))
	mux.HandleFunc("GET /api/rooms/{code}/file", s.with(inRoom(getFile)))
	mux.HandleFunc("POST /api/rooms/{code}/turn", s.with(inRoom(turn)))
	for pattern, f := range map[string]handler{"POST file": putFile, "POST run": startRun, "GET results": results,
		"POST finish": finish, "GET devices": devices, "POST drop": drop, "POST board": board, "POST close": closeRoom,
		"POST ask": ask, "GET votes": votes} {
		method, name, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" /api/rooms/{code}/"+name, s.with(inRoom(asHost(f))))
	}
	for name, f := range map[string]handler{"take": take, "result": give, "vote": vote} {
		mux.HandleFunc("POST /api/rooms/{code}/"+name, s.with(inRoom(asDevice(f))))
	}

	// Short links, and calls that lead nowhere.
	mux.HandleFunc("POST /api/share", s.with(putShare))
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, 404, problem.New("there is nothing at %s %s", r.Method, shortened(r.URL.Path)))
	})

	// Short links are open to everybody, calls only to pages and programs of ours.
	outer := http.NewServeMux()
	outer.HandleFunc("GET /s/{id}", s.with(showShare)) // links on other sites may lead there
	outer.HandleFunc("GET /s/{id}/run.png", s.with(showPicture))
	outer.Handle("/", guarded(mux))
	return recovered(outer)
}

// recovered answers a panic by an error: in a worker it would end the instance.
func recovered(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				refuse(w, 500, problem.New("internal error of the room's server"))
			}
		}()
		w.Header().Set("X-Content-Type-Options", "nosniff")
		h.ServeHTTP(w, r)
	})
}

// guarded refuses what no page or program of ours sends.
func guarded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if !sameOrigin(r) {
			refuse(w, 403, problem.New("a room takes nothing from pages of another site"))
			return
		}
		if r.Method == "POST" && r.Header.Get("Content-Type") != "application/octet-stream" {
			refuse(w, 415, problem.New("a room takes application/octet-stream only"))
			return
		}
		if !sameVersion(r) {
			refuse(w, http.StatusUpgradeRequired, problem.New("this page is of another version of the lab: load it again"))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// sameVersion reports whether a client speaks this protocol. What is not about rooms needs no version.
func sameVersion(r *http.Request) bool {
	version := r.Header.Get(room.HeaderAPI)
	about := r.URL.Path == "/api/rooms" || strings.HasPrefix(r.URL.Path, "/api/rooms/")
	return version == strconv.Itoa(room.API) || version == "" && !about || r.URL.Path == "/api/meta"
}

// sameOrigin reports whether a request comes from a page of this server, or from a program.
func sameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && u.Host == cmp.Or(r.Host, r.URL.Host) // workers tell the host by the URL
}

// call is one request under way.
type call struct {
	*http.Request
	w       http.ResponseWriter
	server  *Server
	db      *sql.DB
	now     int64 // Unix milliseconds
	address string
	body    []byte

	room   roomRow   // of calls about a room
	device deviceRow // the device that calls, if it says which it is

	statements context.Context
}

// handler answers a request or returns an error: a refusal with its status, or else one of the database.
type handler func(c *call) error

// refusal is an error with its status, and after what time the same may succeed, if it may.
type refusal struct {
	status int
	error
	retry time.Duration
}

func refused(status int, err error) error { return refusal{status: status, error: err} }

// later refuses what may succeed after a while.
func later(wait time.Duration, err error) error { return refusal{429, err, wait} }

// with makes a handler of net/http: it reads the body, opens the database, and answers errors.
func (s *Server) with(f handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := &call{Request: r, w: w, server: s, now: s.Now().UnixMilli(), address: network(s.Address(r))}
		err := c.read()
		statements, stop := context.WithTimeout(context.WithoutCancel(r.Context()), mostTime)
		defer stop()
		c.statements = statements
		if err == nil {
			c.db, err = s.Open()
		}
		if err == nil {
			err = f(c)
		}
		if err != nil && strings.Contains(err.Error(), "no such table") { // a new database
			if err = prepare(c.ctx(), c.db); err == nil {
				err = f(c)
			}
		}

		// Callers are told of refusals. All other errors go to the log.
		var no refusal
		switch {
		case err == nil:
		case errors.As(err, &no):
			if no.retry > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(int((no.retry+time.Second-1)/time.Second)))
			}
			refuse(w, no.status, no.error)
		default:
			if s.Log != nil {
				s.Log(err)
			}
			w.Header().Set("Retry-After", "1")
			if strings.Contains(err.Error(), "disk is full") || strings.Contains(err.Error(), "SQLITE_FULL") {
				refuse(w, http.StatusInsufficientStorage,
					problem.New("the disk of the room's server is full; the room goes on when there is space on it"))
				return
			}
			refuse(w, 503, problem.New("the room's server cannot reach its database"))
		}
	}
}

// prepare makes tables that are missing. D1 takes one statement at a time. Nothing is dropped, since another request may
// have made a table just now.
func prepare(ctx context.Context, db *sql.DB) error {
	for statement := range strings.SplitSeq(Schema, "\n\n") {
		for strings.HasPrefix(statement, "--") { // a comment
			_, statement, _ = strings.Cut(statement, "\n")
		}
		if statement == "" || strings.HasPrefix(statement, "DROP ") {
			continue
		}
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// read reads the body, which is nil for GET in workers.
func (c *call) read() (err error) {
	if c.Body == nil || c.Method == "GET" {
		return nil
	}
	c.body, err = io.ReadAll(io.LimitReader(c.Body, room.MaxBody+1))
	if err != nil {
		return refused(400, problem.New("the request was cut short"))
	}
	if len(c.body) > room.MaxBody {
		return refused(413, problem.New("a request may have at most 1 MB"))
	}
	return nil
}

// number is a number of the query, from 0 to most.
func (c *call) number(name string, most int) (int, error) {
	n, err := strconv.Atoi(c.URL.Query().Get(name))
	if err != nil || n < 0 || n > most {
		return 0, refused(400, problem.New("%s must be a number from 0 to %d", name, most))
	}
	return n, nil
}

// exec runs a statement and tells how many rows it changed.
func (c *call) exec(query string, args ...any) (int64, error) {
	res, err := c.db.ExecContext(c.ctx(), query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// one reads the first row of a query; false if there is none.
func (c *call) one(to []any, query string, args ...any) (bool, error) {
	rows, err := c.db.QueryContext(c.ctx(), query, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return false, rows.Err()
	}
	return true, rows.Scan(to...)
}

// ctx is that of the database: a statement that has begun is finished, even if the client is gone, but none takes
// longer than a request may.
func (c *call) ctx() context.Context { return c.statements }

func (c *call) json(x any) error {
	writeJSON(c.w, 200, x)
	return nil
}

// done answers that all is well.
func (c *call) done() error { return c.json(struct{}{}) }

func refuse(w http.ResponseWriter, status int, err error) { writeJSON(w, status, room.NewFailure(err)) }

func writeJSON(w http.ResponseWriter, status int, x any) {
	b, err := json.Marshal(x)
	if err != nil {
		panic(err) // of our own types
	}
	write(w, status, "application/json; charset=utf-8", b)
}

// write sends an answer whose length is known: without it a worker leaks memory.
func write(w http.ResponseWriter, status int, kind string, b []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	w.Write(b)
}

// shortened is what a message repeats of a text from outside.
func shortened(s string) string {
	if len(s) > 60 {
		s = s[:60]
	}
	return strings.ToValidUTF8(s, "?")
}
