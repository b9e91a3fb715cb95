package edge_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"logzlab/internal/edgetest"
	"logzlab/wasm/rooms/edge"
	"logzlab/wasm/rooms/room"
)

// lab is a server: a native one, whose clock the test can set, or Cloudflare's runtime.
type lab struct {
	t      *testing.T
	base   string // its address, with a slash at the end
	db     *sql.DB
	limits *edge.Limits

	handler http.Handler
	clock   atomic.Int64 // Unix milliseconds; 0: the true time
}

func newLab(t *testing.T) *lab {
	t.Helper()
	s, db := edgetest.Native(t)
	l := &lab{t: t, db: db, limits: &s.Most}
	l.clock.Store(2e12)
	s.Now = func() time.Time {
		if ms := l.clock.Load(); ms != 0 {
			return time.UnixMilli(ms)
		}
		return time.Now()
	}
	l.handler = s.Handler()
	web := httptest.NewServer(l.handler)
	l.base = web.URL + "/"
	t.Cleanup(web.Close)
	return l
}

// pass moves the clock forward.
func (l *lab) pass(d time.Duration) { l.clock.Add(d.Milliseconds()) }

func (l *lab) transport() room.Transport { return room.HTTP{Base: l.base} }

// direct is a transport that calls the handlers without a network, with an address of its own.
type direct struct {
	handler http.Handler
	address string
}

func (d direct) Send(ctx context.Context, r room.Request) (a room.Response, err error) {
	q := httptest.NewRequestWithContext(ctx, r.Method, "/api/"+r.Path, bytes.NewReader(r.Body))
	q.RemoteAddr = d.address
	for name, value := range r.Header() {
		q.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, q)
	a = room.Response{Status: w.Code, JSON: strings.HasPrefix(w.Header().Get("Content-Type"), "application/json"),
		Body: w.Body.Bytes()}
	if s, err := strconv.Atoi(w.Header().Get("Retry-After")); err == nil {
		a.Retry = time.Duration(s) * time.Second
	}
	return a, nil
}

// from returns a client at the n-th of many addresses.
func (l *lab) from(n int) room.Transport {
	return direct{l.handler, fmt.Sprintf("192.0.%d.%d:1234", n>>8, n&255)}
}

// send sends one request without repetitions: a room.Client would repeat it while the server is busy.
func (l *lab) send(tr room.Transport, r room.Request) room.Response {
	l.t.Helper()
	a, err := tr.Send(context.Background(), r)
	if err != nil {
		l.t.Fatal(err)
	}
	return a
}

const link = "v=1&model=mixture2&method=ais"

// open opens a room, with a run of a number of replicates unless it is 0.
func (l *lab) open(replicates int) (o *room.Owner, run room.Run) {
	l.t.Helper()
	o, err := room.Open(context.Background(), l.transport())
	if err == nil && replicates > 0 {
		run, err = o.Start(context.Background(), link, replicates, nil)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return o, run
}

// join returns a new device in a room.
func (l *lab) join(o *room.Owner) *room.Client {
	l.t.Helper()
	c := &room.Client{Transport: l.transport(), Code: o.Code, Device: room.NewSecret()}
	if _, err := c.Info(context.Background()); err != nil {
		l.t.Fatal(err)
	}
	return c
}

// take returns the replicate that a device gets, and fails if it gets none.
func (l *lab) take(c *room.Client, run room.Run) int {
	l.t.Helper()
	x, err := c.TakeReplicate(context.Background(), run.ID)
	if err != nil || x.Index == 0 {
		l.t.Fatalf("the device got %+v, %v", x, err)
	}
	return x.Index
}

// none checks that a device gets no replicate now.
func (l *lab) none(c *room.Client, run room.Run) {
	l.t.Helper()
	if x, err := c.TakeReplicate(context.Background(), run.ID); err != nil || x.Index != 0 || x.Wait <= 0 {
		l.t.Errorf("the device got %+v, %v", x, err)
	}
}

// outcome returns the right outcome of a replicate.
func outcome(index int) []byte { return fmt.Appendf(nil, "outcome %d", index) }

func (l *lab) give(c *room.Client, run room.Run, index int, body []byte) {
	l.t.Helper()
	if err := c.SendOutcome(context.Background(), run.ID, index, body); err != nil {
		l.t.Fatal(err)
	}
}

// info returns the state of the room for a visitor, who does not join it.
func (l *lab) info(o *room.Owner) room.Info {
	l.t.Helper()
	i, err := o.Info(context.Background())
	if err != nil {
		l.t.Fatal(err)
	}
	return i
}

// results returns all results of a run, and checks that only the first result of each replicate has a body.
func (l *lab) results(o *room.Owner, run room.Run) (all []room.Result) {
	l.t.Helper()
	seen := map[int]bool{}
	for after := 0; ; {
		x, err := o.Results(context.Background(), run.ID, after)
		if err != nil {
			l.t.Fatal(err)
		}
		for _, r := range x.Results {
			if r.Seq <= after || (len(r.Body) > 0) == seen[r.Index] || len(r.Body) > 0 && room.Sum(r.Body) != r.Hash {
				l.t.Errorf("after %d a wrong result: %+v", after, r)
			}
			after, seen[r.Index] = r.Seq, true
		}
		if all = append(all, x.Results...); len(x.Results) == 0 {
			return all
		}
	}
}

// state returns the content of all tables.
func (l *lab) state() string {
	l.t.Helper()
	var all strings.Builder
	for _, table := range []string{"room", "file", "device", "task", "result", "ballot", "vote", "total"} {
		rows, err := l.db.Query("SELECT * FROM " + table)
		if err != nil {
			l.t.Fatal(err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				l.t.Fatal(err)
			}
			fmt.Fprint(&all, table, ": ")
			for _, v := range values {
				fmt.Fprint(&all, *v.(*any), "|")
			}
			all.WriteString("\n")
		}
		rows.Close()
	}
	return all.String()
}

// exec executes a statement on the database.
func (l *lab) exec(query string, args ...any) {
	l.t.Helper()
	if _, err := l.db.Exec(query, args...); err != nil {
		l.t.Fatal(err)
	}
}

// count returns a number from the database.
func (l *lab) count(query string, args ...any) (n int) {
	l.t.Helper()
	if err := l.db.QueryRow(query, args...).Scan(&n); err != nil {
		l.t.Fatal(err)
	}
	return n
}

// counters checks that the stored counts equal the numbers of rows.
func (l *lab) counters() {
	l.t.Helper()
	for what, query := range map[string]string{
		"devices": "SELECT count(*) FROM room r WHERE devices <> (SELECT count(*) FROM device WHERE room = code)",
		"givers": "SELECT count(*) FROM room r WHERE givers <> (SELECT count(*) FROM device WHERE room = code AND given > 0 " +
			"AND out = 0)",
		"done": "SELECT count(*) FROM room r WHERE done <> (SELECT count(*) FROM task t WHERE t.room = code AND t.run = " +
			"r.run AND results > 0)",
		"results": "SELECT count(*) FROM task t WHERE results <> (SELECT count(*) FROM result WHERE room = t.room AND run = " +
			"t.run AND idx = t.idx)",
		"first results": "SELECT count(*) FROM task t WHERE (results > 0) <> EXISTS(SELECT 1 FROM result WHERE room = t.room " +
			"AND run = t.run AND idx = t.idx AND device = t.by AND hash = t.hash)",
		"bytes": "SELECT count(*) FROM room r WHERE bytes <> (SELECT coalesce(sum(length(body)), 0) FROM result WHERE room " +
			"= code) + (SELECT coalesce(sum(length(data)), 0) FROM file WHERE room = code)",
		"all bytes": "SELECT abs(n - (SELECT coalesce(sum(bytes), 0) FROM room)) FROM total WHERE name = 'rooms'",
		"rows of no room": "SELECT (SELECT count(*) FROM device WHERE room NOT IN (SELECT code FROM room)) + (SELECT " +
			"count(*) FROM task WHERE room NOT IN (SELECT code FROM room)) + (SELECT count(*) FROM result WHERE room NOT " +
			"IN (SELECT code FROM room)) + (SELECT count(*) FROM file WHERE room NOT IN (SELECT code FROM room)) + (SELECT " +
			"count(*) FROM vote WHERE room NOT IN (SELECT code FROM room))",
	} {
		if n := l.count(query); n != 0 {
			l.t.Errorf("%s: %d are wrong", what, n)
		}
	}
}

// refusedAs checks the status and a part of the text of an error.
func refusedAs(t *testing.T, err error, status int, part string) {
	t.Helper()
	no, ok := err.(*room.Refused)
	if !ok || no.Status != status || !strings.Contains(err.Error(), part) {
		t.Errorf("the answer was %v, not %d with %q", err, status, part)
	}
}

// answeredAs checks the status and a part of the text of a response.
func answeredAs(t *testing.T, a room.Response, status int, part string) {
	t.Helper()
	if a.Status != status || !bytes.Contains(a.Body, []byte(part)) {
		t.Errorf("the answer was %d, %s, not %d with %q", a.Status, a.Body, status, part)
	}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(b)
}
