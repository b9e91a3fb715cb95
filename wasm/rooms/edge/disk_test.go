package edge_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"logzlab/wasm/rooms/room"
)

// Break review F11: on a full disk, as SQLite reports it, each request is answered at once by an error that
// Response.ServerError returns, nothing is stored in part, and the next attempt succeeds when there is space.
func TestFullDisk(t *testing.T) {
	l := newLab(t)
	o, run := l.open(1)
	a := l.join(o)
	k := l.take(a, run)
	give := room.Request{Method: "POST", Path: fmt.Sprintf("rooms/%s/result?run=%d&index=%d", o.Code, run.ID, k),
		Device: a.Device, Body: bytes.Repeat([]byte("x"), 100_000)}
	pages, before := l.count("PRAGMA page_count"), l.state()
	l.exec(fmt.Sprint("PRAGMA max_page_count = ", pages))
	x := l.send(l.transport(), give)
	answeredAs(t, x, http.StatusInsufficientStorage, "the disk of the room's server is full")
	if x.ServerError() == nil {
		t.Error("the sentence is not told")
	}
	if l.state() != before {
		t.Error("a full disk keeps a part of a result")
	}
	l.exec(fmt.Sprint("PRAGMA max_page_count = ", pages+1000))
	answeredAs(t, l.send(l.transport(), give), 200, "")
	if i := l.info(o); i.Run.Done != 1 {
		t.Errorf("%+v", i.Run)
	}
	l.counters()
}
