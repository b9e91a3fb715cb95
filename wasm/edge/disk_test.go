package edge_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"logzlab/wasm/room"
)

// On a full disk, as SQLite reports it, a device hears a sentence, nothing of its work is half stored, and when there
// is space again its next attempt is taken.
func TestFullDisk(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(1)
	m := l.join(o)
	p := l.take(m)
	body := result(strings.Repeat("x", 100_000))
	give := func() (int, string) {
		path := "rooms/" + o.Code + "/result?part=0&of=1&unit=" + p.Unit
		res, err := l.transport().Send(t.Context(), room.Request{Method: "POST", Path: path, Body: body, Device: m.Device})
		if err != nil {
			t.Fatal(err)
		}
		return res.Status, string(res.Body)
	}
	pages, before := l.count("PRAGMA page_count"), l.state()
	l.exec(fmt.Sprint("PRAGMA max_page_count = ", pages))
	if status, says := give(); status != http.StatusInsufficientStorage || !strings.Contains(says, "disk") {
		t.Errorf("a full disk answers by %d, %q", status, says)
	}
	if l.state() != before {
		t.Error("a full disk keeps a part of a result")
	}
	l.exec(fmt.Sprint("PRAGMA max_page_count = ", pages+1000))
	if status, says := give(); status != http.StatusOK {
		t.Errorf("with space again %d, %q", status, says)
	}
	if info, err := o.Info(t.Context()); err != nil || info.Done != 1 {
		t.Errorf("%+v, %v", info, err)
	}
}
