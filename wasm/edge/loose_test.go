package edge_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"logzlab/core/labtest/tier"
	"logzlab/wasm/room"
)

// A large result and what makes way for another device's come at the same time: whoever is first, a result that the
// host hears of has all of its parts, and the unit is computed.
func TestLooseRace(t *testing.T) {
	l := newLab(t)
	l.limits.Ledger = nil
	send := func(m *room.Member, p *room.Parcel, part int, body []byte) int {
		path := fmt.Sprintf("rooms/%s/result?unit=%s&part=%d&of=2", m.Code, p.Unit, part)
		a, err := l.transport().Send(t.Context(), room.Request{Method: "POST", Path: path, Body: body, Device: m.Device})
		if err != nil {
			t.Error(err)
		}
		return a.Status
	}
	big := result(string(make([]byte, room.PartSize)))
	for k := range tier.Size(6, 20, 300) {
		o, _ := l.open(1)
		slow, other := l.join(o), l.join(o)
		p := l.take(slow)
		if status := send(slow, p, 0, big[:room.PartSize]); status != http.StatusOK {
			t.Fatal(status)
		}
		asks := other // whose unit it becomes
		if k%2 == 0 {
			asks = slow
		} else {
			l.now = l.now.Add(21 * time.Second)
		}
		var both sync.WaitGroup
		both.Go(func() { send(slow, p, 1, big[room.PartSize:]) })
		both.Go(func() {
			for range 4 {
				_, _, _ = asks.Take(t.Context())
			}
		})
		both.Wait()
		if _, err := o.Results(t.Context(), 0); err != nil {
			t.Fatalf("%d: the host hears %v", k, err)
		}
		if info, err := o.Info(t.Context()); err != nil || info.Done != 1 {
			if p, _, err := other.Take(t.Context()); err != nil || p == nil {
				t.Fatalf("%d: the unit is neither done nor free: %+v, %v", k, info, err)
			}
		}
	}
}

// A full room that has ended, and a machine whose results are large, are deleted in pieces that hold up nobody.
func TestLargeDeleted(t *testing.T) {
	l := newLab(t)
	const some = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) INSERT INTO part SELECT ?, `
	size := func(o *room.Owner) int { return l.count("SELECT bytes FROM room WHERE code = ?", o.Code) }
	o, posts := l.open(2)
	bad, good := l.join(o), l.join(o)
	l.give(bad, l.take(bad), "wrong")
	l.exec(some+`'result/' || id || '/' || by, i, 'x', hex(zeroblob(524288)) FROM n, unit WHERE room = ? AND done = 1`,
		o.Code, o.Code)
	if size(o) < 30<<20 {
		t.Fatal(size(o))
	}
	if err := o.Drop(t.Context(), bad.Device); err != nil || size(o) > 1000 {
		t.Errorf("%d bytes are left of a machine that was left out, %v", size(o), err)
	}
	if err := o.Put(t.Context(), posts); err != nil {
		t.Fatal(err)
	}
	l.give(good, l.take(good), "right")

	l.exec(some+`'round/' || i, 0, 'x', hex(zeroblob(524288)) FROM n`, o.Code)
	l.now = l.now.Add(25 * time.Hour)
	for before := size(o); ; {
		l.open(1)
		after := l.count("SELECT coalesce(sum(bytes), 0) FROM room WHERE code = ?", o.Code)
		if after >= before || before-after > 20<<20 {
			t.Fatalf("one host's opening and putting deletes %d bytes of %d", before-after, before)
		}
		if before = after; l.count("SELECT count(*) FROM room WHERE code = ?", o.Code) == 0 {
			break
		}
	}
	if strings.Contains(l.state(), o.Code) {
		t.Error("something is left of a room that ended")
	}
}

// Who takes units under ever new names, and gives nothing, gets no unit that another device let go, unless nobody who
// gives wants it.
func TestHoarder(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(2)
	honest := l.join(o)
	l.give(honest, l.take(honest), "x")
	l.unwanted(o)
	held := l.take(l.join(o))
	for range 2 {
		l.now = l.now.Add(21 * time.Second) // the lease runs out
		if p, _, err := l.join(o).Take(t.Context()); err != nil || p != nil {
			t.Fatalf("another name got %+v, %v", p, err)
		}
		if p := l.take(honest); p.Unit != held.Unit {
			t.Fatalf("who gives got %+v", p)
		}
		l.exec("UPDATE device SET unit = ''") // it is away
	}
	l.now = l.now.Add(41 * time.Second)
	if p := l.take(l.join(o)); p.Unit != held.Unit {
		t.Errorf("a new device got %+v", p)
	}
}
