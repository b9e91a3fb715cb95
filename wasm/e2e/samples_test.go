package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// judged waits for the whole report, with its pictures.
const judged = `document.querySelector('.reading') && document.documentElement.hasAttribute('data-rest')`

// sheetOver is how far the report is wider than its sheet, in pixels, and what sticks out of it.
const sheetOver = `(() => { const sheet = document.querySelector('#sheet'), edge = sheet.getBoundingClientRect().right;
	const out = [...sheet.querySelectorAll('.reading *')].filter((e) => !e.closest('.wrap, svg') &&
		e.checkVisibility() && e.getBoundingClientRect().right > edge + 1);
	return sheet.scrollWidth - sheet.clientWidth + out.map((e) => ' ' + e.outerHTML.slice(0, 80)).join(''); })()`

// TestSamples: dropped files of another program become a report with the command's hash, on a desktop and on a phone;
// a starved one asks for caution, a bad one is named with its line, and what is no samples goes where it went before.
func TestSamples(t *testing.T) {
	t.Parallel()
	axe := axe(t)
	windows, err := filepath.Glob("../../site/samples/windows-*.xvg")
	if err != nil || len(windows) == 0 {
		t.Fatal(windows, err)
	}
	give := func(b *tab, names ...string) {
		var all []string
		for _, name := range names {
			all = append(all, absolute(t, name))
		}
		b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), all))
	}
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1" + quick)
	b.finish()
	give(b, windows...)
	b.until(judged)
	args := append([]string{"read", "-method", "mbar", "-json"}, windows...)
	out, err := exec.Command("../../bin/logz", args...).Output()
	var native struct{ Hash string }
	if err == nil {
		err = json.Unmarshal(out, &native)
	}
	text := func(of string) string { return eval[string](b, `document.querySelector('`+of+`').textContent`) }
	if got := text(".facts code"); err != nil || got != native.Hash {
		t.Fatalf("the page gives %s, the command %s, %v", got, native.Hash, err)
	}
	for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
		b.size(size[0], size[1])
		b.rest()
		if over := eval[string](b, sheetOver+` + ''`); over != "0" {
			t.Errorf("%v: the report is wider than its sheet by %s", size, over)
		}
		b.axe(axe)
	}
	b.set("#samples-units", "kcal/mol")
	b.until(`document.querySelector('.reading .big')?.textContent.includes('kcal') && ` + judged)

	give(b, "../../site/samples/power-starved.csv")
	b.until(`document.querySelector('.reading .verdict')?.dataset.v === 'caution' && ` + judged)
	bad := filepath.Join(t.TempDir(), "bad.csv")
	if err := os.WriteFile(bad, []byte("power,loglik\n0,-1\n0.5,x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	give(b, bad)
	b.until(`document.querySelector('.trouble .bad')?.textContent.includes('line 3')`)
	b.press("Escape")
	b.until(`!document.querySelector('#sheet').open`)
	rows := filepath.Join("../../core/stan/testdata/programs", "coin.stan")
	give(b, rows, strings.TrimSuffix(rows, ".stan")+".json")
	b.until(`location.hash.includes('model=file:')`)
}

// TestPublished: the number that was published from a public file, which is not ours to ship: COURT_SAMPLES names a
// folder with it.
func TestPublished(t *testing.T) {
	dir := os.Getenv("COURT_SAMPLES")
	if dir == "" {
		t.Skip("COURT_SAMPLES names no folder with public samples")
	}
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1" + quick)
	b.finish()
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{filepath.Join(dir, "revbayes_52_stones.pp")}))
	b.until(judged)
	b.click(`[data-event="samples-method"][data-value=ss]`)
	b.until(`document.querySelector('.reading .of')?.textContent.includes(', ss') && ` + judged)
	got := eval[string](b, `document.querySelector('.reading .big b').textContent`)
	var all []struct {
		Method string
		LogZ   float64
	}
	// The JSON of the page has all digits.
	eval[bool](b, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)`)
	b.click(`[data-event="samples-copy"]`)
	b.until(`typeof window.copied === 'string'`)
	if err := json.Unmarshal([]byte(eval[string](b, `String(window.copied)`)), &all); err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.Method == "ss" && fmt.Sprintf("%.3f", r.LogZ) != "-2624.376" {
			t.Errorf("ss is %.3f, shown as %s", r.LogZ, got)
		}
	}
	if level := eval[string](b, `document.querySelector('.reading .verdict').dataset.v`); level != "caution" {
		t.Errorf("the verdict is %s", level)
	}
}
