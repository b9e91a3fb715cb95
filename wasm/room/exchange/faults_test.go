//go:build !js

package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"logzlab/core/labtest/tier"
	"logzlab/wasm/room"
)

// liar computes as the others do, and gives something else back.
func liar(ctx context.Context, d *Device, bend func(result []byte) []byte) {
	for {
		p, wait, err := d.Member.Take(ctx)
		if err != nil {
			return // left out
		}
		if p == nil {
			_ = room.Sleep(ctx, wait)
			continue
		}
		b, err := d.Compute(ctx, p.Common, p.Own)
		if err != nil || d.Member.Give(ctx, p, bend(bytes.Clone(b))) != nil {
			return
		}
	}
}

// Devices that give wrong numbers, damaged partials or errors are left out, and the digits are those of a run alone.
func TestLiars(t *testing.T) {
	link := links[1]
	want := alone(t, link)
	for i, bend := range []func(b []byte) []byte{
		func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, // a wrong bit
		func([]byte) []byte { return failure(errors.New("no memory")) },
		func(b []byte) []byte { copy(b[len(b)/2:], []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}); return b }, // not a number
		func([]byte) []byte { return []byte{room.KindDone, 1, 7, 0, 0} },                             // a short partial
	}[:tier.Size(1, 2, 4)] {
		name := fmt.Sprint("liar ", i)
		tr, _ := server(t)
		h := host(t, tr, link)
		ctx, stop := context.WithCancel(t.Context())
		bad := join(t, tr, h.Owner.Code)
		good := []*Device{join(t, tr, h.Owner.Code), join(t, tr, h.Owner.Code)}
		go liar(ctx, bad, bend)
		go func() {
			for d := []room.Device(nil); len(d) == 0 || d[0].Given == 0; { // the liar is the first
				d, _ = h.Owner.Devices(ctx)
			}
			_ = WorkAll(ctx, good)
		}()
		j, err := h.Run(ctx, open(t, link))
		if err != nil {
			t.Fatal(name, err)
		}
		same(t, name, hashes(j), want)
		if h.bad[room.Machine(bad.Member.Device)] == "" || len(h.bad) != 1 {
			t.Errorf("%s: left out are %v, not %s", name, h.bad, bad.Member.Device)
		}
		stop()
	}
}

// Two devices of one machine with the same wrong numbers do not confirm each other. Without another machine the host
// finds both.
func TestLiarAlone(t *testing.T) {
	link := links[1]
	tr, _ := server(t)
	h := host(t, tr, link)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	machine := room.NewSecret()
	for range 2 {
		m, _, err := room.Join(ctx, tr, h.Owner.Code, room.NewDevice(machine))
		if err != nil {
			t.Fatal(err)
		}
		go liar(ctx, &Device{Member: m, Compute: In(worker())}, func(b []byte) []byte { b[len(b)-9] ^= 1; return b })
	}
	go func() { // an honest machine comes when the other is found, perhaps before its second device was there
		for all := []room.Device(nil); len(all) == 0 || !all[0].Out; {
			all, _ = h.Owner.Devices(ctx)
		}
		_ = WorkAll(ctx, []*Device{join(t, tr, h.Owner.Code)})
	}()
	j, err := h.Run(ctx, open(t, link))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "after a liar", hashes(j), alone(t, link))
}

// A host that is killed at ten moments, each time within a record of its file, goes on to the same digits.
func TestResume(t *testing.T) {
	link := links[0]
	tr, _ := server(t)
	file := filepath.Join(t.TempDir(), "run.room")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r := rand.New(rand.NewPCG(1, 2))
	begun := false
	for kills := 0; ; kills++ {
		journal, at, records, known, err := OpenJournal(file, "link")
		if err != nil {
			t.Fatal(err)
		}
		h := &Host{Journal: journal, Compute: In(worker()), Verify: Verify}
		if known {
			h.Owner = room.NewOwner(tr, at.Code, at.Token)
		} else {
			h.Owner = host(t, tr, link).Owner
			if err := journal.Begin("link", Address{"", h.Owner.Code, h.Owner.Token}); err != nil {
				t.Fatal(err)
			}
		}
		h.Load(records)
		if !begun {
			begun = true
			go func() { _ = WorkAll(ctx, []*Device{join(t, tr, h.Owner.Code), join(t, tr, h.Owner.Code)}) }()
		}
		life, kill := context.WithCancel(ctx)
		if kills < 10 {
			time.AfterFunc(time.Duration(r.IntN(150))*time.Millisecond, kill)
		}
		j, err := h.Run(life, open(t, link))
		kill()
		journal.Close()
		if err == nil {
			same(t, "after some kills", hashes(j), alone(t, link))
			return
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
		if st, err := os.Stat(file); err == nil && kills%2 == 0 && len(records) > 2 {
			if err := os.Truncate(file, st.Size()-1); err != nil { // the last record is cut short
				t.Fatal(err)
			}
		}
	}
}

// A file of another run or another build is refused.
func TestJournalOfOthers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.room")
	j, _, _, _, err := OpenJournal(file, "a")
	if err != nil || j.Begin("a", Address{"s", "c", "t"}) != nil {
		t.Fatal(err)
	}
	if _, _, _, _, err := OpenJournal(file, "b"); err == nil {
		t.Error("the file of another run was taken")
	}
	defer func(b string) { room.Build = b }(room.Build)
	room.Build = "other"
	if _, _, _, _, err := OpenJournal(file, "a"); err == nil {
		t.Error("the file of another build was taken")
	}
	if err := os.WriteFile(file, []byte("no file of a room"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, _, _, err := OpenJournal(file, "a"); err == nil {
		t.Error("any file was taken")
	}
}

// second is a second host with the same secret, which leaves a device out while the first one fetches its result.
type second struct {
	room.Transport
	owner   *room.Owner
	dropped string
}

func (s *second) Send(ctx context.Context, r room.Request) (room.Answer, error) {
	a, err := s.Transport.Send(ctx, r)
	if err != nil || s.dropped != "" || !strings.Contains(r.Path, "/results?") {
		return a, err
	}
	x, err := room.ReadResults(a.Body)
	if err != nil {
		return a, err
	}
	for i := range x.All {
		if r := &x.All[i]; len(r.Body) > 0 { // as if it were too large for this answer
			r.Body, r.Parts, s.dropped = nil, 1, r.Device
			err = s.owner.Drop(ctx, r.Device)
			break
		}
	}
	a.Body = x.Append(nil)
	return a, err
}

// What two hosts of one room do to each other costs work, but neither ends and no digit changes.
func TestTwoHosts(t *testing.T) {
	link := links[1]
	tr, _ := server(t)
	h := host(t, tr, link)
	s := &second{Transport: tr, owner: room.NewOwner(tr, h.Owner.Code, h.Owner.Token)}
	h.Owner.Transport = s
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for range 3 {
		d := join(t, tr, h.Owner.Code)
		go func() { _ = d.Work(ctx) }()
	}
	j, err := h.Run(ctx, open(t, link))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "with two hosts", hashes(j), alone(t, link))
	if s.dropped == "" {
		t.Error("no device was left out")
	}
}
