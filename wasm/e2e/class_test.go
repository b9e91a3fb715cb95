package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"logzlab/core/meter"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	jobs "logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/wasm/rooms/room"
)

// classLinks are the experiments of the class. They take long enough for every device to take part.
var classLinks = []string{
	"v=1&model=mixture2&method=ais&ais.chains=200&ais.temperatures=1000",
	"v=1&model=mixture2&method=rts&rts.init_rounds=2&rts.init_sweeps=100&rts.sweeps=500&" +
		"rts.temperatures=20",
}

// classDeck is a deck with three questions and two experiments that the class runs.
var classDeck = "# A class\n\nlink: #v=1&model=mixture2&method=is&is.particles=100\nask: How many peaks are there?\n" +
	"- * Two\n- Three\nsay: The mixture has two.\n\n" +
	"link: #" + classLinks[0] + "\ncontrol: class\nsay: Each of you cools some chains.\n\n" +
	"ask: Is all of it right, or your part?\n- * All\n- Mine\n- Neither\nsay: All together are closer.\n\n" +
	"link: #" + classLinks[1] + "\ncontrol: class\nsay: Now each of you hops.\n\n" +
	"ask: Which was closer?\n- The first\n- The second\nsay: Compare them.\n"

// classBoard has the fields of a room's board that the test reads.
type classBoard struct {
	Run    int
	Hash   []string
	Helped int
	Ask    *struct {
		Step    int
		Open    bool
		Voted   int
		Counts  []float64
		Answers []string
	}
}

// phone simulates a device of the class in the test process.
type phone struct {
	room.Client
	at    *sleepingTransport
	given atomic.Int64
}

// pageBuild sets room.Build to the build of the page that started the run, so that simulated phones may take part.
var pageBuild sync.Once

// replicate computes one replicate of a run in the test process.
func replicate(ctx context.Context, link string, index int) ([]byte, error) {
	s, err := spec.ParseLink(link, catalog.Names{})
	if err != nil {
		return nil, err
	}
	m, err := jobs.Source{Load: testmodels.LoadSite}.Open(s, &meter.Meter{})
	if err != nil {
		return nil, err
	}
	j, err := jobs.NewJob(s, m, jobs.Options{})
	if err != nil {
		return nil, err
	}
	outcome := j.Only(index)
	if err := jobs.Run(ctx, j, 1, nil); err != nil {
		return nil, err
	}
	return outcome(), nil
}

// sleepingTransport is a transport that blocks while its phone sleeps.
type sleepingTransport struct {
	room.Transport
	sleeps atomic.Bool
}

func (a *sleepingTransport) Send(ctx context.Context, r room.Request) (room.Response, error) {
	for a.sleeps.Load() {
		if err := room.Sleep(ctx, 20*time.Millisecond); err != nil {
			return room.Response{}, err
		}
	}
	return a.Transport.Send(ctx, r)
}

// board returns the current board of the room.
func board(ctx context.Context, c *room.Client) (x classBoard) {
	if info, err := c.Info(ctx); err == nil {
		_ = json.Unmarshal([]byte(info.Board), &x)
	}
	return x
}

// startPhone starts phone number k. It takes part in all runs and votes on each question; k determines its answer.
func startPhone(ctx context.Context, t *testing.T, at room.Transport, code string, k int) *phone {
	t.Helper()
	way := &sleepingTransport{Transport: at}
	p := &phone{Client: room.Client{Transport: way, Code: code, Device: room.NewSecret()}, at: way}
	go func() {
		err := p.Follow(ctx, func(ctx context.Context, run room.Run) error {
			pageBuild.Do(func() { room.Build = run.Build })
			return p.Work(ctx, run, func(ctx context.Context, index int) ([]byte, error) {
				return replicate(ctx, run.Link, index)
			}, func(int) { p.given.Add(1) })
		})
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	}()
	go func() {
		for voted := 0; room.Sleep(ctx, time.Second) == nil; {
			q := board(ctx, &p.Client).Ask
			if q == nil || !q.Open || q.Step == voted {
				continue
			}
			var no *room.Refused
			if err := p.Vote(ctx, q.Step, k%len(q.Answers)); err == nil {
				voted = q.Step
			} else if !errors.As(err, &no) && ctx.Err() == nil { // a refused vote is fine: the question may be closed by now
				t.Error(err)
			}
		}
	}()
	return p
}

// TestClass plays a deck with three votes and two shared runs to the end. Two phones sleep for a while and one page is
// reloaded. All votes count, and each run gives the same result as on a single computer.
func TestClass(t *testing.T) {
	t.Parallel()
	devices, pages := tier.Size(5, 5, 27), tier.Size(0, 0, 2)
	s := serveRooms(t, nativeRooms(t))
	mended := s.instead
	s.instead = func(name string, file []byte) (string, []byte, bool) {
		if name == "decks/trust.txt" {
			return kindOf(name), []byte(classDeck), true
		}
		return mended(name, file)
	}
	shots := os.Getenv("LOGZ_SHOTS") // a folder for screenshots, which also show two phones
	if shots != "" {
		pages = 2
	}
	shot := func(b *tab, name string) {
		if shots == "" {
			return
		}
		b.until(`new Promise((next) => setTimeout(() => next(true), 1500))`) // let animations end
		data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err == nil {
			err = os.WriteFile(filepath.Join(shots, name+".png"), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	page := func(suffix string, width, height int64) *tab {
		var scripts []string
		if shots == "" {
			scripts = append(scripts, noPicture)
		}
		b := open(t, s, scripts...)
		b.size(width, height)
		b.visit("?workers=1" + suffix)
		return b
	}

	// The lobby.
	host := page("#v=1&model=mixture2&method=is&view.projector=1", 1920, 1080)
	host.click("#share")
	host.click(`[data-event="open-room"]`)
	host.until(`document.querySelector('.room .join .code')`)
	code := eval[string](host, `document.querySelector('.room .join .code').textContent`)
	at := room.HTTP{Base: s.URL + "/some/path/"}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	defer func(b string) { room.Build = b }(room.Build)
	var phones []*phone
	for k := range devices {
		phones = append(phones, startPhone(ctx, t, at, code, k))
	}
	var tabs []*tab
	for range pages {
		tabs = append(tabs, page("#room="+code, 390, 844))
	}
	host.until(fmt.Sprintf(`document.querySelectorAll('.room .dots i.here').length == %d`, devices+pages))
	shot(host, "lobby")
	for i, b := range tabs {
		shot(b, fmt.Sprintf("phone-%d-lobby", i))
	}

	// No text of a step is cut off or overlaps another one, for example the room's code and the buttons next to it.
	fits := func(b *tab) {
		t.Helper()
		b.rest()
		found := append(eval[[]string](b, "("+texts[strings.Index(texts, "() =>"):]+")()"), eval[[]string](b, overflows)...)
		if len(found) > 0 {
			t.Errorf("%s: %s", eval[string](b, step), strings.Join(found, "\n"))
		}
	}

	// The deck: all awake devices vote on every question, and the page shows the counts.
	class := &room.Client{Transport: at, Code: code}
	host.link("view.deck=trust&view.projector=1")
	sleepers := 0
	asks := func(step int) {
		t.Helper()
		host.until(stepAt(step, true))
		for i, b := range tabs {
			b.until(`document.querySelectorAll('.ballot button').length > 1`)
			fits(b)
			b.click(fmt.Sprintf(`.ballot li:nth-child(%d) button`, 1+i%2))
			shot(b, fmt.Sprintf("phone-%d-question-%d", i, step))
		}
		all := devices + pages - sleepers
		host.until(fmt.Sprintf(`document.querySelector('.deck-voting')?.innerText.includes('%d of ')`, all))
		shot(host, fmt.Sprintf("question-%d", step))
		fits(host)
		host.turn("PageDown")
		host.until(stepAt(step, false) + ` && document.querySelectorAll('#deck .votes li').length > 1`)
		counts := eval[[]int](host, `[...document.querySelectorAll('#deck .votes b')].map((b) => +b.textContent)`)
		sum := 0
		for _, n := range counts {
			sum += n
		}
		if sum != all {
			t.Errorf("step %d: votes %v, want %d in total (one from each awake device)", step, counts, all)
		}
		shot(host, fmt.Sprintf("answer-%d", step))
		fits(host)
		for i, b := range tabs {
			b.until(`document.querySelectorAll('.r-head .votes li').length > 1`)
			shot(b, fmt.Sprintf("phone-%d-answer-%d", i, step))
		}
	}
	runs := func(step int, meanwhile func()) {
		t.Helper()
		before := board(ctx, class).Run
		host.turn("PageDown")
		host.until(stepAt(step, false))
		meanwhile()
		var now classBoard
		for now = board(ctx, class); now.Run == before || now.Hash == nil; now = board(ctx, class) {
			if err := room.Sleep(ctx, 200*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		info, err := class.Info(ctx)
		if err != nil {
			t.Fatal(err)
		}
		link := info.Run.Link
		alone := strings.Replace(link, fmt.Sprintf("&replicates=%d", info.Run.Replicates), "", 1)
		if alone != classLinks[step/2-1] {
			t.Errorf("step %d: the class runs %s, want %s and a number of replicates", step, link, classLinks[step/2-1])
		}
		if want := native(t, "-link", "#"+link)[0].Hash; !slices.Equal(now.Hash, []string{want}) {
			t.Errorf("step %d: hash of the class = %v, want %s as on a single computer", step, now.Hash, want)
		}
		shot(host, fmt.Sprintf("run-%d", step))
		for i, b := range tabs {
			b.until(`document.querySelector('.room')?.innerText.includes('This run is over')`)
			shot(b, fmt.Sprintf("phone-%d-run-%d", i, step))
		}
		t.Logf("step %d: %d devices helped with %d replicates", step, now.Helped, info.Run.Replicates)
	}
	asks(1)
	runs(2, func() { // two phones fall asleep, and one page is reloaded
		for _, p := range phones[:2] {
			p.at.sleeps.Store(true)
			sleepers++
		}
		for i, b := range tabs {
			shot(b, fmt.Sprintf("phone-%d-during", i))
		}
		if len(tabs) > 0 {
			tabs[0].reload()
		}
		shot(host, "during")
	})
	host.turn("PageDown")
	asks(3)
	for _, p := range phones[:2] {
		p.given.Store(0)
		p.at.sleeps.Store(false)
		sleepers--
	}
	runs(4, func() {})
	host.turn("PageDown")
	asks(5)
	if phones[0].given.Load()+phones[1].given.Load() == 0 {
		t.Error("the phones that slept in the first run computed nothing in the second")
	}

	// The closing card appears in the lab; then the room is closed for all.
	host.turn("Escape")
	host.until(`document.querySelector('.endcard')`)
	if text := eval[string](host, `document.querySelector('.endcard').innerText`); !strings.Contains(text, "Devices: ") ||
		!strings.Contains(text, "Exact") {
		t.Errorf(`closing card = %q, want "Devices: " and "Exact" in it`, text)
	}
	shot(host, "card")
	host.size(1024, 768)
	shot(host, "card-1024")
	host.click(`[data-event="card"]`)
	shot(host, "done-1024")
	for i, b := range tabs {
		b.until(`/Your part: |No replicate/.test(document.querySelector('.r-head').innerText)`)
		shot(b, fmt.Sprintf("phone-%d-end", i))
	}
	host.click(`[data-event="leave-room"]`)
	for _, b := range tabs {
		b.until(`document.querySelector('.room').innerText.includes('The room is closed')`)
	}
}

// stepAt returns an expression that is true if the deck shows step n, in its question phase or its answer phase.
func stepAt(n int, isQuestion bool) string {
	mark := ""
	if isQuestion {
		mark = "?"
	}
	// The deck has five steps, and the page adds one with its address.
	return fmt.Sprintf(`%s == '%d / 6%s'`, step, n, mark)
}
