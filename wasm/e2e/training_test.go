package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	cdp "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// weightsOf returns the arrays W, c_visible and b_hidden of an .npz file, as bytes.
func weightsOf(t *testing.T, file []byte) (all []byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	for _, name := range []string{"W.npy", "c_visible.npy", "b_hidden.npy"} {
		if err != nil {
			t.Fatal(err)
		}
		var r io.ReadCloser
		var b []byte
		if r, err = z.Open(name); err == nil {
			b, err = io.ReadAll(r)
		}
		all = append(all, b...)
	}
	return all
}

// The same training run for the page (lesson) and for the command (lessonBy). It is long enough for all disturbances of
// the test to happen before its end, even on a fast computer.
const (
	lesson   = "#v=1&train=bars&hidden=16&updates=1500&rate=0.2&gradient=rts&chains=100&check=0"
	lessonBy = "-data bars -hidden 16 -updates 1500 -rate 0.2 -gradient rts -chains 100 -check 0"
)

// trainedPast waits until the training form shows more than the given number of updates.
func (b *tab) trainedPast(update int) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector('#sheet progress')?.value > %d`, update))
}

// TestTrainingDisturbed checks that the page trains the same RBM as the command, bit for bit, although its tab is
// hidden for a while, its worker is killed, and the page is reloaded.
func TestTrainingDisturbed(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	out := filepath.Join(t.TempDir(), "native.npz")
	if says, err := exec.Command("../../bin/logz",
		append([]string{"train", "-out", out}, strings.Fields(lessonBy)...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, says)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, serve(t), noPicture, `window.saved = []; {
		const old = URL.createObjectURL;
		URL.createObjectURL = (blob) => {
			const r = new FileReader();
			r.onload = () => saved.push(r.result.split(',')[1]);
			r.readAsDataURL(blob);
			return old(blob);
		};
	}`)
	b.visit("?workers=1" + quick)
	b.awaitResults()
	b.link(lesson)
	b.click("#sheet .primary[data-event=train]")
	b.trainedPast(100)

	window := b.window()
	b.windowState(window, cdp.WindowStateMinimized)
	b.until(`document.hidden`)
	was := eval[float64](b, `document.querySelector('#sheet progress').value`)
	b.trainedPast(int(was))
	b.windowState(window, cdp.WindowStateNormal)
	b.until(`!document.hidden`)
	b.trainedPast(int(was))

	b.trainedPast(250)
	if !eval[bool](b, `((w) => w && (w.terminate(), true))(spy.workers.find((w) => w.role === 'lane' && !w.dead)) ||
		false`) {
		t.Fatal("no running lane worker to kill")
	}
	b.trainedPast(400)
	b.reload()
	b.until(`document.querySelector('[data-event=train-go]')`)
	b.click("[data-event=train-go]")
	b.click("[data-event=sheet][data-value=train]")
	b.until(`document.querySelector('#sheet [data-event=train-new]')`)
	b.click("#sheet [data-event=train-keep]")
	b.until(`saved.some((f) => f.startsWith('UEsDB'))`)
	got, err := base64.StdEncoding.DecodeString(eval[string](b, `saved.find((f) => f.startsWith('UEsDB'))`))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(weightsOf(t, got), weightsOf(t, want)) {
		t.Error("the weights trained in the page differ from the command's")
	}
}

// window returns the id of the tab's browser window.
func (b *tab) window() cdp.WindowID {
	b.t.Helper()
	r, err := chromedp.Call(b.ctx, cdp.GetWindowForTarget, cdp.GetWindowForTargetParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	return r.WindowID
}

// windowState minimizes or restores a browser window.
func (b *tab) windowState(id cdp.WindowID, state cdp.WindowState) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, cdp.SetWindowBounds, cdp.SetWindowBoundsParams{WindowID: id,
		Bounds: &cdp.Bounds{WindowState: state}}); err != nil {
		b.t.Fatal(err)
	}
}
