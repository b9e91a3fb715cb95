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

// Settings are the view.* part of a link: how the page shows an experiment. They do not enter any checksum.
type Settings struct {
	Deck      string // lecture on show, "" for none
	Step      int    // step of the lecture, from 1; 0 for none
	Scene     string // "" for the model's default
	Beta      string // inverse temperature at which the record opens; "" plays the record
	Theme     string // "" for the system's
	Lang      string // "" for the browser's
	Focus     string // selected method, "" for the first
	Against   string // built-in model for the same data to compare with, "" for none
	Projector bool
	Embed     bool
	Slow      int // 0 for full speed; 1, 2, 3 for 4, 15, 60 s from base to target
	Lesson    int // 0 for none
	Tour      int // step of the tour, 0 for none
	Break     int // broken experiment, 0 for none
	Hide      []string
	Expect    []string // expected checksums, one for each method
	Goal      string   // what an assignment asks for (ParseGoal), "" for none
	Fresh     bool     // a new seed is drawn when the link is opened
	Program   string   // packed program and data of the model, "" if there is none or it is too long
	Rival     string   // packed program and data of a second model, or the id of its tape if too long
	Samples   string   // example of external samples, or "own" for the sheet alone; "" for none
	Pool      bool     // show the four ways to pool replicates of a tempering run
}

// AllHideable are the parts that a link can hide: Hideable, the parts of the page that the share sheet offers, and the
// details and points of the picture, and the path of one chain.
var (
	AllHideable = []string{"setup", "methods", "params", "advanced", "seed", "run", "forest", "checks", "tabs",
		"numbers", "share", "details", "points", "path"}
	Hideable = AllHideable[:11]
)

// Slowest is the largest value of Slow.
const Slowest = 3

// Known lists the names and ranges that settings may have.
type Known struct {
	Scenes                 []string
	Former                 map[string]string // former names of scenes, with their successors
	Lessons, Steps, Broken int               // how many there are
}

// setting is a key of Settings with a pointer to its value, which has one of four types.
type setting struct {
	key        string
	text       *string
	isDeckName bool // the text is the name of a lecture
	isProgram  bool // the text is a packed program
	isGoal     bool // the text is the goal of an assignment
	isFraction bool // the text is a number between 0 and 1
	on         *bool
	number     *int
	list       *[]string
	former     map[string]string // former names
	allowed    []string          // allowed values of a text or of the items of a list; nil for checksums
	lo, hi     int               // range of a number
}

// list lists the settings in the order of links.
func (s *Settings) list(k Known) []setting {
	return []setting{
		{key: "deck", text: &s.Deck, isDeckName: true},
		{key: "step", number: &s.Step, lo: 1, hi: deck.MaxSteps},
		{key: "scene", text: &s.Scene, allowed: k.Scenes, former: k.Former},
		{key: "beta", text: &s.Beta, isFraction: true},
		{key: "theme", text: &s.Theme, allowed: []string{"light", "dark"}},
		{key: "lang", text: &s.Lang, allowed: words.Languages()},
		{key: "focus", text: &s.Focus, allowed: catalog.Names{}.MethodNames()},
		{key: "against", text: &s.Against, allowed: catalog.Names{}.ModelNames()},
		{key: "projector", on: &s.Projector},
		{key: "embed", on: &s.Embed},
		{key: "slow", number: &s.Slow, hi: Slowest},
		{key: "lesson", number: &s.Lesson, lo: 1, hi: k.Lessons},
		{key: "tour", number: &s.Tour, lo: 1, hi: k.Steps},
		{key: "break", number: &s.Break, lo: 1, hi: k.Broken},
		{key: "hide", list: &s.Hide, allowed: AllHideable},
		{key: "expect", list: &s.Expect},
		{key: "goal", text: &s.Goal, isGoal: true},
		{key: "fresh", on: &s.Fresh},
		{key: "pool", on: &s.Pool},
		{key: "program", text: &s.Program, isProgram: true},
		{key: "rival", text: &s.Rival, isProgram: true},
		{key: "samples", text: &s.Samples, allowed: SampleNames()},
	}
}

// deckLetters are the characters of lecture names, which are also file names.
const deckLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"

// parse parses a value and stores it in the setting.
func (t setting) parse(value string) error {
	switch {
	case t.isDeckName:
		if !spec.IsFile(value) && (value == "" || len(value) > 40 || strings.Trim(value, deckLetters) != "") {
			return problem.New("view.deck=%s is not the name of a lecture; names have lower-case letters, digits "+
				"and -", value)
		}
		*t.text = value
	case t.isProgram:
		if len(value) > 1<<12 || !IsCode(value) && !(t.key == "rival" && spec.IsFile(value)) {
			return problem.New("view.%s is damaged or cut short; copy the whole link again", t.key)
		}
		*t.text = value

	case t.isGoal:
		g, err := ParseGoal(value)
		if err != nil {
			return err
		}
		*t.text = g.String()

	case t.isFraction:
		text, err := spec.Param{Type: "float", Max: 1}.Canonical("view."+t.key, value)
		if err != nil {
			return err
		}
		*t.text = text

	// Texts from a list, numbers, switches, and lists.
	case t.text != nil:
		value = cmp.Or(t.former[value], value)
		if !slices.Contains(t.allowed, value) {
			return problem.New("view.%s=%s is not known; it must be one of %s", t.key, value, strings.Join(t.allowed, ", "))
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
		return t.parseList(strings.Split(value, ","))
	}
	return nil
}

// parseList stores a list: checksums as they are; parts of the page in canonical order, without duplicates and unknown
// names.
func (t setting) parseList(items []string) (err error) {
	for _, h := range items {
		switch {
		case t.allowed != nil && !slices.Contains(t.allowed, h):
			err = problem.New("view.hide=%s is not known; it may list %s", h, strings.Join(t.allowed, ", "))
		case t.allowed == nil && (len(h) != 16 || strings.Trim(h, "0123456789abcdef") != ""):
			return problem.New("view.expect=%s is not a hash of 16 hexadecimal digits; copy it whole, or leave it out", h)
		}
	}
	if t.allowed != nil {
		items = slices.DeleteFunc(items, func(h string) bool { return !slices.Contains(t.allowed, h) })
		SortBy(items, t.allowed)
		items = slices.Compact(items)
	}
	*t.list = items
	return err
}

// value returns the value as text, "" for a default.
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

// IsCode reports whether a text has only base64url characters.
func IsCode(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		return c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
}

// set parses one setting; key is without "view.". The projector is beside the themes on the page, so theme=projector is
// accepted too.
func (s *Settings) set(k Known, key, value string) error {
	if key == "theme" && value == "projector" {
		key, value = value, "1"
	}
	for _, t := range s.list(k) {
		if t.key == key {
			return t.parse(value)
		}
	}
	return problem.New("view.%s is not a view setting; there are deck, step, scene, beta, theme, lang, focus, against, "+
		"projector, embed, slow, lesson, tour, break, hide, expect, goal, fresh, pool, program, rival and samples", key)
}

// Link returns the settings as the end of a link, without defaults.
func (s Settings) Link() string {
	link := ""
	for _, t := range s.list(Known{}) {
		if value := t.value(); value != "" {
			link += "&view." + t.key + "=" + value
		}
	}
	return link
}

// Agrees reports whether the reports have the expected checksums: one for each method in order, or a single one that
// any report may have.
func (s Settings) Agrees(reports []*report.Report) bool {
	matches := 0
	for i, r := range reports {
		if i < len(s.Expect) && r.Hash == s.Expect[i] || len(s.Expect) == 1 && r.Hash == s.Expect[0] {
			matches++
		}
	}
	return matches == len(s.Expect)
}

// Parse parses the view settings of a link, each "view.key=value". Invalid settings, and the second of two with the
// same key, are left out; the error names each of them.
func (k Known) Parse(view []string) (s Settings, err error) {
	var errs []error
	seen := map[string]bool{}
	for _, v := range view {
		key, value, _ := strings.Cut(v, "=") // view.projector needs no value
		value, ok := spec.Unescape(strings.ReplaceAll(value, "+", " "))
		lower := strings.ToLower(key)
		var keyErr error
		switch {
		case lower != key:
			keyErr = problem.New("%s is not a key; keys are in lower case, as %s", key, lower)
		case seen[key]:
			keyErr = problem.New("%s is given twice; leave one out", key)
		case !ok:
			keyErr = problem.New(
				"the value of %s is not valid percent-encoding; after a percent sign come two hex digits", key)
		default:
			if e := s.set(k, strings.TrimPrefix(key, "view."), strings.TrimSpace(value)); e != nil {
				keyErr = e
			}
		}
		if seen[key] = true; keyErr != nil {
			errs = append(errs, keyErr)
		}
	}
	return s, spec.Join(errs)
}

// DescentTime is the least time in milliseconds, by Slow, in which a lane goes from base to target, or through any
// other round.
var DescentTime = [Slowest + 1]int{0, 4_000, 15_000, 60_000}
