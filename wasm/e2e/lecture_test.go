package e2e

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// turn sends a key to the page, like a presenter's remote control.
func (b *tab) turn(key string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`document.body.dispatchEvent(new KeyboardEvent('keydown',
		{key: %q, bubbles: true, cancelable: true})) || true`, key))
}

// step evaluates to the number of the current step of a deck, followed by a question mark during a question.
const step = `(document.querySelector('.deck-nav > span')?.textContent +
	(document.querySelector('.deck-answers') ? '?' : ''))`

// overflows evaluates to a list of the parts of a step that extend beyond the window and, in windows at least 1,000
// pixels wide, of the visible texts smaller than 24 pixels.
const overflows = `[...document.querySelectorAll('#deck *, #plate')].flatMap((e) => {
	const r = e.getBoundingClientRect(), at = e.id || e.className || e.tagName;
	if (!e.checkVisibility() || e.closest('.vh, svg')) return [];
	const out = r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1;
	const says = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
	const small = innerWidth >= 1000 && says && parseFloat(getComputedStyle(e).fontSize) < 23.9;
	return [...(out ? ['beside the window: ' + at] : []), ...(small ? ['small: ' + e.textContent] : [])];
})`

// TestLecture plays a deck to its end with the keys of a presenter's remote control, in several window sizes and both
// languages. Every step shows a number, no text is cut off, too small or covered, and axe-core finds no violation.
func TestLecture(t *testing.T) {
	t.Parallel()
	axe, s := axe(t), serve(t)
	call := "(" + texts[strings.Index(texts, "() =>"):] + ")()"
	decks, err := filepath.Glob("../../site/decks/*.de.txt")
	if err != nil || len(decks) < 3 {
		t.Fatal(decks, err)
	}
	views := []struct {
		lang, look    string
		width, height int64
	}{{"en", "&view.projector=1", 1024, 600}, {"de", "&view.theme=dark", 1920, 1080}, {"de", "", 1024, 768},
		{"en", "", 1280, 720}, {"de", "", 1024, 600}, {"en", "", 390, 844}, {"de", "", 360, 740},
		{"en", "&view.theme=dark", 768, 1024}, {"de", "&view.projector=1", 2560, 1440}}
	for i, v := range views[:tier.Size(2, 2, len(views))] {
		for _, file := range decks[:tier.Size(1, 1, len(decks))] {
			name := strings.TrimSuffix(filepath.Base(file), ".de.txt")
			if !tier.Releases() {
				name = "sum"
			}
			t.Run(fmt.Sprintf("%s, %s at %d", name, v.lang, v.width), func(t *testing.T) {
				t.Parallel()
				var scripts []string
				if i > 0 || !tier.Releases() { // one view tests the picture
					scripts = append(scripts, noPicture)
				}
				b := open(t, s, scripts...)
				b.size(v.width, v.height)
				b.visit("?workers=1#view.deck=" + name + "&view.lang=" + v.lang + v.look)
				b.until(step + `.startsWith('1 / ')`)
				for last, n := "", 0; ; n++ {
					b.rest()
					now := eval[string](b, step)
					if now == last {
						if n < 8 || !strings.HasPrefix(now, strings.Split(now, " / ")[1]+" ") {
							t.Errorf("the deck ends at step %s, want the last one", now)
						}
						break
					}
					last = now
					found := append(eval[[]string](b, call), eval[[]string](b, overflows)...)
					high := eval[float64](b, `document.querySelector('#plate').clientHeight / innerHeight`)
					if v.width*2 >= v.height*3 && high < 0.95 && !strings.HasSuffix(now, "?") {
						found = append(found, fmt.Sprintf("height of the picture = %.2f of the wide screen, want at least 0.95", high))
					}
					if says := eval[string](b, `document.querySelector('.deck-number').innerText`); says == "" &&
						!strings.HasSuffix(now, "?") && !eval[bool](b, `document.querySelector('.deck-home') !== null || /numbers/.test(document.documentElement.dataset.hide)`) {
						found = append(found, "no number")
					}
					if len(found) > 0 {
						t.Errorf("step %s:\n%s", now, strings.Join(found, "\n"))
					}
					if n < 2 || tier.Releases() || strings.HasSuffix(now, "?") {
						b.axe(axe)
					}
					b.turn([]string{"PageDown", "ArrowRight", " "}[n%3])
				}
				b.turn("Home")
				b.until(`/view\.step=1(&|$)/.test(location.hash) && (` + step + `).startsWith('1 / ')`)
				const font = `parseFloat(getComputedStyle(document.documentElement).fontSize)`
				if v.width < 1000 || v.width > 2000 {
					return // on phones, tablets and very large screens the font size grows less than the screen
				}
				small := eval[float64](b, font)
				b.size(2*v.width, 2*v.height)
				if large := eval[float64](b, font); large < 1.99*small {
					t.Errorf("font size on a screen of twice the size = %.1f pixels, want twice %.1f", large, small)
				}
			})
		}
	}
}

// TestLectureNotes checks that the presenter's window follows the deck and that its keys change the step. If the
// browser blocks the window, the page says so.
func TestLectureNotes(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1280, 720)
	b.visit("?workers=1#view.deck=sum")
	b.until(`document.querySelector('#deck-says')`)
	const notes = `window.open('', 'logz-notes')?.document.getElementById('notes')?.innerText ?? ''`
	b.turn("n")
	b.until(`(` + notes + `).includes('1 / 13')`)
	b.turn("ArrowRight")
	b.until(`(` + notes + `).includes('2 / 13')`)
	eval[bool](b, `((win) => win.document.body.dispatchEvent(new win.KeyboardEvent('keydown',
		{key: 'PageDown', bubbles: true, cancelable: true})) || true)(window.open('', 'logz-notes'))`)
	b.until(step + `.startsWith('3 /')`)
	b.until(`(` + notes + `).includes('3 / 13')`)
	b.rest() // the start of a run removes messages
	eval[bool](b, `(window.open('', 'logz-notes').close(), window.open = () => null, true)`)
	b.turn("n")
	b.until(`/blocked the window/.test(document.querySelector('#message').innerText)`)
}

// TestLectureAsFile: a lecture that is kept as one file plays from a disk, with its notes.
func TestLectureAsFile(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), keeps, noPicture)
	b.size(1280, 720)
	b.visit("?workers=1" + quick + "&view.lang=de")
	b.awaitResults()
	b.click("#lessons")
	b.click("#sheet [data-value=lecture]")
	b.click(`#sheet button[data-event="keep-deck"][data-value="trust"]`)
	b.until(`window.kept`)
	path := filepath.Join(t.TempDir(), "lecture.html")
	if err := os.WriteFile(path, []byte(eval[string](b, `window.kept`)), 0o666); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()))
	b.until(step + ` === '1 / 12'`)
	b.until(`/Gerücht/.test(document.querySelector('#deck-says').innerText)`)
	b.turn("End")
	b.until(`document.querySelector('.deck-home .qr') !== null`)
	b.turn("PageUp")
	b.until(`/2,94 ± 0,04/.test(document.querySelector('.deck-number').innerText)`)
	b.turn("n")
	b.until(`/11 . 12/.test(window.open('', 'logz-notes').document.getElementById('notes')?.innerText)`)
}

// TestLectureSwipe: a finger that goes to the left turns on, one to the right turns back, and a slow one does nothing.
func TestLectureSwipe(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(390, 844)
	b.visit("?workers=1#view.deck=sum")
	b.until(step + ` === '1 / 13'`)
	swipe := func(from, to, down int) {
		eval[bool](b, fmt.Sprintf(`((at, finger) => {
			at.dispatchEvent(new PointerEvent('pointerdown', {...finger, clientX: %d, clientY: 30}));
			at.dispatchEvent(new PointerEvent('pointerup', {...finger, clientX: %d, clientY: %d}));
			return true;
		})(document.querySelector('#deck-says'), {pointerType: 'touch', isPrimary: true, pointerId: 1, bubbles: true})`,
			from, to, 30+down))
	}
	swipe(300, 290, 0)  // a tap
	swipe(300, 180, 90) // to the side and down
	swipe(300, 100, 10)
	b.until(step + ` === '2 / 13'`)
	swipe(100, 300, 0)
	b.until(step + ` === '1 / 13'`)
}

// TestLectureDropped: a deck is dropped as any file, a wrong one is answered by line, and the next one plays.
func TestLectureDropped(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1280, 720)
	b.visit("?workers=1" + quick)
	b.awaitResults()
	deck, err := os.ReadFile("../../site/decks/trust.txt")
	if err != nil {
		t.Fatal(err)
	}
	drop := func(text string) {
		eval[bool](b, fmt.Sprintf(`((files) => {
			files.items.add(new File([%q], 'class.txt', {type: 'text/plain'}));
			window.dispatchEvent(new DragEvent('drop', {dataTransfer: files, cancelable: true}));
			return true;
		})(new DataTransfer())`, text))
	}
	drop(strings.Replace(string(deck), "control: seed", "control: sed", 1))
	b.until(`/Line 5:/.test(document.querySelector('#sheet').innerText)`)
	b.rest()
	const rumour = "say: A number alone is a rumour: ask how far off it may be."
	longest := "say: " + strings.Repeat("How far off may it be? ", 7)[:160] // the maximum length of a sentence
	drop(strings.Replace(string(deck), rumour, longest, 1))
	b.until(step + ` === '1 / 11' && /far off may it/.test(document.querySelector('#deck-says').innerText)`)
	b.rest()
	if found := eval[[]string](b, overflows); len(found) > 0 {
		t.Errorf("a long sentence: %s", strings.Join(found, "\n"))
	}
	if hash := eval[string](b, `location.hash`); !strings.HasPrefix(hash, "#view.deck=file:") {
		t.Errorf("fragment = %s, want #view.deck=file:...", hash)
	}
	b.turn("Escape")
	b.until(`location.hash.includes('model=mixture2') && !document.documentElement.hasAttribute('data-deck')`)
}
