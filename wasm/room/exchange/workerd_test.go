//go:build !js

package exchange

import (
	"context"
	"slices"
	"testing"
	"time"

	"logzlab/wasm/edge/edgetest"
	"logzlab/wasm/room"
)

// A room on Cloudflare's runtime and its database has the digits of a run alone, with a liar among the devices.
func TestWorkerd(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the edge worker")
	}
	tr := room.HTTP{Base: edgetest.Start(t).URL}
	defer func(b string) { room.Build = b }(room.Build)
	m, err := room.ReadMeta(t.Context(), tr)
	if err != nil {
		t.Fatal(err)
	}
	room.Build = m.Build
	link := links[0]
	h := host(t, tr, link)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	bad := join(t, tr, h.Owner.Code)
	good := []*Device{join(t, tr, h.Owner.Code), join(t, tr, h.Owner.Code)}
	go liar(ctx, bad, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
	go func() { _ = WorkAll(ctx, good) }()
	begun := time.Now()
	j, err := h.Run(ctx, open(t, link))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f s, %+v", time.Since(begun).Seconds(), h.Counts())
	same(t, link, hashes(j), alone(t, link))

	// Votes, one of them changed.
	if err := h.Owner.Ask(ctx, 2, 3); err != nil {
		t.Fatal(err)
	}
	for k, d := range append(good, good[0]) {
		if err := d.Member.Vote(ctx, 2, k); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := h.Owner.Votes(ctx, 2); err != nil || !slices.Equal(v.Counts, []float64{0, 1, 1, 0}) {
		t.Errorf("two votes are %v, %v", v.Counts, err)
	}
	if err := h.Owner.Ask(ctx, 2, 0); err != nil {
		t.Fatal(err)
	}
	if err := good[0].Member.Vote(ctx, 2, 0); err == nil {
		t.Error("a question that is closed takes votes")
	}
}
