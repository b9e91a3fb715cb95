package edge_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"logzlab/wasm/room"
)

// A short link leads to its experiment; texts from outside never become markup.
func TestShare(t *testing.T) {
	l := newLab(t)
	evil := room.Share{Link: "v=1&model=mixture2&method=ais&view.expect=0123456789abcdef",
		Title: `<script>alert("1")</script>`, About: `"><img src=x onerror=alert(1)>`}
	id, err := room.PutShare(t.Context(), l.transport(), evil)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := room.PutShare(t.Context(), l.transport(), evil); again != id || err != nil {
		t.Errorf("the same experiment is at %s and %s, %v", id, again, err)
	}
	get := func(id string) (int, string) {
		q, _ := http.NewRequest("GET", l.web.URL+"/s/"+id, nil)
		q.Header.Set("Sec-Fetch-Site", "cross-site") // a link in a mail or on another site
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		if !strings.Contains(res.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Error("no content security policy")
		}
		return res.StatusCode, string(b)
	}
	status, page := get(id)
	if status != 200 || !strings.Contains(page, `url=../#v=1&amp;model=mixture2&amp;method=ais&amp;view.expect=`) ||
		!strings.Contains(page, `og:title" content="&lt;script&gt;`) {
		t.Errorf("status %d: %s", status, page)
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "<img") {
		t.Errorf("markup from outside: %s", page)
	}
	if status, page := get("nosuch"); status != 404 || !strings.Contains(page, "LogZ Lab") {
		t.Errorf("status %d: %s", status, page)
	}
	for _, bad := range []room.Share{
		{Link: "javascript:alert(1)", Title: "a"},
		{Link: `v=1&model=a"><script>`, Title: "a"},
		{Link: "v=1&" + strings.Repeat("a", 30_000), Title: "a"},
		{Link: evil.Link, Title: strings.Repeat("a", 200)},
		{Link: evil.Link},
	} {
		if id, err := room.PutShare(t.Context(), l.transport(), bad); err == nil {
			t.Errorf("%.60q is at %s", bad.Link, id)
		}
	}
}
