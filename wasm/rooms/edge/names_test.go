package edge_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"logzlab/internal/edgetest"
	"logzlab/wasm/rooms/edge/native"
	"logzlab/wasm/rooms/room"
)

// A server accepts requests to addresses and to its names.
func TestNames(t *testing.T) {
	s, _ := edgetest.Native(t)
	web := httptest.NewServer(native.Web(s.Handler(), "lab.example").Handler)
	t.Cleanup(web.Close)
	for host, want := range map[string]int{"evil.example": 421, "127.0.0.1:8080": 200, "[::1]:8080": 200,
		"localhost": 200, "LAB.example:80": 200, "192.168.0.7": 200, "127.0.0.1.evil.example": 421} {
		q, _ := http.NewRequest("GET", web.URL+"/api/meta", nil)
		q.Host = host
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("the name %q is answered by %d, not %d", host, res.StatusCode, want)
		}
	}
}

// All addresses of an IPv6 network share one quota, whatever headers claim.
func TestNetworks(t *testing.T) {
	s, _ := edgetest.Native(t)
	h := s.Handler()
	guess := func(remote string) int {
		q := httptest.NewRequest("GET", "/api/rooms/ABCDEFGH", nil)
		q.RemoteAddr = remote
		q.Header.Set("X-Forwarded-For", remote)
		q.Header.Set(room.HeaderAPI, strconv.Itoa(room.API))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w.Code
	}
	for i := range 100 {
		guess(fmt.Sprintf("[2001:db8::%x]:%d", i, 1000+i))
	}
	for remote, want := range map[string]int{"[2001:db8::ffff:1]:1": 429, "[2001:db8:0:1::1]:1": 404, "192.0.2.1:1": 404,
		"[::ffff:192.0.2.1]:1": 404, "[fe80::1%eth0]:1": 404} {
		if got := guess(remote); got != want {
			t.Errorf("%s: %d, not %d", remote, got, want)
		}
	}
}
