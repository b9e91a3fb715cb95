package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/internal/tier"
	"logzlab/wasm/rooms/room"
)

// TestCard checks the preview picture of a short link to a finished run: a PNG of 1200 x 630 pixels that the browser
// can read, for every kind of scene. If LOGZ_CARDS names a folder, the pictures are saved there.
func TestCard(t *testing.T) {
	t.Parallel()
	s := serveRooms(t, nativeRooms(t))
	const digits = "#v=1&model=rbm-pcd-20&"
	links := []string{quick, digits + "method=ais&ais.chains=24&ais.temperatures=100&view.scene=units",
		digits + "method=rm&rm.islands=2&rm.particles=24&view.scene=formation",
		digits + "method=smc&smc.islands=2&smc.particles=24&smc.temperatures=20&view.scene=resampling&view.theme=dark",
		"#v=1&model=sv-60&method=aisel&aisel.islands=2&aisel.particles=50&aisel.temperatures=5"}
	for k, link := range links[:tier.Size(1, 1, len(links))] {
		b := open(t, s)
		b.size(1280, 800)
		b.visit("?workers=1" + link)
		b.awaitResults()
		b.rest()
		b.click("#share")
		b.click("[data-event=shorten]")
		b.until(`/\/s\/[0-9a-f]{12}$/.test(document.querySelector('#short-link')?.textContent)`)
		at := s.URL + "/some/path/s/" + eval[string](b, `document.querySelector('#short-link').textContent.slice(-12)`)
		get := func(url string) []byte {
			res, err := http.Get(url)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			data, _ := io.ReadAll(res.Body)
			return data
		}
		if page := string(get(at)); !strings.Contains(page, "/run.png") {
			t.Errorf("%s: the preview page does not refer to run.png: %s", link, page)
			continue
		}
		data := get(at + "/run.png")
		size := eval[string](b, fmt.Sprintf(`fetch('s/%s/run.png').then((r) => r.blob()).then(createImageBitmap)
			.then((i) => i.width + ' x ' + i.height)`, at[len(at)-12:]))
		if size != "1200 x 630" || len(data) > room.MaxPicture || len(data) < 5000 {
			t.Errorf("%s: preview picture of %s pixels and %d bytes, want 1200 x 630 and 5,000 to %d bytes", link, size,
				len(data), room.MaxPicture)
		}
		t.Logf("%s: %d bytes", link, len(data))
		if dir := os.Getenv("LOGZ_CARDS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("card", k, ".png")), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
