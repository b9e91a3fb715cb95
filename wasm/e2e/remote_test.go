package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/wasm/rooms/room"
)

// TestRemote tests the remote control on the host's phone: two large buttons in the lower half of the screen change the
// step of a lecture, in the lobby and during a question. The presenter's window shows the QR code for it, the projected
// page does not. If LOGZ_SHOTS names a folder, screenshots of the phone are saved there.
func TestRemote(t *testing.T) {
	t.Parallel()
	s := serveRooms(t, nativeRooms(t))
	host := open(t, s, noPicture)
	host.size(1280, 800)
	host.visit("?workers=1" + quick)
	host.awaitResults()
	host.click("#share")
	host.click("#open-room")
	host.until(`document.querySelector('.join .code')?.textContent.length > 3`)
	host.link("view.deck=trust")
	host.until(step + `.startsWith('1 / ')`)
	host.turn("n")
	host.until(`!!window.open('', 'logz-notes')?.document.querySelector('.lend-remote .qr')`)
	if eval[bool](host, `!!document.querySelector('.lend-remote') || /remote=/.test(document.body.innerHTML)`) {
		t.Error("the projected page shows the link of the remote control")
	}

	code := eval[string](host, `document.querySelector('.deck-room .code').textContent`)
	token := eval[string](host, `JSON.parse(localStorage.getItem('room')).token`)
	phone := open(t, s, noPicture)
	phone.size(390, 844)
	phone.visit("?workers=1#room=" + code + "&remote=" + room.Remote(room.Sum([]byte(token))))
	says := func(what string) { phone.until(`/` + what + `/.test(document.querySelector('.remote')?.innerText)`) }
	fits := func(name string) {
		if n := eval[float64](phone, `[...document.querySelectorAll('.remote button')].filter((e) => {
			const r = e.getBoundingClientRect();
			return e.checkVisibility() && r.height >= 60 && r.width >= 80 && r.bottom <= innerHeight &&
				r.top > innerHeight / 2 && e.contains(document.elementFromPoint(r.left + r.width / 2,
				r.top + r.height / 2)); }).length`); n != 2 {
			t.Errorf("%s: %v buttons are large, uncovered and in the lower half of the screen, want 2", name, n)
		}
		if dir := os.Getenv("LOGZ_SHOTS"); dir != "" {
			shot, err := chromedp.Run(phone.ctx, chromedp.CaptureScreenshot())
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, "remote-"+name+".png"), shot, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	says("Step 1")
	fits("lobby")
	phone.click(".remote [data-value=next]")
	host.until(step + `.startsWith('2 / ')`)
	says("Step 2")
	phone.until(`document.querySelectorAll('.ballot button').length === 3`)
	fits("question")
	phone.click(".remote [data-value=back]")
	host.until(step + `.startsWith('1 / ')`)
}
