package edge_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/render/picture"
	"logzlab/wasm/rooms/edge"
	"logzlab/wasm/rooms/room"
)

// A short link redirects to its experiment; texts from outside are escaped.
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
		q, _ := http.NewRequest("GET", l.base+"s/"+id, nil)
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
	want := `<meta property="og:image" content="` + l.base + `previews/mixture2.png">`
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

// Every built-in model has a small picture for previews of its links in the built site; models from files have the
// general one.
func TestPreviews(t *testing.T) {
	l := newLab(t)
	for _, e := range append(catalog.Kinds.Builtin(), models.Entry{Name: "file:0123456789ab"}) {
		id, err := room.PutShare(t.Context(), l.transport(), room.Share{Link: "v=1&model=" + e.Name + "&method=ais",
			Title: "T"})
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.Get(l.base + "s/" + id)
		if err != nil {
			t.Fatal(err)
		}
		page, _ := io.ReadAll(res.Body)
		res.Body.Close()
		_, after, _ := strings.Cut(string(page), `<meta property="og:image" content="`+l.base+"")
		name, _, _ := strings.Cut(after, `"`)
		if own := strings.Contains(e.Name, ":"); name != "previews/"+e.Name+".png" && !own || own && name !=
			edge.GeneralPreview {
			t.Errorf("%s is shown by %q", e.Name, name)
		}
		b, err := os.ReadFile("../../../site/" + name)
		if err != nil {
			t.Errorf("%v; CONTRIBUTING.md says how to make it", err)
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

// A run has its own picture: a PNG of fixed size, checked chunk by chunk, that counts towards the limit of all rooms.
func TestSharePicture(t *testing.T) {
	l := newLab(t)
	good := func(shade uint8) []byte {
		p := image.NewRGBA(image.Rect(0, 0, room.PictureWide, room.PictureHigh))
		draw.Draw(p, p.Rect, image.NewUniform(color.Gray{shade}), image.Point{}, draw.Src)
		var b bytes.Buffer
		if err := png.Encode(&b, p); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	eight, err := picture.Still(image.NewRGBA(image.Rect(0, 0, room.PictureWide, room.PictureHigh)), room.MaxPicture)
	if err != nil {
		t.Fatal(err)
	}
	s := room.Share{Link: "v=1&model=mixture2&method=ais", Title: "T", About: "A", Picture: eight}
	id, err := room.PutShare(t.Context(), l.transport(), s)
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) (int, string, []byte) {
		res, err := http.Get(strings.TrimSuffix(l.base, "/") + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		return res.StatusCode, res.Header.Get("Content-Type"), b
	}
	want := `og:image" content="` + l.base + "s/" + id + `/run.png"`
	if _, _, page := get("/s/" + id); !strings.Contains(string(page), want) {
		t.Errorf("the page has no picture of the run: %s", page)
	}
	if status, kind, b := get("/s/" + id + "/run.png"); status != 200 || kind != "image/png" || !bytes.Equal(b, eight) {
		t.Errorf("status %d, %s, %d bytes", status, kind, len(b))
	}
	other, err := room.PutShare(t.Context(), l.transport(), room.Share{Link: s.Link, Title: s.Title, About: s.About})
	if err != nil || other == id {
		t.Errorf("without a picture it is at %s, %v", other, err)
	}
	if status, _, _ := get("/s/" + other + "/run.png"); status != 404 {
		t.Errorf("status %d", status)
	}

	// Files that are not PNG, too large, or have other content.
	chunk := func(kind string, data string) []byte {
		b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		b = append(b, kind+data...)
		return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	}
	flip := func(b []byte, at int) []byte { b = bytes.Clone(b); b[at] ^= 1; return b }
	end := len(eight) - 12
	var small bytes.Buffer
	png.Encode(&small, image.NewGray(image.Rect(0, 0, 100, 100)))
	for name, bad := range map[string][]byte{"a GIF": []byte("GIF89a"), "small": small.Bytes(),
		"cut short": eight[:end], "a pixel wider": flip(eight, 19), "damaged": flip(eight, len(eight)-20),
		"something behind": append(bytes.Clone(eight), "<script>"...), "too large": slices.Concat(eight[:end],
			chunk("IDAT", strings.Repeat("x", room.MaxPicture)), eight[end:]),
		"a text in it": slices.Concat(eight[:end], chunk("tEXt", "Comment\x00<script>"), eight[end:])} {
		s := s
		s.Picture = bad
		if _, err := room.PutShare(t.Context(), l.transport(), s); err == nil {
			t.Errorf("a picture with %s is kept", name)
		} else {
			refusedAs(t, err, 400, "a PNG of 1200 x 630 pixels and at most 60 kB")
		}
	}

	// Their bytes are counted. They are deleted with their links, and, if there are too many, for the links that were
	// unused for the longest time first.
	counted := func(pictures int) {
		t.Helper()
		n, bytes := l.count("SELECT count(*) FROM picture"), l.count("SELECT coalesce(sum(length(data)), 0) FROM picture")
		if c := l.count("SELECT n FROM total WHERE name = 'pictures'"); n != pictures || c != bytes {
			t.Errorf("%d pictures of %d bytes are counted as %d bytes", n, bytes, c)
		}
	}
	counted(1)
	for k := range 5 {
		s := s
		s.Picture = good(uint8(k))
		l.pass(time.Second)
		if id, err = room.PutShare(t.Context(), l.transport(), s); err != nil {
			t.Errorf("picture %d: %v", k, err)
		}
	}
	counted(6)
	l.exec("DELETE FROM share WHERE id = ?", id)
	counted(5)
	l.limits.All = 8 * l.count("SELECT n FROM total WHERE name = 'pictures'")
	s.Picture = good(100)
	l.pass(time.Second)
	if _, err = room.PutShare(t.Context(), l.transport(), s); err != nil {
		t.Error(err)
	}
	counted(5)
}

// The links of an address are counted, and the link that was unused for the longest time is replaced by a new one.
func TestManyShares(t *testing.T) {
	l := newLab(t)
	share := func(title string) (string, error) {
		return room.PutShare(t.Context(), l.transport(), room.Share{Link: "v=1&model=mixture2", Title: title})
	}
	old, err := share("old")
	if err != nil {
		t.Fatal(err)
	}
	used, _ := share("used")
	l.pass(48 * time.Hour)
	if status, _ := get(t, l.base+"s/"+used); status != 200 {
		t.Errorf("a link is answered by %d", status)
	}
	l.exec("UPDATE total SET n = 200000 WHERE name = 'shares'")
	if _, err := share("new"); err != nil {
		t.Error(err)
	}
	for id, want := range map[string]int{old: 404, used: 200} {
		if status, _ := get(t, l.base+"s/"+id); status != want {
			t.Errorf("%s is answered by %d", id, status)
		}
	}
	for k := 0; err == nil && k < 1000; k++ {
		_, err = share(fmt.Sprint(k))
	}
	refusedAs(t, err, 429, "too many short links")
	l.pass(time.Hour)
	if _, err := share("later"); err != nil {
		t.Error(err)
	}
}
