package edge_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"logzlab/internal/tier"
	"logzlab/wasm/rooms/room"
)

// actor is a device in a simulation on the lab's clock: act does something, and returns for how long it does nothing
// then.
type actor struct {
	at  int64
	act func() time.Duration
}

// simulate lets actors act in the order of their times until a run is complete. It returns the time of the run, and the
// longest time without a first result of a replicate.
func (l *lab) simulate(o *room.Owner, run room.Run, actors ...*actor) (took, stall time.Duration) {
	l.t.Helper()
	begun := l.clock.Load()
	for _, a := range actors {
		a.at = begun
	}
	for done, last := 0, begun; done < run.Replicates; {
		next := actors[0]
		for _, a := range actors {
			if a.at < next.at {
				next = a
			}
		}
		l.clock.Store(next.at)
		next.at += max(1, next.act().Milliseconds())
		if now := l.count("SELECT done FROM room WHERE code = ?", o.Code); now > done {
			stall = max(stall, time.Duration(l.clock.Load()-last)*time.Millisecond)
			done, last = now, l.clock.Load()
		}
		if took = time.Duration(l.clock.Load()-begun) * time.Millisecond; took > time.Hour {
			l.t.Fatalf("after %v %d of %d replicates are done", took, done, run.Replicates)
		}
	}
	return took, stall
}

// worker computes replicates. pause returns the time of the next one.
func (l *lab) worker(o *room.Owner, run room.Run, pause func() time.Duration) *actor {
	c, index := &room.Client{Transport: l.from(1), Code: o.Code, Device: room.NewSecret()}, 0
	return &actor{act: func() time.Duration {
		if index > 0 {
			l.give(c, run, index, outcome(index))
			index = 0
		}
		x, err := c.TakeReplicate(l.t.Context(), run.ID)
		if err != nil {
			l.t.Fatal(err)
		}
		if index = x.Index; index == 0 {
			return time.Duration(x.Wait) * time.Millisecond
		}
		return pause()
	}}
}

// honest returns four devices whose replicates take a second on average.
func (l *lab) honest(o *room.Owner, run room.Run, r *rand.Rand) (all []*actor) {
	for range 4 {
		all = append(all, l.worker(o, run, func() time.Duration {
			return time.Duration(500+r.IntN(1000)) * time.Millisecond
		}))
	}
	return all
}

// Break review F2: four loops take replicates with ever new ids, at any number of addresses, and compute nothing. The
// run does not stop for longer than three mean replicates. Neither does it for a device that falls asleep with every
// second replicate.
func TestHoard(t *testing.T) {
	l := newLab(t)
	r := rand.New(rand.NewPCG(1, 2))
	o, _ := l.open(0)
	alone, hoarded, slept := time.Duration(0), time.Duration(0), time.Duration(0)
	for range tier.Size(1, 3, 20) {
		start := func() room.Run {
			run, err := o.Start(t.Context(), link, 33, nil)
			if err != nil {
				t.Fatal(err)
			}
			return run
		}
		run := start()
		took, stall := l.simulate(o, run, l.honest(o, run, r)...)
		alone = max(alone, took)

		run = start()
		actors := l.honest(o, run, r)
		for range 4 {
			actors = append(actors, &actor{act: func() time.Duration {
				l.exec("DELETE FROM usage")
				c := &room.Client{Transport: l.from(2), Code: o.Code, Device: room.NewSecret()}
				_, _ = c.TakeReplicate(t.Context(), run.ID)
				return 50 * time.Millisecond
			}})
		}
		hoard, hoardStall := l.simulate(o, run, actors...)
		hoarded = max(hoarded, hoard)

		run = start()
		k := 0
		sleep, sleepStall := l.simulate(o, run, append(l.honest(o, run, r), l.worker(o, run, func() time.Duration {
			if k++; k%2 == 0 {
				return 20 * time.Second
			}
			return time.Second
		}))...)
		slept = max(slept, sleep)
		t.Logf("33 replicates of 1 s by 4 devices: alone %v, longest stall %v; with hoarders %v, %v; with a sleeper %v, %v",
			took, stall, hoard, hoardStall, sleep, sleepStall)
		if worst := max(hoardStall, sleepStall); worst > 3*time.Second {
			t.Errorf("nothing came for %v, where a replicate takes 1 s", worst)
		}
		l.counters()
	}
	if hoarded > 2*alone || slept > 2*alone {
		t.Errorf("%v alone, %v with hoarders, %v with a sleeper", alone, hoarded, slept)
	}
}

// Break review F4: 2,000 empty rooms do not keep anybody from opening one. A room with devices stays, and so does a
// room with a run whose host is active.
func TestManyRooms(t *testing.T) {
	l := newLab(t)
	first, run := l.open(2)
	worker := l.join(first)
	l.take(worker, run)
	class, _ := l.open(0)
	l.join(class)
	l.pass(time.Second)
	var err error
	var empty *room.Owner
	opened := 0
	for n := 0; opened < 2000; n++ {
		for range 60 {
			l.pass(time.Millisecond) // the server may end any of the rooms that were opened at the same time
			if empty, err = room.Open(t.Context(), l.from(n)); err != nil {
				t.Fatal(err)
			}
			opened++
		}
		_, err = room.Open(t.Context(), l.from(n))
		refusedAs(t, err, 429, "too many rooms were opened from this address")
	}
	if n := l.count("SELECT count(*) FROM room WHERE ends > ?", l.clock.Load()); n != 2000 {
		t.Errorf("there are %d rooms", n)
	}
	teacher, err := room.Open(t.Context(), l.from(1000))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []*room.Owner{first, class, empty, teacher} {
		l.info(o)
	}

	// While every room has a device, none is replaced; a minute later some are.
	l.exec(`INSERT INTO device(room, id, joined, seen) SELECT code, ?, ?, ? FROM room WHERE true ON CONFLICT DO NOTHING`,
		room.NewSecret(), l.clock.Load(), l.clock.Load())
	_, err = room.Open(t.Context(), l.from(1001))
	refusedAs(t, err, 429, "too many rooms open here")
	l.pass(2 * time.Minute)
	if _, err = room.Open(t.Context(), l.from(1001)); err != nil {
		t.Error(err)
	}
	l.counters()
}

// Break review F5: excluded ids with wrong results, and ids without results, do not keep anybody out of a room.
func TestManyDevices(t *testing.T) {
	l := newLab(t)
	o, run := l.open(room.MaxReplicates)
	host := room.NewOwner(l.from(0), o.Code, o.Token)
	worker := l.join(o)
	l.give(worker, run, l.take(worker, run), outcome(1))
	liars := tier.Size(2200, 3000, 10_000)
	var last *room.Client
	for k := range liars {
		if k%100 == 0 {
			l.exec("DELETE FROM usage")
		}
		last = &room.Client{Transport: l.from(1), Code: o.Code, Device: room.NewSecret()}
		l.give(last, run, l.take(last, run), []byte("Ex"))
		if k < room.MaxDevices-2 { // as many as there is room for, before the host finds them
			continue
		}
		if k == room.MaxDevices-2 {
			a := l.send(l.from(2), room.Request{Method: "POST", Path: fmt.Sprintf("rooms/%s/take?run=%d", o.Code, run.ID),
				Device: room.NewSecret(), Build: room.Build})
			answeredAs(t, a, 429, "the room is full: it takes 2000 devices")
			if a.Retry == 0 {
				t.Error("a full room does not say when to come again")
			}
		}
		if err := host.Exclude(t.Context(), last.Device); err != nil {
			t.Fatal(err)
		}
	}
	if n := l.count("SELECT devices FROM room"); n != room.MaxDevices {
		t.Errorf("the room has %d devices", n)
	}
	l.counters()

	// New devices can join and work; so can a device that was replaced while it computed.
	l.exec("DELETE FROM usage")
	newcomer := l.join(o)
	k := l.take(newcomer, run)
	for range 250 {
		stranger := &room.Client{Transport: l.from(3), Code: o.Code, Device: room.NewSecret()}
		l.take(stranger, run)
	}
	if _, err := newcomer.Info(t.Context()); err != nil {
		t.Error(err)
	}
	if err := newcomer.SendOutcome(t.Context(), run.ID, k, outcome(k)); err != nil {
		refusedAs(t, err, 409, "not given to this device")
		k = l.take(newcomer, run)
		l.give(newcomer, run, k, outcome(k))
	}
	l.give(worker, run, l.take(worker, run), outcome(1))

	// Devices with results do not wait for invented devices.
	if err := host.Finish(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	run, err := host.Start(t.Context(), link, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*room.Client{newcomer, worker} {
		l.give(d, run, l.take(d, run), outcome(1))
	}
	l.exec("UPDATE device SET given = 0 WHERE id NOT IN (?, ?)", newcomer.Device, worker.Device)
	if x, err := worker.TakeReplicate(t.Context(), run.ID); err != nil || x.Index != 0 || x.Wait > 100 {
		t.Errorf("%+v, %v", x, err)
	}
	l.counters()
}

// An address may add a limited number of new devices per minute; other addresses are not affected.
func TestJoins(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	info := room.Request{Method: "GET", Path: "rooms/" + o.Code}
	for range 300 {
		info.Device = room.NewSecret()
		answeredAs(t, l.send(l.from(1), info), 200, o.Code)
	}
	known := info
	info.Device = room.NewSecret()
	a := l.send(l.from(1), info)
	answeredAs(t, a, 429, "too many devices join from this address")
	if a.Retry <= 0 || a.Retry > time.Minute {
		t.Errorf("a device is to wait for %v", a.Retry)
	}
	answeredAs(t, l.send(l.from(1), known), 200, o.Code)
	answeredAs(t, l.send(l.from(2), info), 200, o.Code)
	l.pass(time.Minute)
	info.Device = room.NewSecret()
	answeredAs(t, l.send(l.from(1), info), 200, o.Code)
}

// Break review F7: an address that has tried a hundred wrong codes is refused even with a right one. Devices of the
// room, the host and its remote control at the same address continue, and so do other addresses.
func TestWrongCodes(t *testing.T) {
	l := newLab(t)
	o, run := l.open(1)
	known := &room.Client{Transport: l.from(1), Code: o.Code, Device: room.NewSecret()}
	l.take(known, run)
	guess := func(code string) room.Response {
		return l.send(l.from(1), room.Request{Method: "GET", Path: "rooms/" + code})
	}
	for range 100 {
		answeredAs(t, guess(room.NewCode()), 404, "there is no room")
	}
	answeredAs(t, guess(room.NewCode()), 429, "too many wrong codes")
	for _, r := range []room.Request{{}, {Device: room.NewSecret()}, {Token: room.NewSecret()}, {Token: o.Code}} {
		r.Method, r.Path = "GET", "rooms/"+o.Code
		a := l.send(l.from(1), r)
		answeredAs(t, a, 429, "too many wrong codes")
		if a.Retry == 0 || bytes.Contains(a.Body, []byte(link)) {
			t.Errorf("%+v", a)
		}
		r.Method, r.Path = "POST", fmt.Sprintf("rooms/%s/take?run=%d", o.Code, run.ID)
		answeredAs(t, l.send(l.from(1), r), 429, "too many wrong codes")
	}
	l.take(known, run)
	host := room.NewOwner(l.from(1), o.Code, o.Token)
	if _, err := host.Devices(t.Context()); err != nil {
		t.Error(err)
	}
	if err := known.PressRemote(t.Context(), room.Remote(room.Sum([]byte(o.Token))), true); err != nil {
		t.Error(err)
	}
	l.info(o) // at another address
	l.pass(10 * time.Minute)
	answeredAs(t, guess(o.Code), 200, o.Code)

	// Further guesses write nothing.
	for range 100 {
		guess(room.NewCode())
	}
	if n := l.count("SELECT n FROM usage WHERE what = 'code'"); n != 100 {
		t.Errorf("%d guesses were counted", n)
	}
}

// Wrong results fill seven eighths of a room. Then the room reports that it is full, its host can still upload files
// and exclude the device, and then others can send results again.
func TestFill(t *testing.T) {
	l := newLab(t)
	l.limits.Room = 8 << 20
	o, run := l.open(100)
	greedy, honest := l.join(o), l.join(o)
	give := func(c *room.Client, k int, body []byte) room.Response {
		return l.send(l.transport(), room.Request{Method: "POST", Device: c.Device, Body: body,
			Path: fmt.Sprintf("rooms/%s/result?run=%d&index=%d", o.Code, run.ID, k)})
	}
	mine := l.take(honest, run)
	garbage := make([]byte, room.MaxBody)
	var a room.Response
	for k := 0; k < 20 && a.Status < 300; k++ {
		a = give(greedy, l.take(greedy, run), garbage)
	}
	answeredAs(t, a, 429, "the room is full: it may hold 8 MB")
	if a.Retry == 0 || l.count("SELECT bytes FROM room") > 7<<20 {
		t.Errorf("%+v, %d bytes", a, l.count("SELECT bytes FROM room"))
	}
	if err := o.Exclude(t.Context(), greedy.Device); err != nil {
		t.Fatal(err)
	}
	answeredAs(t, give(honest, mine, outcome(mine)), 200, "")

	// The limit of all rooms together, and a part of a file that is uploaded twice.
	file := func(part, of int, body []byte) room.Response {
		return l.send(l.transport(), room.Request{Method: "POST", Token: o.Token, Body: body,
			Path: fmt.Sprintf("rooms/%s/file?name=own&part=%d&of=%d", o.Code, part, of)})
	}
	for k := range 4 {
		answeredAs(t, file(k, 7, garbage[:room.PartSize]), 200, "")
		answeredAs(t, file(k, 7, garbage[:room.PartSize]), 200, "")
	}
	l.counters()
	all := l.limits.All
	l.limits.All = l.count("SELECT n FROM total WHERE name = 'rooms'") + 100
	mine = l.take(honest, run)
	answeredAs(t, file(4, 5, garbage[:1000]), 429, "all rooms of this server together are full")
	answeredAs(t, give(honest, mine, garbage[:1000]), 429, "all rooms of this server together are full")
	answeredAs(t, give(honest, mine, outcome(mine)), 200, "")
	answeredAs(t, file(3, 4, garbage[:10]), 200, "")
	l.limits.All = all
	for k := range 6 {
		answeredAs(t, file(k, 7, garbage[:room.PartSize]), 200, "")
	}
	answeredAs(t, file(6, 8, garbage[:room.PartSize]), 429, "the room is full")
	mine = l.take(honest, run)
	answeredAs(t, give(honest, mine, outcome(mine)), 429, "the room is full")
	l.counters()
}
