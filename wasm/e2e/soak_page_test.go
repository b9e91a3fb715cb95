package e2e

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// soaked tests the page under faults, with a server whose files may fail or be damaged.
type soaked struct {
	*soaking
	site *site
	fail int // the number of requests until one fails; negative for none
}

// faults lists the faults that may happen to the page while it runs an experiment.
var faults = []string{"none", "none", "a lane killed", "the controller killed", "reloaded", "paused", "a request failed",
	"a file damaged"}

func (s *soaking) page() *soaked {
	p := &soaked{soaking: s, site: serve(s.t), fail: -1}
	return p
}

// try runs an experiment in a new tab with a random fault, and compares the result with the command's.
func (p *soaked) try(t *testing.T, x experiment, want outcome) {
	if want.status > 2 || x.file == "" && want.status != 0 {
		return // the experiment has no link
	}
	fault := one(p.r, faults)
	p.count("page, " + fault)
	began := time.Now()
	defer func() {
		if d := time.Since(began); d > 20*time.Second {
			t.Logf("%v: %s, %s", d, x, fault)
		}
	}()
	p.site.instead = nil
	if fault == "a request failed" || fault == "a file damaged" {
		p.fault(fault == "a file damaged")
	}
	b := open(t, p.site)
	b.expectErrors("") // failed requests are logged on the console
	defer func() {
		if t.Failed() {
			t.Logf("the experiment was %s, with %s", x, fault)
		}
	}()
	b.visit(fmt.Sprintf("?workers=%d%s", 1+p.r.IntN(3), p.link(x)))
	time.Sleep(time.Duration(p.r.IntN(1500)) * time.Millisecond)
	kill := `((w) => (w?.terminate(), true))(spy.workers.find((w) => w.role === %q && !w.dead))`
	switch fault {
	case "a lane killed":
		eval[bool](b, fmt.Sprintf(kill, "lane"))
	case "the controller killed":
		eval[bool](b, fmt.Sprintf(kill, "controller"))
	case "reloaded":
		b.do(chromedp.Reload())
	case "paused":
		click := `((e) => (e && !e.disabled && e.click(), true))(document.querySelector(%q))`
		eval[bool](b, fmt.Sprintf(click, "#pause"))
		time.Sleep(300 * time.Millisecond)
		if eval[bool](b, `document.documentElement.dataset.state === 'paused'`) { // Run would restart a finished run
			eval[bool](b, fmt.Sprintf(click, "#run"))
		}
	case "a request failed", "a file damaged":
		b.until(ended + ` || document.querySelector('#message [data-event=file]')`)
		p.site.instead = nil // the server has recovered
		b.do(chromedp.Reload())
	}
	if x.file != "" {
		b.until(`document.querySelector('#file') && document.documentElement.dataset.state !== 'failed'`)
		b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{x.file}))
		// The page waits half a minute for a controller that was killed before its first message.
		b.until(`document.querySelector('#message').checkVisibility() ||
			/model=file:/.test(location.hash) && ` + allDone)
	}
	b.until(ended)
	if want.status == 0 && len(want.hashes) > 0 {
		b.until(allDone)
		if got := hashes(b.rows()); strings.Join(got, " ") != strings.Join(want.hashes, " ") {
			t.Errorf("%s: hashes in the page %v, of the command %v (fault: %s)", x, got, want.hashes, fault)
		}
	}
}

// link returns the link of the experiment, or a default link if the command gives none.
func (p *soaked) link(x experiment) string {
	args := append([]string{"link"}, x.args...)
	r, err := p.run(nil, args...)
	if err != nil || r.status != 0 {
		return "#v=1&model=mixture2&method=ais"
	}
	return "#" + strings.TrimPrefix(strings.TrimSpace(r.out), "#")
}

// fault makes one of the next requests return another document or, if damaged is set, a damaged file.
func (p *soaked) fault(damaged bool) {
	var asked atomic.Int64
	at, r := int64(p.r.IntN(25)), p.r.Uint64()
	p.site.instead = func(name string, file []byte) (string, []byte, bool) {
		if asked.Add(1) != at || name == "index.html" || len(file) == 0 {
			return "", nil, false
		}
		if !damaged {
			return "text/html", []byte("<p>not now"), true
		}
		b := append([]byte(nil), file...)
		b[r%uint64(len(b))] ^= 0x55
		return "application/octet-stream", b, true
	}
}
