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

// exec changes the database by hand.
func (l *lab) exec(query string, args ...any) {
	l.t.Helper()
	if _, err := l.db.Exec(query, args...); err != nil {
		l.t.Fatal(err)
	}
}

// count is a number in the database.
func (l *lab) count(query string, args ...any) (n int) {
	l.t.Helper()
	if err := l.db.QueryRow(query, args...).Scan(&n); err != nil {
		l.t.Fatal(err)
	}
	return n
}

// refusedAs checks the status and a part of the text of an error.
func refusedAs(t *testing.T, err error, status int, part string) {
	t.Helper()
	no, ok := err.(*room.Refused)
	if !ok || no.Status != status || !strings.Contains(err.Error(), part) {
		t.Errorf("the answer was %v, not %d with %q", err, status, part)
	}
}

// wanted makes the check of a unit wanted, as chance does.
func (l *lab) wanted(o *room.Owner, unit string) {
	l.t.Helper()
	if _, err := l.db.Exec("UPDATE unit SET look = 1 WHERE room = ? AND id = ?", o.Code, unit); err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.db.Exec("UPDATE room SET looks = 1 WHERE code = ?", o.Code); err != nil {
		l.t.Fatal(err)
	}
}

// unwanted takes the checks back that chance has chosen.
func (l *lab) unwanted(o *room.Owner) {
	l.t.Helper()
	if _, err := l.db.Exec("UPDATE unit SET look = 0; UPDATE room SET looks = 0"); err != nil {
		l.t.Fatal(err)
	}
}

// A check is done by another machine; a device that is left out gets nothing any more, and what it did is free again
// once the host wants it.
func TestChecksAndLeftOut(t *testing.T) {
	l := newLab(t)
	o, posts := l.open(2)
	a, b := l.join(o), l.join(o)
	first := l.take(a)
	l.give(a, first, "wrong")
	l.wanted(o, first.Unit)
	second := l.take(a)
	if second.Unit == first.Unit {
		t.Errorf("a checks its own unit: %+v", second)
	}
	l.give(a, second, "wrong")
	l.unwanted(o)
	l.wanted(o, first.Unit)
	check := l.take(b)
	if info, err := o.Info(t.Context()); check.Unit != first.Unit || err != nil || info.Looks != 1 {
		t.Errorf("b got %+v; %+v, %v", check, info, err)
	}
	l.give(b, check, "right")
	if info, err := o.Info(t.Context()); err != nil || info.Looks != 0 || info.Done != 2 {
		t.Errorf("after the check %+v, %v", info, err)
	}
	for range 2 {
		if err := o.Drop(t.Context(), a.Device); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := a.Take(t.Context()); err == nil || !strings.Contains(err.Error(), "left out") {
		t.Errorf("a device that was left out got %v", err)
	}
	m := &room.Member{Client: o.Client, Device: room.NewDevice(room.Machine(a.Device))}
	if _, _, err := m.Take(t.Context()); err == nil || !strings.Contains(err.Error(), "left out") {
		t.Errorf("another device of a machine that was left out got %v", err)
	}
	if p, _, _ := b.Take(t.Context()); p != nil {
		t.Error("units that the host has not put again were given")
	}
	if err := o.Put(t.Context(), posts); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		p := l.take(b)
		l.give(b, p, "right")
	}
	if info, _ := o.Info(t.Context()); info.Units != 2 || info.Done != 2 {
		t.Errorf("%+v", info)
	}
	all, err := o.Results(t.Context(), 0)
	if err != nil || len(all.All) != 4 || len(all.All[0].Body)+len(all.All[1].Body) > 0 || all.All[2].Device != b.Device ||
		all.All[3].Device != b.Device {
		t.Errorf("results %+v, %v", all.All, err)
	}
}

// A device that renews for ever holds a unit only until another one has nothing else to do.
func TestHolder(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(2)
	holder, honest := l.join(o), l.join(o)
	held := l.take(holder)
	own := l.take(honest)
	l.give(honest, own, "x")
	for range 9 { // 90 s: nobody knows yet how long a unit takes
		l.now = l.now.Add(10 * time.Second)
		if err := holder.Renew(t.Context(), held); err != nil {
			t.Fatal(err)
		}
		l.unwanted(o)
	}
	if again := l.take(honest); again.Unit != held.Unit {
		t.Fatalf("the device that waits got %s, not the unit that is held, %s", again.Unit, held.Unit)
	}
	until := l.count("SELECT until FROM unit WHERE id = ?", held.Unit)
	l.now = l.now.Add(5 * time.Second)
	if err := holder.Renew(t.Context(), held); err != nil {
		t.Fatal(err) // it may go on, but not as the holder
	}
	if l.count("SELECT until FROM unit WHERE id = ?", held.Unit) != until {
		t.Error("who is no more the holder renewed the lease")
	}
	l.give(holder, held, "late") // whoever is first
	if info, _ := o.Info(t.Context()); info.Done != 2 {
		t.Errorf("%+v", info)
	}

	// Alone it may renew for so long, and no longer.
	o, _ = l.open(1)
	holder = l.join(o)
	held = l.take(holder)
	for range 61 {
		l.now = l.now.Add(10 * time.Second)
		if err := holder.Renew(t.Context(), held); err != nil {
			t.Fatal(err)
		}
	}
	l.now = l.now.Add(20 * time.Second)
	if again := l.take(l.join(o)); again.Unit != held.Unit {
		t.Error("a unit that is renewed for ever is not given again")
	}
}

// A device that was left out can renew nothing, and what it held is free.
func TestDroppedHolder(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(1)
	holder := l.join(o)
	held := l.take(holder)
	if err := o.Drop(t.Context(), holder.Device); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, holder.Renew(t.Context(), held), 403, "left out")
	refusedAs(t, holder.Give(t.Context(), held, result("x")), 403, "left out")
	if again := l.take(l.join(o)); again.Unit != held.Unit {
		t.Error("what a device held that was left out is not free")
	}
}

// Whether a device is left out before, while or after it gives a result or takes a unit: the units that the host puts
// again are free.
func TestDropRace(t *testing.T) {
	l := newLab(t)
	l.limits.Ledger = nil
	for range tier.Size(20, 100, 600) {
		o, posts := l.open(2)
		liar, honest := l.join(o), l.join(o)
		p := l.take(liar)
		var both sync.WaitGroup
		both.Go(func() {
			if liar.Give(t.Context(), p, result("lie")) == nil {
				_, _, _ = liar.Take(t.Context())
			}
		})
		both.Go(func() { _ = o.Drop(t.Context(), liar.Device) })
		both.Wait()
		if err := o.Put(t.Context(), posts); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			p := l.take(honest)
			l.give(honest, p, "right")
		}
		if info, err := o.Info(t.Context()); err != nil || info.Done != 2 || info.Units != 2 {
			t.Fatalf("%+v, %v", info, err)
		}
	}
}

// Results that never become whole fill a share of the room, and are gone when the unit goes to another device; results
// of others come in meanwhile, and what was sent by devices that are left out makes room again.
func TestFill(t *testing.T) {
	l := newLab(t)
	l.limits.Room = 16 << 20
	o, _ := l.open(6)
	part := make([]byte, room.PartSize)
	send := func(m *room.Member, p *room.Parcel, k int) int {
		q, _ := http.NewRequest("POST", fmt.Sprintf("%sapi/rooms/%s/result?unit=%s&part=%d&of=64", l.base, o.Code, p.Unit,
			k), strings.NewReader(string(part)))
		q.Header.Set("Content-Type", "application/octet-stream")
		q.Header.Set(room.HeaderDevice, m.Device)
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	last := 0
	for range 4 { // throw-away devices
		m := l.join(o)
		p := l.take(m)
		for k := range 3 {
			last = send(m, p, k)
		}
	}
	if last != 429 {
		t.Errorf("the last part that is not whole was answered by %d, not by 429", last)
	}
	if held := l.count("SELECT bytes FROM room"); held > l.limits.Room/8+3<<20 {
		t.Errorf("results that are not whole hold %d bytes of %d", held, l.limits.Room)
	}
	honest := l.join(o)
	l.give(honest, l.take(honest), "small")
	before := l.count("SELECT loose FROM room")
	l.now = l.now.Add(30 * time.Second) // the leases run out
	for range 5 {
		l.unwanted(o)
		l.give(honest, l.take(honest), "small")
	}
	if after := l.count("SELECT loose FROM room"); before == 0 || after != 0 {
		t.Errorf("parts of results that will never be whole: %d bytes, then %d", before, after)
	}
	if info, _ := o.Info(t.Context()); info.Done != 6 {
		t.Errorf("%+v", info)
	}

	// A full room says so, and the host can make room by leaving a device out.
	o, _ = l.open(3)
	greedy := l.join(o)
	p := l.take(greedy)
	l.exec("UPDATE room SET bytes = ? WHERE code = ?", l.limits.Room, o.Code)
	if status := send(greedy, p, 0); status != 429 {
		t.Errorf("a full room answers by %d", status)
	}
	if all, err := o.Results(t.Context(), 0); err != nil || !all.Full {
		t.Errorf("the host of a full room hears %+v, %v", all, err)
	}
}

// A clock that goes back frees what was leased, rather than hold it for as long.
func TestClock(t *testing.T) {
	for _, jump := range []time.Duration{-time.Hour, time.Hour} {
		l := newLab(t)
		o, _ := l.open(1)
		dead, other := l.join(o), l.join(o)
		held := l.take(dead)
		l.now = l.now.Add(jump)
		if p := l.take(other); p.Unit != held.Unit {
			t.Errorf("after %v the unit is not free", jump)
		}
	}
}

// Ten thousand invented devices do not keep others out, nor make them wait.
func TestStrangers(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(3)
	worker := l.join(o)
	l.give(worker, l.take(worker), "x")
	l.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO device(room, id,
		joined, seen) SELECT ?, printf('%032x', i), ?, ? FROM n`, room.MaxDevice-1, o.Code, l.now.UnixMilli(),
		l.now.UnixMilli())
	l.exec("UPDATE room SET strangers = ?", room.MaxDevice-1)
	m := &room.Member{Client: o.Client, Device: room.NewSecret()}
	q, _ := http.NewRequest("POST", l.base+"api/rooms/"+o.Code+"/take", nil)
	q.Header.Set("Content-Type", "application/octet-stream")
	q.Header.Set(room.HeaderDevice, m.Device)
	q.Header.Set(room.HeaderBuild, room.Build)
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 429 || res.Header.Get("Retry-After") == "" {
		t.Errorf("a full room answers by %d, %q", res.StatusCode, res.Header.Get("Retry-After"))
	}
	l.now = l.now.Add(2 * time.Minute)
	l.give(m, l.take(m), "x")
	l.give(worker, l.take(worker), "x")
	if _, wait, err := worker.Take(t.Context()); err != nil || wait > 2*time.Second {
		t.Errorf("who waits is told to wait for %v, %v", wait, err)
	}
	if n := l.count("SELECT count(*) FROM device"); n != room.MaxDevice {
		t.Errorf("the room has %d devices", n)
	}
	// One machine cannot fill it either.
	machine := room.NewSecret()
	l.exec("INSERT INTO machine(room, id, devices) VALUES(?, ?, 1000)", o.Code, room.Machine(machine))
	one := &room.Member{Client: o.Client, Device: room.NewDevice(machine)}
	_, _, err = one.Take(t.Context())
	refusedAs(t, err, 429, "of one machine")
}

// A unit whose result is an error is free at once, for other devices.
func TestErrorsAreFree(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(1)
	bad, good := l.join(o), l.join(o)
	p := l.take(bad)
	if err := bad.Give(t.Context(), p, []byte{room.KindError, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if err := o.Again(t.Context(), p.Unit); err != nil {
		t.Fatal(err)
	}
	if again, _, _ := bad.Take(t.Context()); again != nil {
		t.Error("the device that failed got the unit again")
	}
	l.give(good, l.take(good), "x")
	if info, _ := o.Info(t.Context()); info.Done != 1 {
		t.Errorf("%+v", info)
	}
}

// Wrong codes, rooms and links of one address are counted; rooms with files have longer codes.
func TestQuotas(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	if long, err := room.Open(t.Context(), l.transport(), "v=1&model=mixture2", "own"); err != nil ||
		len(long.Code) != room.LongCode || len(o.Code) != room.ShortCode {
		t.Errorf("codes %s and %v, %v", o.Code, long, err)
	}
	var err error
	for range 400 {
		wrong := &room.Client{Transport: l.transport(), Code: room.NewCode(room.ShortCode)}
		if _, err = wrong.Info(t.Context()); err == nil {
			t.Fatal("a code was guessed")
		}
	}
	refusedAs(t, err, 429, "too many wrong codes")
	if _, err := o.Info(t.Context()); err != nil {
		t.Error(err) // who has a code is not bothered
	}
	for range 200 {
		_, err = room.Open(t.Context(), l.transport(), "v=1&model=mixture2")
	}
	refusedAs(t, err, 429, "too many rooms")
	l.now = l.now.Add(time.Hour)
	l.open(0)

	// The link that nobody used for longest makes room for another one.
	share := func(title string) string {
		id, err := room.PutShare(t.Context(), l.transport(), room.Share{Link: "v=1&model=mixture2", Title: title})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	old, used := share("old"), share("used")
	l.now = l.now.Add(48 * time.Hour)
	if res, err := http.Get(l.base + "s/" + used); err != nil || res.StatusCode != 200 {
		t.Fatal(err)
	}
	l.exec("UPDATE total SET n = 200000 WHERE name = 'shares'")
	share("new")
	for id, want := range map[string]int{old: 404, used: 200} {
		if res, err := http.Get(l.base + "s/" + id); err != nil || res.StatusCode != want {
			t.Errorf("%s: %v, %v", id, res.Status, err)
		}
	}
}
