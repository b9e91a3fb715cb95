package edge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"database/sql"

	"logzlab/core/wire"
	"logzlab/wasm/edge"
	"logzlab/wasm/edge/edgetest"
	"logzlab/wasm/room"
)

// lab is a server: a native one with a clock of its own, or Cloudflare's runtime.
type lab struct {
	t    *testing.T
	base string // its address, with a slash at the end
	web  *httptest.Server
	db   *sql.DB
	now  time.Time

	limits *edge.Limits
}

func newLab(t *testing.T) *lab {
	t.Helper()
	s, db := edgetest.Native(t)
	l := &lab{t: t, db: db, now: time.Unix(2e9, 0), limits: &s.Most}
	s.Now = func() time.Time { return l.now }
	l.web = httptest.NewServer(s.Handler())
	l.base = l.web.URL + "/"
	t.Cleanup(l.web.Close)
	return l
}

func (l *lab) transport() room.Transport { return room.HTTP{Base: l.base} }

// open opens a room with some units of one round.
func (l *lab) open(units int) (*room.Owner, []room.Post) {
	l.t.Helper()
	o, err := room.Open(context.Background(), l.transport(), "v=1&model=mixture2&method=ais")
	if err != nil {
		l.t.Fatal(err)
	}
	var posts []room.Post
	for i := range units {
		common, own := []byte("plan"), []byte(fmt.Sprint("unit ", i))
		posts = append(posts, room.Post{ID: room.ID(common, own), Round: room.ID(common), Common: common, Own: own})
	}
	if err := o.Put(context.Background(), posts); err != nil {
		l.t.Fatal(err)
	}
	return o, posts
}

func (l *lab) join(o *room.Owner) *room.Member {
	l.t.Helper()
	m, _, err := room.Join(context.Background(), l.transport(), o.Code, room.NewSecret())
	if err != nil {
		l.t.Fatal(err)
	}
	return m
}

// take is a unit that there must be.
func (l *lab) take(m *room.Member) *room.Parcel {
	l.t.Helper()
	p, _, err := m.Take(context.Background())
	if err != nil || p == nil {
		l.t.Fatalf("no unit: %v", err)
	}
	return p
}

// result is one with this partial.
func result(partial string) []byte {
	w := wire.Writer{B: []byte{room.KindDone}}
	w.String(partial)
	w.Bool(false)
	w.Bytes(nil)
	return w.B
}

func (l *lab) give(m *room.Member, p *room.Parcel, partial string) {
	l.t.Helper()
	if err := m.Give(context.Background(), p, result(partial)); err != nil {
		l.t.Fatal(err)
	}
}

// state is all that the tables hold.
func (l *lab) state() string {
	l.t.Helper()
	var all strings.Builder
	for _, table := range []string{"part", "room", "machine", "device", "unit", "result", "poll", "ballot", "vote",
		"total"} {
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
			for _, v := range values {
				fmt.Fprint(&all, *v.(*any), "|")
			}
			all.WriteString("\n")
		}
		rows.Close()
	}
	return all.String()
}

// A lease that runs out gives the unit to the next device; the late result is a check of it.
func TestLeases(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(1)
	a, b := l.join(o), l.join(o)
	p := l.take(a)
	if again := l.take(a); again.Unit != p.Unit || string(again.Own) != "unit 0" || string(again.Common) != "plan" {
		t.Errorf("a device that asks again got %+v", again)
	}
	if q, wait, err := b.Take(t.Context()); q != nil || err != nil || wait <= 0 {
		t.Errorf("the unit was given twice: %v %v %v", q, wait, err)
	}
	l.now = l.now.Add(15 * time.Second)
	if err := a.Renew(t.Context(), p); err != nil {
		t.Error(err)
	}
	l.now = l.now.Add(15 * time.Second)
	if q, _, _ := b.Take(t.Context()); q != nil {
		t.Error("a lease that was renewed ran out")
	}
	l.now = l.now.Add(15 * time.Second)
	if q := l.take(b); q.Unit != p.Unit {
		t.Errorf("after the lease b got %+v", q)
	}
	l.give(b, p, "x")
	l.give(a, p, "x")
	l.give(a, p, "x") // the answer was lost
	all, err := o.Results(t.Context(), 0)
	if err != nil || len(all.All) != 2 || all.All[0].Device != b.Device || all.All[1].Device != a.Device ||
		all.All[0].Hash != all.All[1].Hash {
		t.Errorf("results %+v, %v", all, err)
	}
	if info, err := o.Info(t.Context()); err != nil || info.Done != 1 || info.Units != 1 || info.Looks != 0 {
		t.Errorf("%+v %v", info, err)
	}
}

// What is over 1 MB travels in parts, both ways.
func TestParts(t *testing.T) { newLab(t).parts() }

func (l *lab) parts() {
	t := l.t
	t.Helper()
	o, _ := l.open(0)
	big := bytes.Repeat([]byte("0123456789"), 250_000)
	post := room.Post{ID: room.ID(big, big), Round: room.ID(big), Common: big, Own: big}
	if err := o.Put(t.Context(), []room.Post{post}); err != nil {
		t.Fatal(err)
	}
	m := l.join(o)
	p := l.take(m)
	if !bytes.Equal(p.Common, big) || !bytes.Equal(p.Own, big) {
		t.Error("plan or unit came back changed")
	}
	l.give(m, p, string(big))
	all, err := o.Results(t.Context(), 0)
	if err != nil || len(all.All) != 1 || !bytes.Equal(all.All[0].Body, result(string(big))) {
		t.Errorf("the result came back changed: %v", err)
	}
	if err := o.GiveFile(t.Context(), "own", big); err == nil {
		t.Error("a file was given to a room that was not opened for files")
	}
	if o, err = room.Open(t.Context(), l.transport(), "v=1&model=mixture2", "own"); err != nil {
		t.Fatal(err)
	}
	if err := o.GiveFile(t.Context(), "own", big); err != nil {
		t.Fatal(err)
	}
	m = &room.Member{Client: o.Client}
	info, _ := o.Info(t.Context())
	if b, err := m.File(t.Context(), info.Files[0]); err != nil || !bytes.Equal(b, big) {
		t.Errorf("the file came back changed: %v", err)
	}
}

// A room ends after a day, and what it held is deleted; a closed one gives no units.
func TestEnd(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(1)
	m := l.join(o)
	if err := o.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Take(t.Context()); err == nil || err.Error() != "the room is closed" {
		t.Errorf("a closed room said %v", err)
	}
	l.now = l.now.Add(25 * time.Hour)
	if _, err := o.Info(t.Context()); err == nil {
		t.Error("a room lasts for more than a day")
	}
	l.open(0)
	if s := l.state(); strings.Contains(s, o.Code) {
		t.Errorf("something is left of a room that ended:\n%s", s)
	}
}

// TestOtherBuild: a device of another version is told what to do.
func TestOtherBuild(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(1)
	defer func(b string) { room.Build = b }(room.Build)
	room.Build = "other"
	_, _, err := room.Join(t.Context(), l.transport(), o.Code, room.NewSecret())
	if err == nil || !strings.Contains(err.Error(), "build other") {
		t.Errorf("another build joined: %v", err)
	}
	m := room.Member{Client: o.Client, Device: room.NewSecret()}
	if _, _, err := m.Take(t.Context()); err == nil || !strings.Contains(err.Error(), "build other") {
		t.Errorf("another build got a unit: %v", err)
	}
}

// hostile makes a request that is wrong in one way; at is a valid room, with a unit that the device has.
func hostile(r *rand.Rand, l *lab, o *room.Owner, m, stranger *room.Member, p *room.Parcel) *http.Request {
	base := l.base + "api/rooms/" + o.Code
	markup := "%3Cscript%3Ealert(1)%3C/script%3E"
	nan := wire.Writer{B: []byte{room.KindDone, 200}}
	nan.Float(math.NaN())
	post := func(url, device string, body []byte) *http.Request {
		q, err := http.NewRequest("POST", url, bytes.NewReader(body))
		if err != nil {
			l.t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/octet-stream")
		q.Header.Set(room.HeaderDevice, device)
		q.Header.Set(room.HeaderBuild, room.Build)
		return q
	}
	give := func(unit string) string { return base + "/result?unit=" + unit + "&part=0&of=1" }
	garbage := make([]byte, r.IntN(300))
	for i := range garbage {
		garbage[i] = byte(r.Uint32())
	}
	garbage = append([]byte{byte(r.IntN(60))}, garbage...)
	ok := result("x")
	with := func(q *http.Request, header, value string) *http.Request { q.Header.Set(header, value); return q }
	method := func(q *http.Request, m string) *http.Request { q.Method = m; return q }
	options := []func() *http.Request{
		func() *http.Request { return post(strings.Replace(give(p.Unit), o.Code, "ABCDEF", 1), m.Device, ok) },
		func() *http.Request { return post(strings.Replace(give(p.Unit), o.Code, markup, 1), m.Device, ok) },
		func() *http.Request { return post(give(room.NewSecret()), m.Device, ok) }, // no such unit
		func() *http.Request { return post(give(p.Round), m.Device, ok) },
		func() *http.Request { return post(give(markup), m.Device, ok) },
		func() *http.Request { return post(give(p.Unit), stranger.Device, ok) }, // not its unit
		func() *http.Request { return post(give(p.Unit), room.NewSecret(), ok) },
		func() *http.Request { return post(give(p.Unit), "' OR 1=1 --", ok) },
		func() *http.Request { return post(give(p.Unit), m.Device, garbage) },
		func() *http.Request { return post(give(p.Unit), m.Device, nan.B) }, // a length that lies
		func() *http.Request { return post(give(p.Unit), m.Device, ok[:r.IntN(len(ok))]) },
		func() *http.Request { return post(give(p.Unit), m.Device, append(ok, garbage...)) },
		func() *http.Request { return post(give(p.Unit), m.Device, make([]byte, room.MaxBody+1)) },
		func() *http.Request { return post(base+"/result?unit="+p.Unit+"&part=0&of=2", m.Device, ok) },
		func() *http.Request { return post(base+"/result?unit="+p.Unit+"&part=-1&of=1", m.Device, ok) },
		func() *http.Request { return post(base+"/result?unit="+p.Unit+"&part=1e9&of=NaN", m.Device, ok) },
		func() *http.Request { return with(post(give(p.Unit), m.Device, ok), "Origin", "https://evil.example") },
		func() *http.Request { return with(post(give(p.Unit), m.Device, ok), "Origin", "null") },
		func() *http.Request { return with(post(give(p.Unit), m.Device, ok), "Sec-Fetch-Site", "cross-site") },
		func() *http.Request { return with(post(give(p.Unit), m.Device, ok), "Content-Type", "text/plain") },
		func() *http.Request { return method(post(give(p.Unit), m.Device, ok), "PUT") },
		func() *http.Request { return method(post(base, m.Device, nil), "DELETE") },
		func() *http.Request { return post(base+"/close", m.Device, nil) }, // no token
		func() *http.Request {
			return with(post(base+"/close", m.Device, nil), "Authorization", "Bearer "+o.Code)
		},
		func() *http.Request { return post(base+"/drop?device="+stranger.Device, m.Device, nil) },
		func() *http.Request { return post(base+"/board", m.Device, []byte("<b>")) },
		func() *http.Request { return post(base+"/ask?step=1&answers=2", m.Device, nil) },
		func() *http.Request { return post(base+"/vote?step=1&answer=0", room.NewSecret(), nil) }, // nothing is asked
		func() *http.Request { return post(base+"/vote?step="+markup+"&answer=0", m.Device, nil) },
		func() *http.Request { return post(base+"/vote?step=1&answer=-1", m.Device, nil) },
		func() *http.Request { return post(base+"/vote?step=1&answer=4", m.Device, nil) },
		func() *http.Request { return method(post(base+"/votes?step=1", m.Device, nil), "GET") },
		func() *http.Request {
			return with(post(base+"/ask?step=61&answers=2", m.Device, nil), "Authorization", "Bearer "+o.Token)
		},
		func() *http.Request { return post(base+"/units", m.Device, garbage) },
		func() *http.Request {
			return with(post(base+"/units", m.Device, garbage), "Authorization", "Bearer "+o.Token)
		},
		func() *http.Request { return post(base+"/part?name=file/own&part=0&of=1", m.Device, ok) },
		func() *http.Request {
			return with(post(base+"/part?name=file/"+markup+"&part=0&of=1", "", ok), "Authorization", "Bearer "+o.Token)
		},
		func() *http.Request { return with(post(base+"/take", m.Device, nil), room.HeaderBuild, markup) },
		func() *http.Request { return post(base+"/again?unit="+p.Unit, m.Device, nil) },
		func() *http.Request { return post(base+"/renew?unit="+p.Unit, stranger.Device, nil) },
		func() *http.Request {
			return method(post(base+"/part?name=result/"+p.Unit+"/"+m.Device+"&part=0", "", nil), "GET")
		},
		func() *http.Request { return method(post(base+"/part?name=../../etc/passwd&part=0", "", nil), "GET") },
		func() *http.Request { return method(post(base+"/results?after=0", "", nil), "GET") },
		func() *http.Request { return method(post(base+"/devices", "", nil), "GET") },
		func() *http.Request { return post(l.base+"api/rooms", "", garbage) },
		func() *http.Request {
			return post(l.base+"api/rooms", "", []byte(`{"link":"<script>","build":"x"}`))
		},
		func() *http.Request { return post(l.base+"api/"+markup, "", ok) },
	}
	return options[r.IntN(len(options))]()
}

// A thousand hostile requests change nothing and get an error with a name.
func TestHostile(t *testing.T) {
	l := newLab(t)
	l.attack(func(*room.Owner) string { return l.state() })
}

// attack makes the requests; state is all that may not change.
func (l *lab) attack(state func(*room.Owner) string) {
	t := l.t
	t.Helper()
	o, _ := l.open(3)
	m, stranger := l.join(o), l.join(o)
	p := l.take(m)
	l.take(stranger)
	r := rand.New(rand.NewPCG(1, 2))
	before := state(o)
	for range 1000 {
		q := hostile(r, l, o, m, stranger, p)
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(q.Method, q.URL, err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		var f room.Failure
		if res.StatusCode < 400 || res.StatusCode > 499 || json.Unmarshal(body, &f) != nil || f.Err() == nil ||
			!strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") ||
			res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: %d %s", q.Method, q.URL, res.StatusCode, body)
		}
		if bytes.Contains(body, []byte("<script")) {
			t.Errorf("%s %s: markup comes back: %s", q.Method, q.URL, body)
		}
	}
	if after := state(o); after != before {
		t.Errorf("hostile requests changed the database from\n%s\nto\n%s", before, after)
	}
	l.give(m, p, "x") // all still works
	if err := m.Give(t.Context(), p, result("y")); err == nil {
		t.Error("a device gave another result of the same unit")
	}
}
