package edge_test

import (
	"bytes"
	"image/png"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/wasm/edge"
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
	want := `<meta property="og:image" content="` + l.web.URL + `/previews/mixture2.png">`
	if !strings.Contains(page, want) {
		t.Errorf("no %s in %s", want, page)
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

// Every built-in model has a small picture for previews of its links, in the site as it is built; own models have the
// general one.
func TestPreviews(t *testing.T) {
	l := newLab(t)
	for _, e := range append(catalog.Kinds.Builtin(), models.Entry{Name: "file:0123456789ab"}) {
		id, err := room.PutShare(t.Context(), l.transport(), room.Share{Link: "v=1&model=" + e.Name + "&method=ais",
			Title: "T"})
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.Get(l.web.URL + "/s/" + id)
		if err != nil {
			t.Fatal(err)
		}
		page, _ := io.ReadAll(res.Body)
		res.Body.Close()
		_, after, _ := strings.Cut(string(page), `<meta property="og:image" content="`+l.web.URL+"/")
		name, _, _ := strings.Cut(after, `"`)
		if own := strings.Contains(e.Name, ":"); name != "previews/"+e.Name+".png" && !own || own && name !=
			edge.GeneralPreview {
			t.Errorf("%s is shown by %q", e.Name, name)
		}
		b, err := os.ReadFile("../../site/" + name)
		if err != nil {
			t.Errorf("%v; run ./build.sh build and go run ./wasm/tool previews dist site/previews %s", err, e.Name)
			continue
		}
		if c, err := png.DecodeConfig(bytes.NewReader(b)); err != nil || c.Width != 1200 || c.Height != 630 {
			t.Errorf("%s: %d x %d, %v", name, c.Width, c.Height, err)
		}
		if len(b) > 40_000 { // a preview is fetched by itself
			t.Errorf("%s has %d bytes", name, len(b))
		}
	}
}
