package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"logzlab/internal/edgetest"
	"logzlab/internal/tier"
	"logzlab/wasm/rooms/room"
)

// roomLink is an experiment with enough replicates for every device to take part.
const roomLink = "v=1&model=mixture2&method=ais,rts&replicates=12&ais.chains=60&ais.temperatures=100&rts.chains=30&" +
	"rts.init_rounds=2&rts.init_sweeps=20&rts.sweeps=50&rts.temperatures=10"

// nativeRooms returns the native server of rooms, which ./build.sh serve uses.
func nativeRooms(t *testing.T) http.Handler {
	t.Helper()
	s, _ := edgetest.Native(t)
	return s.Handler()
}

// edgeRooms returns a proxy to the edge worker on Cloudflare's runtime.
func edgeRooms(t *testing.T) http.Handler {
	t.Helper()
	at, err := url.Parse(edgetest.Start(t).URL)
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(at)
		r.Out.Host = r.In.Host // the worker compares it with the page's origin
	}}
}

// serveRooms serves the site together with a server of rooms.
func serveRooms(t *testing.T, rooms http.Handler) *site {
	t.Helper()
	s := serve(t)
	const before = `<meta name="viewport"`
	marked := func(index []byte) []byte {
		return []byte(strings.Replace(string(index), before, `<meta id="rooms">`+before, 1))
	}
	s.instead = func(name string, file []byte) (string, []byte, bool) {
		switch name {
		case "index.html":
			return kindOf(name), marked(file), true
		case "sw.js":
			index := s.dress(os.DirFS(dist))["index.html"]
			fits := strings.ReplaceAll(string(file), contentHash(index), contentHash(marked(index)))
			return kindOf(name), []byte(fits), true
		}
		return "", nil, false
	}
	plain, api := s.Config.Handler, http.StripPrefix("/some/path", rooms)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/some/path/api/") || strings.HasPrefix(r.URL.Path, "/some/path/s/") {
			api.ServeHTTP(w, r)
			return
		}
		plain.ServeHTTP(w, r)
	})
	return s
}

// gate limits each device to two results until it is opened, so that a run does not end before all devices take part.
type gate struct {
	http.Handler
	open  atomic.Bool
	given sync.Map // from device to *atomic.Int64, its number of results
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, _ := g.given.LoadOrStore(r.Header.Get(room.HeaderDevice), new(atomic.Int64))
	given := n.(*atomic.Int64)
	if strings.HasSuffix(r.URL.Path, "/take") && !g.open.Load() && given.Load() >= 2 {
		_ = json.NewEncoder(w).Encode(room.Task{Wait: 200})
		return
	}
	g.Handler.ServeHTTP(w, r)
	if strings.HasSuffix(r.URL.Path, "/result") {
		given.Add(1)
	}
}

// TestRoom opens a room in a page. Two other pages and the command join it; one page and the command leave during the
// run. The hashes are the same as those of a run on a single computer, on both servers.
func TestRoom(t *testing.T) {
	t.Parallel()
	t.Run("native", func(t *testing.T) {
		host, student := meet(t, nativeRooms(t))
		axe := axe(t)
		host.axe(axe)
		student.axe(axe)
	})
	t.Run("workerd", func(t *testing.T) {
		tier.Release(t) // wasm/rooms/edge tests the requests of a room on this runtime in every tier
		meet(t, edgeRooms(t))
	})
	t.Run("clocks that jump", func(t *testing.T) { // the clocks of the hosting page and of the devices
		tier.Release(t)
		meet(t, nativeRooms(t), `{
			const now = Date.now, jump = () => (Math.floor(performance.now() / 300) * 2654435761 % 3400 - 1700) * 1000;
			self.Date = class extends Date {
				constructor(...at) { at.length ? super(...at) : super(now() + jump()); }
				static now() { return now() + jump(); }
			};
		}`)
	})
}

// meet runs the room test with the given server and with scripts put before worker.js, and returns two of the pages.
func meet(t *testing.T, rooms http.Handler, worker ...string) (host, student *tab) {
	g := &gate{Handler: rooms}
	s := serveRooms(t, g)
	s.worker = strings.Join(worker, "")
	tab := func(suffix string) *tab {
		b := open(t, s, noPicture)
		b.expectErrors("410") // the room is closed
		b.visit("?workers=1" + suffix)
		return b
	}
	host = tab("#" + roomLink)
	host.click("#share")
	host.click(`[data-event="open-room"]`)
	host.until(`document.querySelector('.room .join .code')`)
	code := eval[string](host, `document.querySelector('.room .join .code').textContent`)
	began := time.Now()
	student = tab("#room=" + code)
	gone := tab("#room=" + code)
	host.until(`document.querySelectorAll('.room .dots i.here').length == 2`) // the devices wait for Start
	host.click(`[data-event="start-room"]`)
	const gave = `parseInt(document.querySelector('.room')?.innerText.match(/here: (\d+)\n/)?.[1]) > 0`
	student.until(gave)
	t.Logf("the first replicate after %v", time.Since(began))
	work := exec.Command("../../bin/logz", "work", s.URL+"/some/path/#room="+code, "-workers", "1")
	if err := work.Start(); err != nil {
		t.Fatal(err)
	}
	gone.until(gave)
	gone.do(chromedp.Navigate("about:blank"))
	host.until(`document.querySelectorAll('.room .dots i').length == 4`) // the host's computer is the fourth
	_ = work.Process.Kill()
	_ = work.Wait()
	g.open.Store(true)
	host.until(`document.querySelectorAll('.room .receipt code').length == 2`)
	want := native(t, "-link", "#"+roomLink)
	for i, text := range strings.Fields(eval[string](host,
		`[...document.querySelectorAll('.room .receipt code')].map((c) => c.textContent.replace(/\s/g, '')).join(' ')`)) {
		if text != want[i].Hash {
			t.Errorf("%s: hash %s, on a single computer %s", want[i].Method, text, want[i].Hash)
		}
	}
	student.until(`document.querySelector('.room').innerText.includes('This run is over')`)
	if eval[string](student, "location.hash") != "#room="+code {
		t.Error("the student's page no longer has the room's link in its address")
	}
	return host, student
}
