package page

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/spec"
	"logzlab/wasm/words"
)

// pageEvent handles what concerns the page and not the experiment.
func (b *Brain) pageEvent(e Event) {
	switch e.Name {
	case "scene":
		if b.panels.sheet == "setup" { // which covers the picture
			b.panels.sheet = ""
		}
		b.chooseScene(sceneNamed(e.Value))
	case "focus":
		b.enlarge(e.Value)
	case "theme":
		b.chooseTheme(e.Value)
	case "lang":
		if slices.Contains(words.Languages(), e.Value) {
			b.set.Lang = e.Value
			b.speak()
		}
	case "system":
		switch e.Key {
		case "dark":
			b.browser.Dark = e.On
		case "still":
			b.browser.Still = e.On
			b.calm()
		}
	case "speed":
		if n, err := strconv.Atoi(e.Value); err == nil && n >= 0 && n <= slowest {
			b.set.Slow = slowest - n
			b.pace()
		}
	case "slide":
		b.slide(e)
	case "lesson":
		b.openLesson(e.Value)
	case "tour":
		b.openTour(e.Value)
	case "fold":
		b.booklet.folded = !b.booklet.folded
	case "pool":
		b.set.Pool = !b.set.Pool
	case "skip":
		b.views.focus = "run pause" // whichever is shown
	case "share":
		b.open("share")
	case "sheet":
		b.open(e.Value)
	case "show":
		b.sharing.tick(e.Value, e.On)
	case "advanced":
		b.panels.advanced = !b.panels.advanced
	case "check":
		b.startCheck(b.set.Link())
	case "weights":
		b.panels.logs = e.Value == "logs"
	case "adding":
		b.panels.adding = !b.panels.adding
	case "dismiss":
		b.problem = nil
	case "copy":
		if b.spec != nil {
			b.host.Copy(map[string]string{"link": b.url(b.shared()), "command": b.command(), "embed": b.embedCode(),
				"result": b.resultCode(), "training": b.trainingURL(), "short": b.sharing.short.at}[e.Value])
		}
	case "copied":
		b.sharing.copied, b.sharing.copiedAt = b.words.T("copied"), b.host.Now()
	case "not-copied":
		b.notCopied(b.words.T("copy.hand", e.Value))
	case "export":
		b.export(e.Value)
	case "result":
		b.takeCode(e.Value)
	case "picture":
		b.pictured(e)
	case "notice":
		b.notice(e)
	case "key":
		b.key(e.Value)
	}
}

// pictured takes how the picture stands, for which the lanes may have to rest.
func (b *Brain) pictured(e Event) {
	b.stage = stage{e.Value, e.Key}
	if b.stage.rest() != b.crew.rest {
		b.crew.pace(b.crew.slow, b.stage.rest())
	}
}

// enlarge makes the number of a method large; that of the first needs no key in the link.
func (b *Brain) enlarge(method string) {
	if b.set.Focus = method; b.spec != nil && len(b.spec.Methods) > 0 && b.spec.Methods[0] == method {
		b.set.Focus = ""
	}
}

// chooseScene shows a scene, or says why it cannot be shown.
func (b *Brain) chooseScene(s *scene) {
	switch {
	case s == nil:
	case s.shows(b):
		if b.set.Scene = ""; b.scene() != s {
			b.set.Scene = s.name // the model's own scene needs no key in the link
		}
		if b.panels.sheet == "table" {
			b.look()
		}
	case len(s.missing) > 0 && (b.problem == nil || b.problem.Level == "info"):
		b.problem = &Message{Level: "info", Text: b.words.Phrase(s.missing.of(b))}
	}
}

// chooseTheme follows the switch in the head.
func (b *Brain) chooseTheme(name string) {
	b.appearance.choose(name)
	if name == "projector" {
		b.panels.sheet = ""
	}
}

// open shows a sheet, or closes the one that is open.
func (b *Brain) open(name string) {
	b.sharing.copied = ""
	if b.panels.sheet = ""; slices.Contains(sheets, name) {
		b.panels.sheet = name
	}
	if b.panels.sheet == "table" {
		b.look()
	}
	if b.panels.sheet == "share" {
		b.sharing.hides = slices.Clone(b.set.Hide)
	}
}

// look asks the page for the frames on show, for the table behind the picture or a sketch.
func (b *Brain) look() {
	b.looked.asked, b.looked.state, b.looked.awaited = b.host.Now(), b.state, true
	b.host.Look()
}

// tabulates reports whether the table behind the picture is open and is to show newer frames: the last ones too, which
// come after it was opened.
func (b *Brain) tabulates(now float64) bool {
	return b.panels.sheet == "table" && (b.state != "done" && now-b.looked.asked > 2 || b.looked.state != b.state)
}

// Looked takes the frames on show.
func (b *Brain) Looked(frames [][]byte) {
	b.looked.awaited = false
	b.looked.take(frames, b.onShow())
	b.views.news = true // a sketch comes with the numbers
	b.views.dirty = b.views.dirty || b.panels.sheet == "table"
}

// onShow is the method whose particles the picture shows: the chosen one, else the
// one under way, and in the end the one whose number is shown; "" is unknown.
func (b *Brain) onShow() string {
	switch {
	case b.job == nil:
		return b.set.Focus
	case b.set.Focus != "":
		return b.job.PicturesOf(b.set.Focus)
	case b.state == "done":
		return b.job.PicturesOf(b.spec.Methods[0])
	}
	return b.job.Shown()
}

// notice is a message of the page itself, with words of the string table.
func (b *Brain) notice(e Event) {
	if b.words.Has("notice." + e.Key) {
		b.problem = &Message{Level: "warn", Text: b.words.T("notice."+e.Key, e.Value)}
		if e.Key == "update" {
			b.problem = &Message{Level: "info", Text: b.words.T("notice.update"),
				Action: &Action{b.words.T("page.reload"), "update", ""}}
		}
	}
}

// slide takes a slider's position for the parameter's value.
func (b *Brain) slide(e Event) {
	pos, err := strconv.Atoi(e.Value)
	if b.spec == nil || err != nil {
		return
	}
	q, ok := paramOf(e.Key)
	if method, _, _ := strings.Cut(e.Key, "."); !ok || !slices.Contains(b.spec.Methods, method) {
		return
	}
	b.change(Event{Name: "param", Key: e.Key, Value: spec.Decimal(slid(q, pos))})
}

// keyed reports whether a key works: not where the link hides the control that it stands for.
func (b *Brain) keyed(name string) bool {
	part := "tabs"
	switch name {
	case " ", "ArrowRight", "r", "R", "Enter":
		part = "run"
	case "n", "N":
		part = "seed"
		if slices.Contains(b.hides(), "run") {
			return false
		}
	case "?", "Escape":
		return true
	}
	return !slices.Contains(b.hides(), part)
}

// key does what a key stands for.
func (b *Brain) key(name string) {
	if !b.keyed(name) {
		return
	}
	switch name {
	case " ":
		if b.state == "running" || b.Working() {
			b.Event(Event{Name: "pause", N: b.views.seen})
		} else {
			b.Event(Event{Name: "run", N: b.views.seen})
		}
	case "ArrowRight":
		b.step()
	case "r", "R":
		b.Event(Event{Name: "restart", N: b.views.seen})
	case "n", "N":
		b.Event(Event{Name: "new-seed", N: b.views.seen})
	case "?":
		b.open("help")
	case "Escape":
		if b.panels.sheet != "" {
			b.open("")
		} else if b.set.Projector {
			b.chooseTheme("leave")
		} else if b.set.Tour > 0 {
			b.openTour("")
		}
	default:
		if key, err := strconv.Atoi(name); err == nil {
			if s := b.next(key); s != nil {
				b.Event(Event{Name: "scene", Value: s.name, N: b.views.seen})
			}
		}
	}
}

// descentTime is the least time in which a lane goes from hot to cold, or through any other round, in milliseconds, by
// Slow.
var descentTime = [slowest + 1]int{0, 4_000, 15_000, 60_000}
