package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/core/num/rng"
	"logzlab/internal/tier"
)

// judged is true if the report on external samples is complete, including its pictures.
const judged = `document.querySelector('.reading') && document.documentElement.hasAttribute('data-rest')`

// sheetOver evaluates to the number of pixels by which the report is wider than its sheet, and the elements that extend
// beyond the sheet.
const sheetOver = `(() => { const sheet = document.querySelector('#sheet'), edge = sheet.getBoundingClientRect().right;
	const out = [...sheet.querySelectorAll('.reading *')].filter((e) => !e.closest('.wrap, svg') &&
		e.checkVisibility() && e.getBoundingClientRect().right > edge + 1);
	return sheet.scrollWidth - sheet.clientWidth + out.map((e) => ' ' + e.outerHTML.slice(0, 80)).join(''); })()`

// TestSamples opens files with samples of another program. The page shows a report with the same hash as the command;
// it fits a desktop and a phone. Too few samples give a warning, a bad file gives a message with its line number, and
// files without samples are opened as models.
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
	b.awaitResults()
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
		t.Fatalf("hash in the page %s, of the command %s, error %v", got, native.Hash, err)
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
	b.until(`document.querySelector('.reading .verdict')?.dataset.v === 'stop' && ` + judged)
	bad := filepath.Join(t.TempDir(), "bad.csv")
	if err := os.WriteFile(bad, []byte("power,loglik\n0,-1\n0.5,x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	give(b, bad)
	b.until(`document.querySelector('.trouble .bad')?.textContent.includes('line 3')`)
	b.press("Escape")
	b.until(`!document.querySelector('#sheet').open`)
	rows := filepath.Join("../../models/stan/testdata/programs", "coin.stan")
	give(b, rows, strings.TrimSuffix(rows, ".stan")+".json")
	b.until(`location.hash.includes('model=file:')`)
}

// TestPublished checks a published result from a public file that may not be distributed with the project. LOGZ_DATA
// names a folder that contains the file.
func TestPublished(t *testing.T) {
	dir := tier.Data(t)
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1" + quick)
	b.awaitResults()
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{filepath.Join(dir, "revbayes_52_stones.pp")}))
	b.until(judged)
	b.click(`[data-event="samples-method"][data-value=ss]`)
	b.until(`document.querySelector('.reading .of')?.textContent.includes(', ss') && ` + judged)
	got := eval[string](b, `document.querySelector('.reading .big b').textContent`)
	for _, r := range b.estimates() {
		if z, err := r.LogZ.Float64(); r.Method == "ss" && (err != nil || fmt.Sprintf("%.3f", z) != "-2624.376") {
			t.Errorf("log Z of ss = %s, shown as %s, want -2624.376", r.LogZ, got)
		}
	}
	if level := eval[string](b, `document.querySelector('.reading .verdict').dataset.v`); level != "caution" {
		t.Errorf("verdict = %s, want caution", level)
	}
}

// estimate is one method's result in the JSON of a report, with all decimals.
type estimate struct {
	Method   string
	LogZ, SE json.Number
	Hash     string
}

// estimates returns the results of the visible report, through its button that copies JSON.
func (b *tab) estimates() (all []estimate) {
	b.t.Helper()
	eval[bool](b, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }, true)`)
	b.click(`[data-event="samples-copy"]`)
	b.until(`typeof window.copied === 'string'`)
	if err := json.Unmarshal([]byte(eval[string](b, `String(window.copied)`)), &all); err != nil {
		b.t.Fatal(err)
	}
	return all
}

// powers writes a file in the format of RevBayes, with 52 stones of 40 autocorrelated samples each. The samples are log
// likelihoods of a normal mean with 20 observations, whose power posteriors are normal as well.
func powers(t *testing.T) string {
	t.Helper()
	const stones, samples, data = 52, 40, 20.
	stream := rng.NewKey(6, "stones", 0).Stream(0, 0, 0)
	text := "state\tpower\tlikelihood\n"
	for i := range stones {
		power := math.Pow(1-float64(i)/(stones-1), 1/.3)
		x := stream.Norm()
		for k := range samples {
			x = .5*x + math.Sqrt(.75)*stream.Norm()
			far := x / math.Sqrt(1+data*power)
			text += fmt.Sprintf("%d\t%g\t%.6f\n", 10*k, power, -2600-data*far*far/2)
		}
	}
	name := filepath.Join(t.TempDir(), "own.pp")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestSamplesResults checks that the page gives the same results and hashes as the command, bit for bit and for every
// method, from a file in the format of RevBayes.
func TestSamplesResults(t *testing.T) {
	t.Parallel()
	name := powers(t)
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1" + quick)
	b.awaitResults()
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{name}))
	b.until(judged)
	out, err := exec.Command("../../bin/logz", "read", "-json", name).Output()
	var want []estimate
	if err == nil {
		err = json.Unmarshal(out, &want)
	}
	if got := b.estimates(); err != nil || len(want) != 5 || !slices.Equal(got, want) {
		t.Fatalf("results in the page %v\nof the command %v, error %v", got, want, err)
	}
	for _, r := range want {
		if z, err := r.LogZ.Float64(); err != nil || math.Abs(z-(-2600-math.Log(21)/2)) > 1 {
			t.Errorf("log Z of %s = %s, want %.3f within 1 nat", r.Method, r.LogZ, -2600-math.Log(21)/2)
		}
	}
}
