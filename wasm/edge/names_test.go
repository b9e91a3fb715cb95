package edge_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"logzlab/wasm/edge/edgetest"
	"logzlab/wasm/edge/native"
)

// A server answers to addresses and to names that it knows.
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
