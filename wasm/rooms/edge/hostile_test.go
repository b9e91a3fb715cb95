package edge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"logzlab/wasm/rooms/room"
)

// hostile makes a request with one error. Device a of the room has replicate k of the run, and has sent replicate
// given.
func hostile(r *rand.Rand, l *lab, o *room.Owner, a, stranger *room.Client, k, given int) *http.Request {
	base := l.base + "api/rooms/" + o.Code
	markup := "%3Cscript%3Ealert(1)%3C/script%3E"
	post := func(url, device string, body []byte) *http.Request {
		q, err := http.NewRequest("POST", url, bytes.NewReader(body))
		if err != nil {
			l.t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/octet-stream")
		q.Header.Set(room.HeaderAPI, strconv.Itoa(room.API))
		q.Header.Set(room.HeaderDevice, device)
		q.Header.Set(room.HeaderBuild, room.Build)
		q.Header.Set("CF-Connecting-IP", fmt.Sprintf("192.0.2.%d", r.IntN(256)))
		return q
	}
	give := func(run, index any) string { return fmt.Sprintf("%s/result?run=%v&index=%v", base, run, index) }
	garbage := make([]byte, 1+r.IntN(300))
	for i := range garbage {
		garbage[i] = byte(r.Uint32())
	}
	ok := outcome(k)
	with := func(q *http.Request, header, value string) *http.Request { q.Header.Set(header, value); return q }
	host := func(q *http.Request) *http.Request { return with(q, "Authorization", "Bearer "+o.Token) }
	method := func(q *http.Request, m string) *http.Request { q.Method = m; return q }
	options := []func() *http.Request{
		// The path of the room, the version, and the origin of a request.
		func() *http.Request { return post(strings.Replace(give(1, k), o.Code, "ABCDEFGH", 1), a.Device, ok) },
		func() *http.Request { return post(strings.Replace(give(1, k), o.Code, "ABCDEF", 1), a.Device, ok) },
		func() *http.Request { return post(strings.Replace(give(1, k), o.Code, markup, 1), a.Device, ok) },
		func() *http.Request { return with(post(give(1, k), a.Device, ok), room.HeaderAPI, "2") },
		func() *http.Request { return with(post(give(1, k), a.Device, ok), room.HeaderAPI, "") },
		func() *http.Request { return with(post(l.base+"api/rooms", "", nil), room.HeaderAPI, "") },
		func() *http.Request { return with(post(l.base+"api/rooms", "", nil), room.HeaderAPI, markup) },
		func() *http.Request { return with(post(give(1, k), a.Device, ok), "Origin", "https://evil.example") },
		func() *http.Request { return with(post(give(1, k), a.Device, ok), "Origin", "null") },
		func() *http.Request { return with(post(give(1, k), a.Device, ok), "Sec-Fetch-Site", "cross-site") },
		func() *http.Request { return with(post(give(1, k), a.Device, ok), "Content-Type", "text/plain") },
		func() *http.Request { return method(post(give(1, k), a.Device, ok), "PUT") },
		func() *http.Request { return method(post(base, a.Device, nil), "DELETE") },
		func() *http.Request { return post(l.base+"api/"+markup, "", ok) },
		func() *http.Request { return post(base+"/units", a.Device, garbage) },
		func() *http.Request { return post(base+"/renew?unit="+room.NewSecret(), a.Device, nil) },

		// Results.
		func() *http.Request { return post(give(1, given), a.Device, garbage) }, // another than before
		func() *http.Request { return post(give(1, 0), a.Device, ok) },
		func() *http.Request { return post(give(1, k+1), a.Device, ok) },
		func() *http.Request { return post(give(1, -1), a.Device, ok) },
		func() *http.Request { return post(give(1, "1e9"), a.Device, ok) },
		func() *http.Request { return post(give(1, markup), a.Device, ok) },
		func() *http.Request { return post(give(1, "9999999999999999999999"), a.Device, ok) },
		func() *http.Request { return post(base+"/result?run=1", a.Device, ok) },
		func() *http.Request { return post(give(2, k), a.Device, ok) },
		func() *http.Request { return post(give(0, k), a.Device, ok) },
		func() *http.Request { return post(give(markup, k), a.Device, ok) },
		func() *http.Request { return post(give(1, k), a.Device, nil) },
		func() *http.Request { return post(give(1, k), stranger.Device, ok) }, // which has another replicate
		func() *http.Request { return post(give(1, k), "' OR 1=1 --", ok) },
		func() *http.Request { return post(give(1, k), strings.ToUpper(room.NewSecret())[:31]+"G", ok) },
		func() *http.Request { return post(give(1, k), "", ok) },
		func() *http.Request { return post(give(1, k), a.Device, make([]byte, room.MaxBody+1)) },

		// Replicates, and votes.
		func() *http.Request { return with(post(base+"/take?run=1", a.Device, nil), room.HeaderBuild, markup) },
		func() *http.Request { return with(post(base+"/take?run=1", a.Device, nil), room.HeaderBuild, "") },
		func() *http.Request { return post(base+"/take?run=2", a.Device, nil) },
		func() *http.Request { return post(base+"/take", a.Device, nil) },
		func() *http.Request { return method(post(base+"/take?run=1", a.Device, nil), "GET") },
		func() *http.Request { return post(base+"/vote?step=1&answer=0", a.Device, nil) }, // nothing is asked
		func() *http.Request { return post(base+"/vote?step="+markup+"&answer=0", a.Device, nil) },
		func() *http.Request { return post(base+"/vote?step=1&answer=-1", a.Device, nil) },
		func() *http.Request { return post(base+"/vote?step=1&answer=4", a.Device, nil) },
		func() *http.Request { return post(base+"/turn?to=1", a.Device, nil) },
		func() *http.Request { return host(post(base+"/turn?to=1", a.Device, nil)) }, // the token of the host

		// Requests of the host only, and requests that the host may not make.
		func() *http.Request { return post(base+"/close", a.Device, nil) },
		func() *http.Request { return with(post(base+"/close", "", nil), "Authorization", "Bearer "+o.Code) },
		func() *http.Request { return with(post(base+"/close", "", nil), "Authorization", o.Token) },
		func() *http.Request { return post(base+"/drop?device="+stranger.Device, a.Device, nil) },
		func() *http.Request { return host(post(base+"/drop?device="+markup, "", nil)) },
		func() *http.Request { return post(base+"/board", a.Device, []byte("<b>")) },
		func() *http.Request { return host(post(base+"/board", "", make([]byte, room.MaxBoard+1))) },
		func() *http.Request { return post(base+"/ask?step=1&answers=2", a.Device, nil) },
		func() *http.Request { return host(post(base+"/ask?step=61&answers=2", "", nil)) },
		func() *http.Request { return host(post(base+"/ask?step=1&answers=5", "", nil)) },
		func() *http.Request { return method(post(base+"/votes?step=1", a.Device, nil), "GET") },
		func() *http.Request { return method(post(base+"/results?run=1&after=0", a.Device, nil), "GET") },
		func() *http.Request { return method(host(post(base+"/results?run=2&after=0", "", nil)), "GET") },
		func() *http.Request { return method(host(post(base+"/results?run=1&after=-1", "", nil)), "GET") },
		func() *http.Request { return method(post(base+"/devices", a.Device, nil), "GET") },
		func() *http.Request { return post(base+"/finish?run=1", a.Device, nil) },
		func() *http.Request { return host(post(base+"/finish?run="+markup, "", nil)) },
		func() *http.Request {
			return post(base+"/run", a.Device, []byte(`{"link":"v=1&a","build":"b","replicates":1}`))
		},
		func() *http.Request { return host(post(base+"/run", "", garbage)) },
		func() *http.Request { return host(post(base+"/run", "", []byte(strings.Repeat("[", 100_000)))) },
		func() *http.Request { return post(base+"/file?name=own&part=0&of=1", a.Device, ok) },
		func() *http.Request { return host(post(base+"/file?name="+markup+"&part=0&of=1", "", ok)) },
		func() *http.Request { return host(post(base+"/file?name=own&part=1&of=1", "", ok)) },
		func() *http.Request { return host(post(base+"/file?name=own&part=0&of=2", "", ok)) },
		func() *http.Request { return host(post(base+"/file?name=own&part=64&of=65", "", ok)) },
		func() *http.Request {
			return host(post(base+"/file?name=own&part=0&of=1", "", make([]byte, room.MaxBody)))
		},
		func() *http.Request { return method(post(base+"/file?name=../../etc/passwd&part=0", "", nil), "GET") },
		func() *http.Request { return method(post(base+"/file?name=own&part=0", "", nil), "GET") },
	}
	return options[r.IntN(len(options))]()
}

// A thousand hostile requests change nothing and get an error with a code.
func TestHostile(t *testing.T) {
	l := newLab(t)
	l.attack(func(*room.Owner) string { return l.state() })
	l.counters()
}

// attack sends the requests. state returns everything that must not change.
func (l *lab) attack(state func(*room.Owner) string) {
	t := l.t
	t.Helper()
	o, run := l.open(5)
	a, stranger := l.join(o), l.join(o)
	given := l.take(a, run)
	l.give(a, run, given, outcome(given))
	k := l.take(a, run)
	l.take(stranger, run)
	r := rand.New(rand.NewPCG(1, 2))
	before := state(o)
	for range 1000 {
		q := hostile(r, l, o, a, stranger, k, given)
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
	l.give(a, run, k, outcome(k)) // all still works
}

// A page of an older version gets an error about it for every request.
func TestOldPages(t *testing.T) {
	l := newLab(t)
	for _, path := range []string{"rooms", "rooms/ABCDEF/units", "rooms/ABCDEF/take"} {
		res, err := http.Post(l.base+"api/"+path, "application/octet-stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != 426 || !bytes.Contains(b, []byte("load it again")) {
			t.Errorf("%s: %d %s", path, res.StatusCode, b)
		}
	}
	if status, body := get(t, l.base+"api/meta"); status != 200 || !strings.Contains(body, `"api":3`) {
		t.Errorf("%d %s", status, body)
	}
}
