package edge_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"logzlab/internal/tier"
	"logzlab/wasm/rooms/room"
)

// The complete protocol, natively; workerd_test.go runs the same on Cloudflare's runtime.
func TestProtocol(t *testing.T) {
	l := newLab(t)
	l.protocol()
	l.counters()
}

// protocol makes a room compute two runs, with every kind of request.
func (l *lab) protocol() {
	t := l.t
	t.Helper()
	ctx := t.Context()
	m, err := room.ReadMeta(ctx, l.transport())
	if err != nil {
		t.Fatal(err)
	}
	room.Build = m.Build
	o, _ := l.open(0)
	a, b := l.join(o), l.join(o)
	if i := l.info(o); i.Code != o.Code || i.Run != nil || i.Closed || i.Ends == 0 {
		t.Errorf("before a run %+v", i)
	}
	_, err = a.TakeReplicate(ctx, 1)
	refusedAs(t, err, 410, "this run is over")

	// Files in parts, of arbitrary bytes.
	big := bytes.Repeat([]byte("0123456789\x00\xff"), 250_000)
	run, err := o.Start(ctx, link, 3, map[string][]byte{"own": big, "rows": []byte("x")})
	if err != nil || run.ID != 1 || run.Replicates != 3 || len(run.Files) != 2 {
		t.Fatalf("%+v, %v", run, err)
	}
	i := l.info(o)
	if i.Run == nil || i.Run.Link != link || i.Run.Build != room.Build || i.Run.Over || i.Run.Done != 0 {
		t.Fatalf("%+v", i.Run)
	}
	for _, f := range i.Run.Files {
		want := map[string][]byte{"own": big, "rows": []byte("x")}[f.Name]
		if data, err := a.File(ctx, f); err != nil || !bytes.Equal(data, want) {
			t.Errorf("the file %s came back with %d bytes, %v", f.Name, len(data), err)
		}
	}

	// Each device gets the replicate that it has, then a new one, then one to confirm.
	if x := l.take(a, run); x != 1 || l.take(a, run) != 1 {
		t.Errorf("the first replicate is %d, or changes", x)
	}
	if x := l.take(b, run); x != 2 {
		t.Errorf("the second replicate is %d", x)
	}
	large := bytes.Repeat([]byte("0123456789\x00\xff"), room.MaxBody/12)
	l.give(a, run, 1, large)
	l.give(a, run, 1, large) // the answer was lost
	refusedAs(t, a.SendOutcome(ctx, run.ID, 1, outcome(1)), 409, "another result")
	refusedAs(t, a.SendOutcome(ctx, run.ID, 2, outcome(2)), 409, "not given to this device")
	l.give(b, run, 2, outcome(2))
	for _, x := range []struct {
		device *room.Client
		index  int
		body   []byte
	}{{a, 3, outcome(3)}, {a, 2, outcome(2)}, {b, 1, large}, {b, 3, []byte("something else")}} {
		if k := l.take(x.device, run); k != x.index {
			t.Fatalf("the device got %d, not %d", k, x.index)
		}
		l.give(x.device, run, x.index, x.body)
	}
	all := l.results(o, run)
	var said []string
	for _, r := range all {
		said = append(said, fmt.Sprint(r.Index, " ", r.Device == a.Device, " ", len(r.Body)))
	}
	if want := []string{fmt.Sprint("1 true ", len(large)), "2 false 9", "3 true 9", "2 true 0", "1 false 0",
		"3 false 0"}; !slices.Equal(said, want) {
		t.Errorf("results %q", said)
	}
	l.none(a, run)
	devices, err := o.Devices(ctx)
	if err != nil || len(devices) != 2 || devices[0].Given+devices[1].Given != 5 || devices[0].Excluded {
		t.Errorf("devices %+v, %v", devices, err)
	}

	// The device with a different outcome is excluded.
	if err := o.Exclude(ctx, b.Device); err != nil {
		t.Fatal(err)
	}
	_, err = b.TakeReplicate(ctx, run.ID)
	refusedAs(t, err, 403, "left out")
	if i := l.info(o); i.Run.Done != 2 {
		t.Errorf("with one device left out, %d replicates are done", i.Run.Done)
	}
	l.give(a, run, l.take(a, run), outcome(2))

	// The board, votes, the remote control, and another run.
	if err := o.SetBoard(ctx, "hello \xff"); err != nil || l.info(o).Board != "hello ?" {
		t.Errorf("the board says %q, %v", l.info(o).Board, err)
	}
	if err := o.OpenQuestion(ctx, 3, 2); err != nil {
		t.Fatal(err)
	}
	if err := a.Vote(ctx, 3, 1); err != nil {
		t.Error(err)
	}
	if v, err := o.Votes(ctx, 3); err != nil || !slices.Equal(v.Counts, []float64{0, 1, 0, 0}) {
		t.Errorf("votes %v, %v", v.Counts, err)
	}
	if err := a.PressRemote(ctx, room.Remote(room.Sum([]byte(o.Token))), true); err != nil {
		t.Error(err)
	}
	if v, err := o.Votes(ctx, room.RemoteStep); err != nil || v.Counts[1] != 1 {
		t.Errorf("the remote was pressed %v, %v", v.Counts, err)
	}
	if err := o.Finish(ctx, run.ID); err != nil {
		t.Fatal(err)
	}
	_, err = a.TakeReplicate(ctx, run.ID)
	refusedAs(t, err, 410, "this run is over")
	second, err := o.Start(ctx, link, 1, nil)
	if err != nil || second.ID != 2 || l.info(o).Run.Done != 0 || l.info(o).Run.Over {
		t.Errorf("the second run is %+v, %v", second, err)
	}
	_, err = o.Results(ctx, run.ID, 0)
	refusedAs(t, err, 410, "this run is over")
	refusedAs(t, a.SendOutcome(ctx, run.ID, 1, outcome(1)), 410, "this run is over")
	l.give(a, second, l.take(a, second), outcome(1))
	if all := l.results(o, second); len(all) != 1 {
		t.Errorf("results %+v", all)
	}
	if err := o.Close(ctx); err != nil {
		t.Fatal(err)
	}
	_, err = a.TakeReplicate(ctx, second.ID)
	refusedAs(t, err, 410, "the room is closed")
	if !l.info(o).Closed {
		t.Error("the room is not closed")
	}
}

// Results are sent in portions of about 1 MB.
func TestPortions(t *testing.T) {
	l := newLab(t)
	o, run := l.open(20)
	a := l.join(o)
	for range 20 {
		k := l.take(a, run)
		l.give(a, run, k, bytes.Repeat([]byte{byte(k)}, k*20_000))
	}
	x, err := o.Results(t.Context(), run.ID, 0)
	size := 0
	for _, r := range x.Results {
		size += len(r.Body)
	}
	if err != nil || len(x.Results) < 2 || size > room.MaxBody {
		t.Errorf("an answer has %d results of %d bytes, %v", len(x.Results), size, err)
	}
	if all := l.results(o, run); len(all) != 20 {
		t.Errorf("%d results", len(all))
	}
	if x, err := o.Results(t.Context(), run.ID, 1000); err != nil || x.Wait <= 0 {
		t.Errorf("without results %+v, %v", x, err)
	}
	l.counters()
}

// A replicate is handed out again when it takes longer than 1.5 times the mean, and the first result is used. The same
// is true for confirmations.
func TestLate(t *testing.T) {
	l := newLab(t)
	o, run := l.open(3)
	a, b, c := l.join(o), l.join(o), l.join(o)
	one, two := l.take(a, run), l.take(b, run)
	l.pass(10 * time.Second)
	l.give(a, run, one, outcome(one)) // the mean is 10 s
	three := l.take(a, run)
	if x := l.take(c, run); x != one { // to be confirmed
		t.Errorf("c got %d", x)
	}
	l.pass(4 * time.Second)
	l.give(c, run, one, outcome(one))
	l.none(c, run)
	l.pass(2 * time.Second) // b has had its replicate for 16 s
	if x := l.take(c, run); x != two {
		t.Errorf("c got %d, not what b is late with", x)
	}
	l.give(c, run, two, outcome(two))
	l.give(b, run, two, outcome(two))
	if x, err := b.TakeReplicate(t.Context(), run.ID); err != nil || x.Index != 0 {
		t.Errorf("b got %d, %v", x.Index, err)
	}
	l.give(a, run, three, outcome(three))
	l.give(b, run, l.take(b, run), outcome(three))
	l.none(a, run)
	l.none(c, run)
	if all := l.results(o, run); len(all) != 6 {
		t.Errorf("%d results", len(all))
	}
	l.counters()
}

// Before the first result, every device gets some replicate at once.
func TestMoreDevicesThanReplicates(t *testing.T) {
	l := newLab(t)
	o, run := l.open(2)
	got := map[int]int{}
	for range 10 {
		got[l.take(l.join(o), run)]++
	}
	if got[1] != 5 || got[2] != 5 {
		t.Errorf("handed out %v", got)
	}
}

// A device that slept with a replicate hardly changes the mean time, by which overdue replicates are found.
func TestMean(t *testing.T) {
	l := newLab(t)
	o, run := l.open(100)
	a, sleeper := l.join(o), l.join(o)
	asleep := l.take(sleeper, run)
	for range 20 {
		k := l.take(a, run)
		l.pass(time.Second)
		l.give(a, run, k, outcome(k))
	}
	l.pass(50 * time.Minute)
	l.give(sleeper, run, asleep, outcome(asleep))
	if mean := l.count("SELECT took / done FROM room"); mean > 1500 {
		t.Errorf("the mean is %d ms", mean)
	}
}

// An excluded device loses its results: its replicates are handed out to all others, also to those that had confirmed
// one, and replicates that it only confirmed are confirmed again.
func TestDrop(t *testing.T) {
	l := newLab(t)
	o, run := l.open(2)
	liar, honest := l.join(o), l.join(o)
	one, two := l.take(liar, run), l.take(honest, run)
	l.give(liar, run, one, []byte("lie"))
	l.give(honest, run, two, outcome(two))
	l.give(liar, run, l.take(liar, run), []byte("lie")) // of two
	l.give(honest, run, l.take(honest, run), outcome(one))
	l.none(honest, run)
	for range 2 {
		if err := o.Exclude(t.Context(), liar.Device); err != nil {
			t.Fatal(err)
		}
	}
	l.counters()
	if i := l.info(o); i.Run.Done != 1 {
		t.Errorf("%d replicates are done", i.Run.Done)
	}
	if x := l.take(honest, run); x != one {
		t.Errorf("honest got %d", x)
	}
	l.give(honest, run, one, outcome(one))
	l.none(honest, run)
	another := l.join(o)
	for range 2 {
		k := l.take(another, run)
		l.give(another, run, k, outcome(k))
	}
	l.none(another, run)
	all := l.results(o, run)
	if len(all) != 4 || slices.ContainsFunc(all, func(r room.Result) bool { return r.Device == liar.Device }) {
		t.Errorf("results %+v", all)
	}
	devices, err := o.Devices(t.Context())
	if err != nil || len(devices) != 3 {
		t.Fatal(devices, err)
	}
	for _, d := range devices {
		if want := map[string]int{liar.Device: 1, honest.Device: 2, another.Device: 2}[d.ID]; d.Given != want ||
			d.Excluded != (d.ID == liar.Device) {
			t.Errorf("%+v, want %d given", d, want)
		}
	}
	refusedAs(t, liar.SendOutcome(t.Context(), run.ID, one, []byte("lie")), 403, "left out")
	l.counters()
}

// If a device is excluded before, while or after it sends a result or takes a replicate, the run ends, and nothing of
// the device is left.
func TestDropRace(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	for range tier.Size(10, 50, 500) {
		l.exec("DELETE FROM usage")
		run, err := o.Start(t.Context(), link, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		liar, honest := l.join(o), l.join(o)
		k := l.take(liar, run)
		var both sync.WaitGroup
		both.Go(func() {
			if liar.SendOutcome(t.Context(), run.ID, k, []byte("lie")) == nil {
				_, _ = liar.TakeReplicate(t.Context(), run.ID)
			}
		})
		both.Go(func() { _ = o.Exclude(t.Context(), liar.Device) })
		both.Wait()
		l.pass(time.Minute)
		for range 2 {
			k := l.take(honest, run)
			l.give(honest, run, k, outcome(k))
		}
		if i := l.info(o); i.Run.Done != 2 {
			t.Fatalf("%+v", i.Run)
		}
		l.counters()
	}
}

// Many devices at once: every replicate has two results of different devices, and all counts are right.
func TestAtOnce(t *testing.T) {
	l := newLab(t)
	l.clock.Store(0)
	o, run := l.open(200)
	var all sync.WaitGroup
	for range 20 {
		d := l.join(o)
		all.Go(func() {
			for {
				x, err := d.TakeReplicate(t.Context(), run.ID)
				if err != nil {
					return // the run is over
				}
				if x.Index == 0 {
					_ = room.Sleep(t.Context(), 10*time.Millisecond)
					continue
				}
				if err := d.SendOutcome(t.Context(), run.ID, x.Index, outcome(x.Index)); err != nil && !room.IsOver(err) {
					t.Error(err)
				}
			}
		})
	}
	got := map[int]map[string]bool{}
	for after, open := 0, true; open; {
		x, err := o.Results(t.Context(), run.ID, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range x.Results {
			after = r.Seq
			if got[r.Index] == nil {
				got[r.Index] = map[string]bool{}
			}
			got[r.Index][r.Device] = true
		}
		open = len(got) < 200
		for _, devices := range got {
			open = open || len(devices) < 2
		}
		_ = room.Sleep(t.Context(), 10*time.Millisecond)
	}
	if err := o.Finish(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	l.results(o, run)
	l.counters()
}

// A run of another build, incomplete files, and a new run that replaces one with files.
func TestStart(t *testing.T) {
	l := newLab(t)
	o, run := l.open(1)
	a := l.join(o)
	func() {
		defer func(b string) { room.Build = b }(room.Build)
		room.Build = "other"
		_, err := a.TakeReplicate(t.Context(), run.ID)
		refusedAs(t, err, 409, "build other")
	}()
	start := func(body string) room.Response {
		return l.send(l.transport(), room.Request{Method: "POST", Path: "rooms/" + o.Code + "/run", Token: o.Token,
			Body: []byte(body)})
	}
	for _, bad := range []string{``, `{`, `[]`, `{"link":"v=1&a","build":"b","replicates":0}`,
		`{"link":"v=1&a","build":"b","replicates":10001}`, `{"link":"v=1&a","build":"b","replicates":1e9}`,
		`{"link":"v=1&a","build":"","replicates":1}`, `{"link":"<script>","build":"b","replicates":1}`,
		`{"link":"v=1&` + strings.Repeat("a", room.MaxLink) + `","build":"b","replicates":1}`,
		`{"link":"v=1&a","build":"` + strings.Repeat("b", 65) + `","replicates":1}`,
		`{"link":"v=1&a","build":"b","replicates":1,"files":[{"name":"x","parts":1}]}`,
		`{"link":"v=1&a","build":"b","replicates":1,"files":[{"name":"own","parts":0}]}`,
		`{"link":"v=1&a","build":"b","replicates":1,"files":[{"name":"own","parts":65}]}`,
		`{"link":"v=1&a","build":"b","replicates":1,"files":[{"name":"own","parts":1},{"name":"own","parts":1}]}`} {
		answeredAs(t, start(bad), 400, "a run needs the link")
	}
	answeredAs(t, start(`{"link":"v=1&a","build":"b","replicates":1,"files":[{"name":"own","parts":2}]}`), 409, "own")
	if i := l.info(o); i.Run.ID != run.ID || i.Run.Link != link {
		t.Errorf("a run that was refused changed the room: %+v", i.Run)
	}

	big := make([]byte, 3*room.PartSize)
	if _, err := o.Start(t.Context(), link, 1, map[string][]byte{"own": big, "rows": big}); err != nil {
		t.Fatal(err)
	}
	run, err := o.Start(t.Context(), link, 1, map[string][]byte{"own": big[:room.PartSize+1]})
	if err != nil || l.count("SELECT count(*) FROM file") != 2 {
		t.Errorf("%d parts are left, %v", l.count("SELECT count(*) FROM file"), err)
	}
	_, err = a.File(t.Context(), room.File{Name: "rows", Parts: 1})
	refusedAs(t, err, 404, "no file rows")
	if b, err := a.File(t.Context(), run.Files[0]); err != nil || len(b) != room.PartSize+1 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	l.counters()
}

// A room lasts as long as its host sends requests, up to a day; a closed one can be read for an hour. Then its rows are
// deleted.
func TestEnd(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	for range 23 * 2 {
		l.pass(30 * time.Minute)
		if _, err := o.Devices(t.Context()); err != nil {
			t.Fatalf("%v", err)
		}
	}
	l.pass(61 * time.Minute)
	if err := o.SetBoard(t.Context(), ""); err == nil {
		t.Error("a room lasts for more than a day")
	}
	silent, _ := l.open(0)
	l.pass(50 * time.Minute)
	l.join(silent)
	l.pass(11 * time.Minute)
	if _, err := silent.Info(t.Context()); err == nil {
		t.Error("a room whose host is silent lasts for more than an hour")
	}
	closed, run := l.open(3)
	a := l.join(closed)
	l.give(a, run, l.take(a, run), outcome(1))
	l.take(a, run)
	if err := closed.OpenQuestion(t.Context(), 1, 2); err != nil {
		t.Fatal(err)
	}
	if err := a.Vote(t.Context(), 1, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := closed.Start(t.Context(), link, 3, map[string][]byte{"own": outcome(1)}); err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := closed.Start(t.Context(), link, 1, nil)
	refusedAs(t, err, 410, "closed")
	l.pass(59 * time.Minute)
	if !l.info(closed).Closed {
		t.Error("the room is not closed")
	}
	l.pass(2 * time.Minute)
	if _, err := closed.Info(t.Context()); err == nil {
		t.Error("a closed room lasts for more than an hour")
	}
	l.open(0)
	if s := l.state(); strings.Contains(s, closed.Code) || strings.Contains(s, o.Code) {
		t.Errorf("something is left of a room that ended:\n%s", s)
	}
	l.counters()
}

// A clock that is set back or forward does not stop a run.
func TestClock(t *testing.T) {
	for _, jump := range []time.Duration{-30 * time.Minute, 30 * time.Minute} {
		l := newLab(t)
		o, run := l.open(2)
		dead, other := l.join(o), l.join(o)
		one := l.take(dead, run)
		l.pass(time.Minute)
		l.give(dead, run, one, outcome(one))
		held := l.take(dead, run)
		l.pass(jump)
		if k := l.take(other, run); k != held {
			t.Errorf("after %v the device got %d", jump, k)
		}
	}
}
