package e2e

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// TestFirstNumber checks that the first number appears within 3 s of navigation, even if the picture never loads, and
// that the picture first moves within 2.5 s.
func TestFirstNumber(t *testing.T) {
	tier.Release(t)
	for _, refuse := range []string{"", "canvas.wasm.gz"} {
		t.Run("without "+refuse, func(t *testing.T) {
			s := serve(t)
			s.refuse = refuse
			b := open(t, s, counter)
			if refuse != "" {
				b.expectErrors("404")
			}
			b.visit("#lab")
			b.until("spy.first")
			first := eval[struct {
				MS   float64
				Text string
			}](b, "spy.first")
			t.Logf("%q after %.0f ms", first.Text, first.MS)
			if first.MS > 3000 && slow() == "" {
				t.Errorf("first number after %.0f ms, want at most 3000", first.MS)
			}
			if refuse == "" {
				s := b.moved()
				t.Logf("first movement after %.2f s", s)
				if s > 2.5 && slow() == "" {
					t.Errorf("first movement after %.2f s, want at most 2.5", s)
				}
			}
			b.awaitResults()
		})
	}
}

// targets evaluates to the number of visible controls and links.
const targets = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((e) =>
	e.checkVisibility() && !e.closest('.vh') && e.getBoundingClientRect().top < innerHeight).length`

// TestDefault checks the default experiment of the lab: it runs, has a link, gives the same results as natively, and
// the page shows a first visitor at most 20 controls.
func TestDefault(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t))
	b.size(1280, 800)
	b.visit("#lab")
	rows := b.awaitResults()
	b.rest()
	for _, size := range [][2]int64{{390, 844}, {1280, 800}} {
		b.size(size[0], size[1])
		b.rest()
		if n := eval[int](b, targets); n > 20 {
			t.Errorf("%v: a first visitor sees %d controls, want at most 20", size, n)
		}
	}
	want := native(t, "-link", eval[string](b, "location.hash"))
	for i, r := range rows {
		if r.Value["hash"] != want[i].Hash {
			t.Errorf("%s: hash %s, natively %s", r.Method, r.Value["hash"], want[i].Hash)
		}
		for _, field := range []string{"logz", "se", "sweeps", "seconds", "hash"} {
			if r.Text[field] == "" || r.Value[field] == "" {
				t.Errorf("%s: %s is %q with value %q", r.Method, field, r.Text[field], r.Value[field])
			}
		}
		for field, text := range r.Text {
			if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("%s: %s shows %s", r.Method, field, text)
			}
		}
	}
	if eval[string](b, "document.querySelector('#summary').textContent") == "" {
		t.Error("the summary is empty")
	}
}

// TestNoWebGL checks that without WebGL the page shows a message in place of the picture, and complete results.
func TestNoWebGL(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.visit(quick)
	b.awaitResults()
	b.until(`/All results still work/.test(document.body.innerText)`)
}

// TestPicture checks that the picture starts, is not blank, and forwards keys to the page.
func TestPicture(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t))
	b.visit("#v=1&model=rbm-pcd-20&method=ais&ais.chains=20&ais.temperatures=20")
	b.awaitResults()
	b.until(`document.querySelector('#veil').hidden &&
		document.querySelector('#stage').contentDocument.querySelector('canvas')`)
	var last []byte
	for _, scene := range []string{"units", "trace"} {
		b.click(fmt.Sprintf("[data-scene=%s]", scene))
		b.until(fmt.Sprintf("document.querySelector('[data-scene=%s]').ariaSelected === 'true'", scene))
		shot := b.shot()
		img, err := png.Decode(bytes.NewReader(shot))
		if err != nil {
			t.Fatal(err)
		}
		colours := map[color.Color]bool{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				colours[img.At(x, y)] = true
			}
		}
		if len(colours) < 3 { // background, marks and the shades between them
			t.Errorf("%s: the picture has %d colours, want at least 3", scene, len(colours))
		}
		if bytes.Equal(shot, last) {
			t.Errorf("%s: the picture is the same as that of the previous scene", scene)
		}
		last = shot
	}
	eval[bool](b, `document.querySelector('#stage').contentWindow.dispatchEvent(new KeyboardEvent('keydown', {key: '3',
		bubbles: true}))`)
	b.until(`document.querySelector('[data-scene=units]').ariaSelected === 'true'`)
}

// TestBadLinks checks that a bad link gives a visible error that names the problem, and that nothing runs instead. It
// opens the first link in a new page and enters the others into its address bar.
func TestBadLinks(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	for i, c := range []struct{ link, says string }{
		{"#v=2&model=mixture2&method=ais", "v=2"},
		{"#v=1&model=nonesuch&method=ais", "nonesuch"},
		{"#v=1&model=mixture2&method=nosuch", "nosuch"},
		{"#v=1&model=mixture2&method=ais&ais.chains=many", "many"},
		{"#v=1&model=mixture2&method=ais&ais.chains=0", "ais.chains"},
		{"#v=1&model=mixture2&method=ais&seed=1&seed=2", "seed"},
		{"#v=1&model=mixture2&method=ais&colour=red", "colour"},
		{"#v=1&model=mixture2&method=ais&ais.temperatures=1", "ais.temperatures"},
		{"#rubbish", "rubbish"},
	} {
		t.Log(c.link)
		if i == 0 {
			b.visit(c.link)
		} else {
			b.link(c.link)
		}
		b.rest()
		b.until(fmt.Sprintf(`((m) => m.getAttribute('role') === 'alert' && m.checkVisibility() &&
			m.innerText.includes(%q))(document.querySelector('#message'))`, c.says))
		for _, r := range b.rows() {
			if r.State == "running" || r.State == "done" || r.Text["logz"] != "" {
				t.Errorf("%s: state of %s = %s, log Z = %q; want no run", c.link, r.Method, r.State, r.Text["logz"])
			}
		}
		if i%8 == 0 { // the page still works: choose a model and run it
			b.set("#model", "mixture2")
			b.click("#run")
			b.awaitResults()
		}
	}
}

// TestOwnModel chooses a model file and runs it. Then it opens the link of that run in another tab; the page refuses a
// different file and accepts the original one.
func TestOwnModel(t *testing.T) {
	t.Parallel()
	file := func(name string, w float64) string {
		path := filepath.Join(t.TempDir(), name)
		data, err := json.Marshal(map[string]any{
			"kind": "rbm", "W": [][]float64{{w, -0.5}, {0.25, 0.75}, {-1, 0.5}},
			"c_visible": []float64{0.1, -0.2, 0.3}, "b_hidden": []float64{-0.4, 0.2},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mine, other := file("mine.json", 1.5), file("other.json", 2.5)
	want := native(t, "-model", mine, "-method", "ais")[0]
	give := func(b *tab, paths ...string) {
		t.Helper()
		b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), paths))
	}
	s := serve(t)
	b := open(t, s, noPicture)
	b.visit("#v=1&model=mixture2&method=ais")
	b.awaitResults()
	give(b, mine)
	b.until(`/model=file:[0-9a-f]{12}/.test(location.hash)`)
	if eval[bool](b, `document.querySelector('#results tr')?.dataset.state === 'idle'`) {
		b.click("#run")
	}
	link := eval[string](b, "location.hash")
	if link != "#"+want.Link {
		t.Errorf("link %s, want #%s", link, want.Link)
	}
	b.until(fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`,
		want.Hash))

	b = open(t, s, noPicture)
	b.visit(link)
	b.until(`document.querySelector('#message').checkVisibility() &&
		/file/i.test(document.querySelector('#message').innerText)`)
	give(b, other)
	b.until(`/other\.json/.test(document.querySelector('#message').innerText)`)
	b.rest()
	for _, r := range b.rows() {
		if r.State == "done" || r.State == "running" {
			t.Errorf("state of %s = %s with the wrong file, want no run", r.Method, r.State)
		}
	}
	give(b, mine)
	b.until(fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`,
		want.Hash))

	// The arrays of an RBM in three files, chosen together.
	dir := t.TempDir()
	var arrays []string
	for name, data := range map[string][]byte{"W.npy": npy("(3, 2)", 1.5, -.5, .25, .75, -1, .5),
		"a.npy": npy("(3,)", .1, -.2, .3), "b.npy": npy("(2,)", -.4, .2)} {
		arrays = append(arrays, filepath.Join(dir, name))
		if err := os.WriteFile(arrays[len(arrays)-1], data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want = native(t, "-model", strings.Join(arrays, ","), "-method", "ais")[0]
	b.visit("#v=1&model=mixture2&method=ais")
	b.awaitResults()
	give(b, arrays...)
	b.until(`/model=file:[0-9a-f]{12}/.test(location.hash)`)
	if eval[bool](b, `document.querySelector('#results tr')?.dataset.state === 'idle'`) {
		b.click("#run")
	}
	b.until(fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`,
		want.Hash))
}

// npy returns an array of float64 in NumPy's .npy format.
func npy(shape string, x ...float64) []byte {
	head := fmt.Sprintf("%-117s\n", "{'descr': '<f8', 'fortran_order': False, 'shape': "+shape+", }")
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0)
	b = append(b, head...)
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// TestBadFiles checks that each bad file gives a message and that the page still works.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, serve(t), noPicture)
	b.visit(quick)
	b.awaitResults()
	for name, data := range map[string]string{
		"empty.json":     "",
		"rubbish.json":   "no model",
		"kind.json":      `{"kind": "teapot"}`,
		"ragged.json":    `{"kind": "rbm", "W": [[1, 2], [3]], "c_visible": [0, 0], "b_hidden": [0, 0]}`,
		"hidden.json":    `{"kind": "rbm", "W": [[], []], "c_visible": [0, 0], "b_hidden": []}`,
		"nan.json":       `{"kind": "rbm", "W": [[NaN]], "c_visible": [0], "b_hidden": [0]}`,
		"huge.json":      `{"kind": "rbm", "W": [[1e300]], "c_visible": [0], "b_hidden": [0]}`,
		"truncated.npz":  "PK\x03\x04\x14\x00",
		"not-a-file.npz": "rubbish",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{path}))
		b.until(fmt.Sprintf(`((m) => m.checkVisibility() && m.innerText.includes(%q))(
			document.querySelector('#message'))`, name))
		t.Log(eval[string](b, "document.querySelector('#message').innerText"))
		b.clickAndAwaitRun("#run") // the page still works
		b.awaitResults()
	}
}

// TestControls checks that Restart gives the same result, that a new seed gives another one, and that the link follows
// the controls.
func TestControls(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.visit("#v=1&model=mixture2&method=ais&ais.temperatures=50")
	first := b.awaitResults()[0].Value["hash"]
	b.clickAndAwaitRun("#restart")
	if again := b.awaitResults()[0].Value["hash"]; again != first {
		t.Errorf("hash %s, after restart %s", first, again)
	}
	b.click("#new-seed")
	b.until("/seed=[0-9]+/.test(location.hash)")
	b.until(fmt.Sprintf(`((td) => td?.dataset.value &&
		td.dataset.value !== %q)(document.querySelector('#results td[data-field=hash]'))`, first))

	b.set("#seed", "1")
	b.set(`[data-param="ais.chains"]`, "60")
	b.click("input[name=method][value=rts]")
	b.set(`[data-param="rts.sweeps"]`, "50")
	b.click("#run")
	const both = "#v=1&model=mixture2&method=ais,rts&ais.chains=60&ais.temperatures=50&rts.sweeps=50"
	b.until(`location.hash === '` + both + `'`)
	want := native(t, "-link", both)
	b.until(fmt.Sprintf(`document.querySelector('#results tr[data-method=rts] `+
		`td[data-field=hash]')?.dataset.value === %q`, want[1].Hash))
	if got := hashes(b.awaitResults()); got[0] != want[0].Hash {
		t.Errorf("ais hash %s, natively %s", got[0], want[0].Hash)
	}

	// Another link in the address bar runs at once.
	b.link("#v=1&model=ising16&method=is")
	want = native(t, "-link", "#v=1&model=ising16&method=is")
	b.until(fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`,
		want[0].Hash))
}

// TestShots saves screenshots of the page to the folder LOGZ_SHOTS.
func TestShots(t *testing.T) {
	dir := os.Getenv("LOGZ_SHOTS")
	if dir == "" {
		t.Skip("set LOGZ_SHOTS to a folder for the screenshots")
	}
	s := serve(t)
	for _, size := range [][2]int64{{1280, 800}, {768, 1024}, {390, 844}} {
		b := open(t, s)
		b.size(size[0], size[1])
		b.visit("#lab")
		b.awaitResults()
		b.rest()
		shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("page-%dx%d.png", size[0], size[1])), shot, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSelectedTabIsWhole checks that the selected tab is scrolled into view if the tabs are wider than the window.
func TestSelectedTabIsWhole(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(240, 640)
	b.visit("#v=1&model=rbm-pcd-20&method=ais,rm&ais.chains=20&ais.temperatures=20&rm.islands=2&rm.particles=4" +
		"&view.lang=de&view.scene=trace")
	b.until(`document.querySelector('#tab-trace')?.ariaSelected === 'true'`)
	if !eval[bool](b, `document.querySelector('#tabs').scrollWidth > document.querySelector('#tabs').clientWidth`) {
		t.Fatal("all tabs fit into the window, so this test checks nothing")
	}
	b.until(`document.querySelector('#tab-trace').getBoundingClientRect().right <= ` +
		`document.querySelector('#tabs').getBoundingClientRect().right + 1`)
}
