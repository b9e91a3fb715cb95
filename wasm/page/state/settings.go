package state

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/wasm/page/deck"
)

// Settings say how the page shows an experiment: the view.* part of a link. They
// never reach a hash.
type Settings struct {
	Deck      string // lecture on show, "": none
	Step      int    // its step, from 1; 0 none
	Scene     string // "": the model's own
	Beta      string // inverse temperature where its record opens; "": the record plays
	Theme     string // "": as the system
	Lang      string // "": as the browser
	Focus     string // method whose number is large; "": the first
	Against   string // built-in model of the same data, to compare with; "": none
	Projector bool
	Embed     bool
	Slow      int // 0: as fast as it runs; else one descent in 4, 15 or 60 s
	Lesson    int // 0 none
	Tour      int // its step, 0 none
	Break     int // broken experiment, 0 none
	Hide      []string
	Expect    []string // hashes that the run should give, one for each method
	Fresh     bool     // a new seed is drawn when the link is opened
	Program   string   // program and data of the model, packed; "": none, or too long
	Rival     string   // program and data of another model, for a Bayes factor; the id of its tape if too long
	Samples   string   // example of samples of another program, or own: its door; "": none
	Pool      bool     // replicates of a tempering run are pooled in four ways
}

// AllHideable are the parts that a link can hide: those of the page, which the share sheet offers as well, and the
// details and points of the picture.
var (
	AllHideable = []string{"setup", "methods", "params", "advanced", "seed", "run", "forest", "checks", "tabs",
		"numbers", "share", "details", "points"}
	Hideable = AllHideable[:11]
)

// Slowest is the largest value of Slow.
const Slowest = 3

// Known is what the numbers and the scene of Settings may name.
type Known struct {
	Scenes                 []string
	Former                 map[string]string // scenes that others have taken over, with their successors
	Lessons, Steps, Broken int               // how many there are
}

// setting is a key of Settings with its place, which has one of four types.
type setting struct {
	key    string
	text   *string
	named  bool // the text is the name of a deck
	packed bool // the text is a packed program
	share  bool // the text is a number between 0 and 1
	on     *bool
	number *int
	list   *[]string
	former map[string]string // names that became others
	from   []string          // what a text or the items of a list may be; nil: hashes
	lo, hi int               // of a number
}

// all lists the settings in the order of links.
func (s *Settings) all(k Known) []setting {
	return []setting{
		{key: "deck", text: &s.Deck, named: true},
		{key: "step", number: &s.Step, lo: 1, hi: deck.MaxSteps},
		{key: "scene", text: &s.Scene, from: k.Scenes, former: k.Former},
		{key: "beta", text: &s.Beta, share: true},
		{key: "theme", text: &s.Theme, from: []string{"light", "dark"}},
		{key: "lang", text: &s.Lang, from: words.Languages()},
		{key: "focus", text: &s.Focus, from: catalog.Names{}.MethodNames()},
		{key: "against", text: &s.Against, from: catalog.Names{}.ModelNames()},
		{key: "projector", on: &s.Projector},
		{key: "embed", on: &s.Embed},
		{key: "slow", number: &s.Slow, hi: Slowest},
		{key: "lesson", number: &s.Lesson, lo: 1, hi: k.Lessons},
		{key: "tour", number: &s.Tour, lo: 1, hi: k.Steps},
		{key: "break", number: &s.Break, lo: 1, hi: k.Broken},
		{key: "hide", list: &s.Hide, from: AllHideable},
		{key: "expect", list: &s.Expect},
		{key: "fresh", on: &s.Fresh},
		{key: "pool", on: &s.Pool},
		{key: "program", text: &s.Program, packed: true},
		{key: "rival", text: &s.Rival, packed: true},
		{key: "samples", text: &s.Samples, from: SampleNames()},
	}
}

// deckLetters are those of the names of decks, which are names of files.
const deckLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"

// take sets the value.
func (t setting) take(value string) error {
	switch {
	case t.named:
		if !spec.IsFile(value) && (value == "" || len(value) > 40 || strings.Trim(value, deckLetters) != "") {
			return problem.New("view.deck=%s is not the name of a lecture; names have lower-case letters, digits "+
				"and -", value)
		}
		*t.text = value
	case t.packed:
		if len(value) > 1<<12 || !IsCode(value) && !(t.key == "rival" && spec.IsFile(value)) {
			return problem.New("view.%s is damaged or cut short; copy the whole link again", t.key)
		}
		*t.text = value

	case t.share:
		text, err := spec.Param{Type: "float", Max: 1}.Canonical("view."+t.key, value)
		if err != nil {
			return err
		}
		*t.text = text

	// Words from a list, numbers, switches, and lists.
	case t.text != nil:
		value = cmp.Or(t.former[value], value)
		if !slices.Contains(t.from, value) {
			return problem.New("view.%s=%s is not known; it must be one of %s", t.key, value, strings.Join(t.from, ", "))
		}
		*t.text = value
	case t.number != nil:
		n, err := strconv.Atoi(value)
		if err != nil || n < t.lo || n > t.hi {
			return problem.New("view.%s=%s must be a whole number from %d to %d", t.key, value, t.lo, t.hi)
		}
		*t.number = n
	case t.on != nil:
		if value != "1" && value != "" {
			return problem.New("view.%s=%s must be 1", t.key, value)
		}
		*t.on = true
	default:
		return t.takeList(strings.Split(value, ","))
	}
	return nil
}

// takeList sets a list: hashes as they are; parts of the page once and in their order, without those that do not exist.
func (t setting) takeList(items []string) (err error) {
	for _, h := range items {
		switch {
		case t.from != nil && !slices.Contains(t.from, h):
			err = problem.New("view.hide=%s is not known; it may list %s", h, strings.Join(t.from, ", "))
		case t.from == nil && (len(h) != 16 || strings.Trim(h, "0123456789abcdef") != ""):
			return problem.New("view.expect=%s is not a hash of 16 hexadecimal digits; copy it whole, or leave it out", h)
		}
	}
	if t.from != nil {
		items = slices.DeleteFunc(items, func(h string) bool { return !slices.Contains(t.from, h) })
		SortBy(items, t.from)
		items = slices.Compact(items)
	}
	*t.list = items
	return err
}

// value is the text of a value, "" for a default.
func (t setting) value() string {
	switch {
	case t.text != nil:
		return *t.text
	case t.number != nil && *t.number != 0:
		return strconv.Itoa(*t.number)
	case t.on != nil && *t.on:
		return "1"
	case t.list != nil:
		return strings.Join(*t.list, ",")
	}
	return ""
}

// IsCode reports whether a text has the letters of base64url.
func IsCode(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		return c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
}

// set takes one setting; key has no "view.". The projector stands beside the themes on the page, so it may be named as
// one.
func (s *Settings) set(k Known, key, value string) error {
	if key == "theme" && value == "projector" {
		key, value = value, "1"
	}
	for _, t := range s.all(k) {
		if t.key == key {
			return t.take(value)
		}
	}
	return problem.New("view.%s is not a view setting; there are deck, step, scene, beta, theme, lang, focus, against, "+
		"projector, embed, slow, lesson, tour, break, hide, expect, fresh, pool, program, rival and samples", key)
}

// Link is the settings as they stand at the end of a link; nothing for defaults.
func (s Settings) Link() string {
	link := ""
	for _, t := range s.all(Known{}) {
		if value := t.value(); value != "" {
			link += "&view." + t.key + "=" + value
		}
	}
	return link
}

// Agrees reports whether the reports have the hashes that the link expects: one for each method in order, or a single
// hash that any report may have.
func (s Settings) Agrees(reports []*report.Report) bool {
	agree := 0
	for i, r := range reports {
		if i < len(s.Expect) && r.Hash == s.Expect[i] || len(s.Expect) == 1 && r.Hash == s.Expect[0] {
			agree++
		}
	}
	return agree == len(s.Expect)
}

// Parse reads the view settings of a link, each "view.key=value". Those that are not valid are left out, of two
// with one key the second; the error names each of them.
func (k Known) Parse(view []string) (s Settings, err error) {
	var all []error
	seen := map[string]bool{}
	for _, v := range view {
		key, value, _ := strings.Cut(v, "=") // view.projector says enough
		value, ok := spec.Unescape(strings.ReplaceAll(value, "+", " "))
		small := strings.ToLower(key)
		var wrong error
		switch {
		case small != key:
			wrong = problem.New("%s is not a key; keys are in lower case, as %s", key, small)
		case seen[key]:
			wrong = problem.New("%s is given twice; leave one out", key)
		case !ok:
			wrong = problem.New(
				"the value of %s is not valid percent-encoding; after a percent sign come two hex digits", key)
		default:
			if e := s.set(k, strings.TrimPrefix(key, "view."), strings.TrimSpace(value)); e != nil {
				wrong = e
			}
		}
		if seen[key] = true; wrong != nil {
			all = append(all, wrong)
		}
	}
	return s, spec.Join(all)
}

// DescentTime is the least time in which a lane goes from hot to cold, or through any other round, in milliseconds, by
// Slow.
var DescentTime = [Slowest + 1]int{0, 4_000, 15_000, 60_000}
