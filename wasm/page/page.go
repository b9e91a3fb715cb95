package page

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/words"
)

// Start takes the description of the page and opens its link. The query may hold view settings
// and the language, which become part of the link.
func (b *Brain) Start(p Page) {
	b.base, b.language, b.dark, b.still = p.Base, p.Language, p.Dark, p.Still
	link := strings.TrimPrefix(p.Link, "#")
	if link == "" {
		link = DefaultLink
	}
	for _, part := range strings.Split(strings.TrimPrefix(p.Query, "?"), "&") {
		key, value, has := strings.Cut(part, "=")
		switch {
		case key == "lang" && has:
			part = "view.lang=" + value
		case !strings.HasPrefix(key, "view."):
			continue
		case !has:
			part = key + "=1"
		}
		if !strings.Contains(link, "&"+strings.SplitN(part, "=", 2)[0]+"=") {
			link += "&" + part
		}
	}
	b.speak()
	b.Open(link)
}

// speak chooses the language: the link's, else the browser's, else English.
func (b *Brain) speak() {
	lang := b.set.Lang
	if lang == "" {
		lang, _, _ = strings.Cut(b.language, "-")
		if lang == "xx" {
			lang = "en"
		}
	}
	if b.words.Lang != lang {
		b.words = words.New(lang)
		b.qrOf = ""
	}
}

// pageEvent handles what concerns the page and not the experiment.
func (b *Brain) pageEvent(e Event) {
	switch e.Name {
	case "scene":
		if s := sceneNamed(e.Value); s != nil && s.shows(b) {
			b.set.Scene = e.Value
			if b.set.Scene = ""; b.scene() != s {
				b.set.Scene = e.Value // the model's own scene needs no key in the link
			}
			if b.sheet == "table" {
				b.look()
			}
		}
	case "focus":
		b.set.Focus = e.Value
		if b.spec != nil && len(b.spec.Methods) > 0 && b.spec.Methods[0] == e.Value {
			b.set.Focus = ""
		}
	case "theme":
		b.theme(e.Value)
	case "lang":
		if slices.Contains(words.Languages, e.Value) {
			b.set.Lang = e.Value
			b.speak()
		}
	case "system":
		switch e.Key {
		case "dark":
			b.dark = e.On
		case "still":
			b.still = e.On
			b.calm()
		}
	case "speed":
		if n, err := strconv.Atoi(e.Value); err == nil && n >= 0 && n <= slowest {
			b.set.Slow = slowest - n
			b.tellSpeed()
		}
	case "slide":
		b.slide(e)
	case "share":
		b.open("share")
	case "sheet":
		b.open(e.Value)
	case "show":
		b.hides = slices.DeleteFunc(b.hides, func(h string) bool { return h == e.Value })
		if e.Value == "receipt" {
			b.receipted = e.On
		} else if !e.On && slices.Contains(Hideable, e.Value) {
			b.hides = append(b.hides, e.Value)
			slices.SortFunc(b.hides, func(x, y string) int { return slices.Index(Hideable, x) - slices.Index(Hideable, y) })
		}
	case "advanced":
		b.advanced = !b.advanced
	case "adding":
		b.adding = !b.adding
	case "dismiss":
		b.problem = nil
	case "copy":
		if b.spec != nil {
			b.host.Copy(map[string]string{"link": b.url(b.shared()), "command": b.command(), "embed": b.embedCode()}[e.Value])
		}
	case "copied":
		b.copied, b.copiedAt = b.words.T("copied"), b.host.Now()
	case "not-copied":
		b.problem = &Message{Level: "info", Text: b.words.T("copy.hand", e.Value)}
	case "export":
		b.export(e.Value)
	case "picture":
		told := b.pictureRest()
		b.stage, b.stageWhy = e.Value, e.Key // loading: how far; failed: why
		if b.pictureRest() != told {
			b.sendSpeeds()
		}
	case "notice":
		b.notice(e)
	case "key":
		b.key(e.Value)
	}
}

// theme follows the switch in the head.
func (b *Brain) theme(name string) {
	switch name {
	case "projector":
		b.set.Projector, b.sheet = true, ""
	case "leave":
		b.set.Projector = false
	case "light", "dark":
		b.set.Projector, b.set.Theme = false, name
		if (name == "dark") == b.dark {
			b.set.Theme = "" // the system's theme needs no key in the link
		}
	}
}

// themeNow is the theme on show.
func (b *Brain) themeNow() string {
	switch {
	case b.set.Projector:
		return "projector"
	case b.set.Theme != "":
		return b.set.Theme
	case b.dark:
		return "dark"
	}
	return "light"
}

// open shows a sheet, or closes the one that is open.
func (b *Brain) open(name string) {
	if b.sheet = ""; slices.Contains(sheets, name) {
		b.sheet = name
	}
	if b.sheet == "table" {
		b.look()
	}
	if b.sheet == "share" {
		b.hides = slices.Clone(b.set.Hide)
	}
}

// look asks the page for the frames on show, for the table behind the picture.
func (b *Brain) look() {
	b.lookAt = b.host.Now()
	b.host.Look()
}

// Looked takes the frames on show; damaged ones are left out, and those of methods
// that the picture does not show.
func (b *Brain) Looked(frames [][]byte) {
	var all []*frame.Frame
	for _, data := range frames {
		if f, err := frame.Decode(data); err == nil && (len(f.Beta) > 0 || f.Growth != nil || f.Latent != nil) {
			all = append(all, f)
		}
	}
	method := b.onShow()
	if n := len(all); n > 0 && !slices.ContainsFunc(all, func(f *frame.Frame) bool { return f.Method == method }) {
		method = all[n-1].Method // too quick to be seen: the picture shows another, too
	}
	b.looked = nil
	for _, f := range all {
		if f.Method != method {
			continue
		}
		// They come oldest first; a film keeps several of the same rows.
		i, again := slices.BinarySearchFunc(b.looked, f.First, func(g *frame.Frame, first int) int { return g.First - first })
		if again {
			b.looked[i] = f
		} else {
			b.looked = slices.Insert(b.looked, i, f)
		}
	}
	b.dirty = true
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
			b.problem = &Message{Level: "info", Text: b.words.T("notice.update"), Action: &Action{b.words.T("page.reload"), "update", ""}}
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
	if err := b.change(Event{Name: "param", Key: e.Key, Value: spec.Decimal(slid(q, pos))}); err != nil {
		b.problem = &Message{Level: "error", Text: b.words.T("not.taken", b.words.Sentence(err))}
	}
}

// key does what a key stands for.
func (b *Brain) key(name string) {
	switch name {
	case " ":
		if b.state == "running" {
			b.pause()
		} else {
			b.Event(Event{Name: "run", N: b.seen})
		}
	case "ArrowRight":
		b.step()
	case "r", "R":
		b.Event(Event{Name: "restart", N: b.seen})
	case "n", "N":
		b.Event(Event{Name: "new-seed", N: b.seen})
	case "?":
		b.open("help")
	case "Escape":
		if b.sheet != "" {
			b.open("")
		} else if b.set.Projector {
			b.theme("leave")
		}
	default:
		if key, err := strconv.Atoi(name); err == nil {
			if s := b.sceneOf(key); s != nil {
				b.Event(Event{Name: "scene", Value: s.name, N: b.seen})
			}
		}
	}
}

// frameTime is the least time that a lane gives a frame, in milliseconds, by Slow.
var frameTime = [slowest + 1]int{0, 33, 100, 300, 900}

func (b *Brain) pictureRest() int {
	if b.stage == "failed" {
		return engine.UnseenTime
	}
	return engine.PictureTime
}

// calm pauses a run in slow motion if the user prefers reduced motion; Step continues it.
func (b *Brain) calm() {
	if b.still && b.set.Slow >= 3 {
		b.pause()
	}
}

// tellSpeed tells every lane how slowly to go.
func (b *Brain) tellSpeed() {
	b.calm()
	b.sendSpeeds()
}

func (b *Brain) sendSpeeds() {
	for id, l := range b.lanes {
		if l.ready {
			b.sendSpeed(id)
		}
	}
}

func (b *Brain) sendSpeed(id int) {
	w := frame.Writer{B: []byte{engine.MsgSpeed}}
	w.Int(frameTime[b.set.Slow])
	w.Int(b.pictureRest())
	b.host.Post(id, w.B)
}

// PageWords are the words that the page needs before, or without, the brain.
func PageWords(lang string) map[string]string { return words.New(lang).Under("page.") }
