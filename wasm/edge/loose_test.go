package edge_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

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
			l.now = l.now.Add(21e9)
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
