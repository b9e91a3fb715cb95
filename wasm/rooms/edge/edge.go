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
var sharesSchema string

//go:embed migrations/0006_pictures.sql
var picturesSchema string

//go:embed migrations/0007_rooms.sql
var roomsSchema string

// Schema has the SQL statements that create the tables. The tables of rooms are dropped and created anew; the others
// are created if they are missing. Cloudflare's database D1 uses the same files as migrations.
var Schema = sharesSchema + "\n" + picturesSchema + "\n" + roomsSchema

// Version is the number of the schema.
const Version = 7

// requestTimeout is the time limit for all statements of a request.
const requestTimeout = 10 * time.Second

// Server answers the requests of rooms and short links; its fields are the settings.
type Server struct {
	Open      func() (*sql.DB, error)    // returns the database; called at every request
	Now       func() time.Time           // nil: time.Now
	Address   func(*http.Request) string // address of the client; nil: RemoteAddr
	Build     string                     // build of the site on the same server
	Addresses []string                   // addresses at which other computers reach the server, if known
	Pace      time.Duration              // shortest wait of a device that gets no replicate
	Most      Limits                     // limits of the stored bytes
	Log       func(error)                // gets errors of the database; may be nil
}

// Limits are the largest numbers of bytes that a server stores, counted in base64.
type Limits struct {
	Room int // in a room
	All  int // in all rooms
}

// Handler returns the handler of /api/ (rooms and the creation of short links) and of /s/ (short links).
func (s *Server) Handler() http.Handler {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Address == nil {
		s.Address = func(r *http.Request) string { return r.RemoteAddr }
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/meta", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, 200, room.Meta{API: room.API, Build: s.Build, At: s.Addresses})
	})

	// Requests of everybody with the code, of the host, and of devices.
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
	for name, f := range map[string]handler{"take": takeReplicate, "result": putResult, "vote": vote} {
		mux.HandleFunc("POST /api/rooms/{code}/"+name, s.with(inRoom(asDevice(f))))
	}

	// Short links, and unknown paths.
	mux.HandleFunc("POST /api/share", s.with(putShare))
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, 404, problem.New("there is nothing at %s %s", r.Method, shortened(r.URL.Path)))
	})

	// Everybody may open short links; only pages of this site and programs may send requests to /api/.
	outer := http.NewServeMux()
	outer.HandleFunc("GET /s/{id}", s.with(showShare)) // other sites may link to it
	outer.HandleFunc("GET /s/{id}/run.png", s.with(showPicture))
	outer.Handle("/", withChecks(mux))
	return withRecover(outer)
}

// withRecover turns a panic of h into an error response. In a Cloudflare worker, a panic would end the instance.
func withRecover(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				writeError(w, 500, problem.New("internal error of the room's server"))
			}
		}()
		w.Header().Set("X-Content-Type-Options", "nosniff")
		h.ServeHTTP(w, r)
	})
}

// withChecks refuses requests of other sites and other versions.
func withChecks(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if !sameOrigin(r) {
			writeError(w, 403, problem.New("a room takes nothing from pages of another site"))
			return
		}
		if r.Method == "POST" && r.Header.Get("Content-Type") != "application/octet-stream" {
			writeError(w, 415, problem.New("a room takes application/octet-stream only"))
			return
		}
		if !sameVersion(r) {
			writeError(w, http.StatusUpgradeRequired, problem.New("this page is of another version of the lab: load it again"))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// sameVersion reports whether a client uses this version of the protocol. Requests that are not about rooms may leave
// the version out.
func sameVersion(r *http.Request) bool {
	version := r.Header.Get(room.HeaderAPI)
	needsVersion := r.URL.Path == "/api/rooms" || strings.HasPrefix(r.URL.Path, "/api/rooms/")
	return version == strconv.Itoa(room.API) || version == "" && !needsVersion || r.URL.Path == "/api/meta"
}

// sameOrigin reports whether a request is from a page of this server, or from a program.
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
	return err == nil && u.Host != "" && u.Host == cmp.Or(r.Host, r.URL.Host) // in Cloudflare workers the host is in the URL
}

// call is a request that is being handled.
type call struct {
	*http.Request
	w       http.ResponseWriter
	server  *Server
	db      *sql.DB
	now     int64 // Unix milliseconds
	address string
	body    []byte

	room   roomRow   // of requests about a room
	device deviceRow // the device that sends the request, if it has an id

	statements context.Context
}

// handler handles a request. Its error is a refusal, or an error of the database.
type handler func(c *call) error

// refusal is an error with the status of its response, and the time after which the request may succeed, or 0.
type refusal struct {
	status int
	error
	retryAfter time.Duration
}

// refusalOf returns err as a refusal with this status.
func refusalOf(status int, err error) error { return refusal{status: status, error: err} }

// later returns a refusal of a request that may succeed after a while.
func retryLater(wait time.Duration, err error) error { return refusal{429, err, wait} }

// with returns a handler of net/http that reads the body, opens the database, calls f, and sends the error of f to the
// client. A refusal is sent as it is; any other error is logged and sent as a failure of the database.
func (s *Server) with(f handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := &call{Request: r, w: w, server: s, now: s.Now().UnixMilli(), address: network(s.Address(r))}
		err := c.read()
		statements, stop := context.WithTimeout(context.WithoutCancel(r.Context()), requestTimeout)
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

		// Refusals are sent to the client. All other errors are logged.
		var refused refusal
		switch {
		case err == nil:
		case errors.As(err, &refused):
			if refused.retryAfter > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(int((refused.retryAfter+time.Second-1)/time.Second)))
			}
			writeError(w, refused.status, refused.error)
		default:
			if s.Log != nil {
				s.Log(err)
			}
			w.Header().Set("Retry-After", "1")
			if strings.Contains(err.Error(), "disk is full") || strings.Contains(err.Error(), "SQLITE_FULL") {
				writeError(w, http.StatusInsufficientStorage,
					problem.New("the disk of the room's server is full; the room goes on when there is space on it"))
				return
			}
			writeError(w, 503, problem.New("the room's server cannot reach its database"))
		}
	}
}

// prepare creates missing tables, one statement at a time, as D1 requires. It skips the DROP statements of the schema,
// because another request may have created a table just now.
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

// read reads the body of the request. In Cloudflare workers the body of a GET is nil.
func (c *call) read() (err error) {
	if c.Body == nil || c.Method == "GET" {
		return nil
	}
	c.body, err = io.ReadAll(io.LimitReader(c.Body, room.MaxBody+1))
	if err != nil {
		return refusalOf(400, problem.New("the request was cut short"))
	}
	if len(c.body) > room.MaxBody {
		return refusalOf(413, problem.New("a request may have at most 1 MB"))
	}
	return nil
}

// number returns the whole number of a query parameter, which must be from 0 to limit.
func (c *call) number(name string, limit int) (int, error) {
	n, err := strconv.Atoi(c.URL.Query().Get(name))
	if err != nil || n < 0 || n > limit {
		return 0, refusalOf(400, problem.New("%s must be a number from 0 to %d", name, limit))
	}
	return n, nil
}

// exec runs a statement and returns the number of rows that it has changed.
func (c *call) exec(query string, args ...any) (int64, error) {
	res, err := c.db.ExecContext(c.ctx(), query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// queryRow reads the columns of the first row of a query into the pointers targets. It returns false if there is no
// row.
func (c *call) queryRow(targets []any, query string, args ...any) (bool, error) {
	rows, err := c.db.QueryContext(c.ctx(), query, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return false, rows.Err()
	}
	return true, rows.Scan(targets...)
}

// ctx returns the context of the statements. They are completed even if the client has closed the connection, within
// requestTimeout.
func (c *call) ctx() context.Context { return c.statements }

// json sends x as the response.
func (c *call) json(x any) error {
	writeJSON(c.w, 200, x)
	return nil
}

// done sends an empty object, the response of success.
func (c *call) done() error { return c.json(struct{}{}) }

// writeError sends an error, in all its translations, with a status.
func writeError(w http.ResponseWriter, status int, err error) {
	writeJSON(w, status, room.NewFailure(err))
}

// writeJSON sends x as JSON with a status.
func writeJSON(w http.ResponseWriter, status int, x any) {
	b, err := json.Marshal(x)
	if err != nil {
		panic(err) // cannot happen for our types
	}
	write(w, status, "application/json; charset=utf-8", b)
}

// write sends a response with its length. Without the length a Cloudflare worker leaks memory.
func write(w http.ResponseWriter, status int, kind string, b []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	w.Write(b)
}

// shortened limits the text of a client to 60 bytes of valid UTF-8, for an error message.
func shortened(s string) string {
	if len(s) > 60 {
		s = s[:60]
	}
	return strings.ToValidUTF8(s, "?")
}
