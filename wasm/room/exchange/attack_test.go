//go:build !js

package exchange

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"logzlab/core/labtest/tier"
	"logzlab/wasm/room"
)

// attacked has some 360 units, each a matter of a moment.
const attacked = "v=1&model=mixture2&method=ais&ais.chains=3600&ais.temperatures=8"

// attacker is a liar that counts what it does.
type attacker struct {
	lies func(unit int) bool // whether it lies in its nth unit, from 0
	told atomic.Int32
}

// work computes as honest devices do, and flips the same bit of each result that is a lie.
func (a *attacker) work(ctx context.Context, d *Device) {
	for n := 0; ; {
		p, wait, err := d.Member.Take(ctx)
		if err != nil {
			return
		}
		if p == nil {
			_ = room.Sleep(ctx, wait)
			continue
		}
		b, err := d.Compute(ctx, p.Common, p.Own)
		if err != nil {
			return
		}
		if b = bytes.Clone(b); a.lies(n) {
			b[len(b)-5] ^= 1 // of the last number, a bit that reaches log Z
			a.told.Add(1)
		}
		n++
		var no *room.Refused
		if err := d.Member.Give(ctx, p, b); err != nil && !(errors.As(err, &no) && no.Status == 409) {
			return
		}
	}
}

// besieged runs a job with honest devices and attackers of a machine each, and reports whether a wrong hash came of it,
// and what the host's counts are.
func besieged(t *testing.T, want []string, honest int, attackers []*attacker) (wrong bool, c Counts) {
	t.Helper()
	tr, _ := server(t)
	h := host(t, tr, attacked)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	var all sync.WaitGroup
	for range honest {
		d := join(t, tr, h.Owner.Code)
		all.Go(func() { _ = d.Work(ctx) })
	}
	for _, a := range attackers {
		d := join(t, tr, h.Owner.Code)
		all.Go(func() { a.work(ctx, d) })
	}
	j, err := h.Run(ctx, open(t, attacked))
	stop()
	all.Wait()
	if err != nil {
		t.Fatal(err)
	}
	got := hashes(j)
	return len(got) != len(want) || got[0] != want[0], h.Counts()
}

func always(int) bool { return true }

// What a room promises: how often lies go unseen is what the formula says (audit.go), and those who always lie, alike
// and confirming each other, never are.
func TestPromise(t *testing.T) {
	tier.Test(t)
	want := alone(t, attacked)
	runs := tier.Size(1, 2, 50)
	many := func(n int, lies func(int) bool) func() []*attacker {
		return func() (all []*attacker) {
			for range n {
				all = append(all, &attacker{lies: lies})
			}
			return all
		}
	}
	for _, x := range []struct {
		name      string
		honest    int
		attackers func() []*attacker
		unseen    func(units int) float64 // by the formula; nil: never
	}{
		{"ten ids of eighteen", 8, many(10, always), nil},
		{"three of ten", 7, many(3, always), nil},
		{"three of ten, from the second unit on", 7, many(3, func(n int) bool { return n > 0 }), func(m int) float64 {
			return math.Pow(unseen(m, m-1, 7./9), 3)
		}},
		{"one lie", 4, func() []*attacker {
			at := rand.IntN(30)
			return many(1, func(n int) bool { return n == at })()
		}, func(m int) float64 { return unseen(m, 1, 1) }},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel() // devices wait most of the time
			silent, told, chance := 0, 0, 0.0
			for range runs {
				attackers := x.attackers()
				wrong, c := besieged(t, want, x.honest, attackers)
				lies := 0
				for _, a := range attackers {
					lies += int(a.told.Load())
				}
				if lies == 0 {
					continue
				}
				told++
				if x.unseen != nil {
					chance += x.unseen(c.Units / (x.honest + len(attackers)))
				}
				if wrong {
					silent++
				}
			}
			t.Logf("%d of %d runs have a wrong hash; the formula says %.2g", silent, told, chance)
			// 99 % of runs are within 2.6 standard errors; by chance one more.
			p := chance / math.Max(1, float64(told))
			if d := math.Abs(float64(silent) - chance); d > 2.6*math.Sqrt(chance*(1-p))+1 || chance < 1e-4 && silent > 0 {
				t.Errorf("%d of %d runs have a wrong hash, and the formula says %.2g", silent, told, chance)
			}
		})
	}
}

// unseen is the chance that k lies of m units go unseen, where checks are honest by chance h.
func unseen(m, k int, h float64) float64 {
	q := 1. / room.OneIn
	return math.Pow(1-Verify, float64(k)) * math.Pow(1-q*h, float64(k)) *
		(1 - math.Pow(1-Verify, float64(m-k))*float64(k)/float64(m))
}

// A room ends, with the right digits, among liars, devices that renew for ever, devices that vanish with a unit, errors
// under new names, and clocks that jump.
func TestSiege(t *testing.T) {
	tier.Test(t)
	link := "v=1&model=mixture2&method=ais&ais.chains=400&ais.temperatures=8"
	want := alone(t, link)
	for range tier.Size(1, 4, 500) {
		tr, jump := hasty(t)
		h := host(t, tr, link)
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
		var all sync.WaitGroup
		for range 3 {
			d := join(t, tr, h.Owner.Code)
			all.Go(func() { _ = d.Work(ctx) })
		}
		for range rand.IntN(3) {
			d := join(t, tr, h.Owner.Code)
			all.Go(func() { (&attacker{lies: always}).work(ctx, d) })
		}
		for range rand.IntN(4) { // vanish, or never end
			d, renews := join(t, tr, h.Owner.Code), rand.IntN(2) == 0
			all.Go(func() {
				p, _, err := d.Member.Take(ctx)
				for renews && p != nil && err == nil && room.Sleep(ctx, 100*time.Millisecond) == nil {
					err = d.Member.Renew(ctx, p)
				}
			})
		}
		for range rand.IntN(2) {
			all.Go(func() {
				for ctx.Err() == nil {
					m := &room.Member{Client: h.Owner.Client, Device: room.NewSecret()}
					if p, _, err := m.Take(ctx); p != nil && err == nil {
						_ = m.Give(ctx, p, failure(errors.New("no memory")))
					}
					_ = room.Sleep(ctx, 20*time.Millisecond)
				}
			})
		}
		all.Go(func() {
			for info := (room.Info{}); info.Units == 0 && ctx.Err() == nil; { // a room without units ends soon
				info, _ = h.Owner.Info(ctx)
			}
			for range rand.IntN(4) {
				_ = room.Sleep(ctx, time.Duration(rand.IntN(300))*time.Millisecond)
				jump.Add(int64(rand.N(2*time.Hour) - time.Hour))
			}
		})
		j, err := h.Run(ctx, open(t, link))
		stop()
		all.Wait()
		if err != nil {
			t.Fatal(err)
		}
		same(t, "under siege", hashes(j), want)
	}
}
