package page

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/wasm/words"
)

// Settings say how the page shows an experiment: the view.* part of a link. They
// never reach the spec or a hash.
type Settings struct {
	Scene     string // "": the model's own
	Theme     string // "": as the system
	Lang      string // "": as the browser
	Focus     string // method whose number is large; "": the first
	Projector bool
	Embed     bool
	Slow      int // 0 full speed ... 4 one phase at a time
	Lesson    int // 0 none
	Hide      []string
	Expect    []string // hashes that the run should give, one for each method
}

// Hideable are the parts of the page that a link can hide.
var Hideable = []string{"setup", "methods", "params", "advanced", "seed", "run", "forest", "checks", "tabs", "numbers", "share"}

// slowest is the largest value of Slow.
const slowest = 4

// set takes one setting; key has no "view.".
func (s *Settings) set(key, value string) error {
	choice := func(to *string, from ...string) error {
		if !slices.Contains(from, value) {
			return problem.New("view.%s=%s is not known; it must be one of %s", key, value, strings.Join(from, ", "))
		}
		*to = value
		return nil
	}
	number := func(to *int, lo, hi int) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < lo || n > hi {
			return problem.New("view.%s=%s must be a whole number from %d to %d", key, value, lo, hi)
		}
		*to = n
		return nil
	}
	yes := func(to *bool) error {
		if value != "1" && value != "" {
			return problem.New("view.%s=%s must be 1", key, value)
		}
		*to = true
		return nil
	}
	switch key {
	case "scene":
		return choice(&s.Scene, SceneNames()...)
	case "theme":
		return choice(&s.Theme, "light", "dark")
	case "lang":
		return choice(&s.Lang, words.Languages...)
	case "focus":
		return choice(&s.Focus, catalog.Names{}.MethodNames()...)
	case "projector":
		return yes(&s.Projector)
	case "embed":
		return yes(&s.Embed)
	case "slow":
		return number(&s.Slow, 0, slowest)
	case "lesson":
		return number(&s.Lesson, 1, len(lessons))
	case "hide":
		s.Hide = nil
		for _, h := range strings.Split(value, ",") {
			if !slices.Contains(Hideable, h) {
				return problem.New("view.hide=%s is not known; it may list %s", h, strings.Join(Hideable, ", "))
			}
			if !slices.Contains(s.Hide, h) {
				s.Hide = append(s.Hide, h)
			}
		}
		sortBy(s.Hide, Hideable)
		return nil
	case "expect":
		s.Expect = strings.Split(value, ",")
		for _, h := range s.Expect {
			if len(h) != 16 || strings.Trim(h, "0123456789abcdef") != "" {
				return problem.New("view.expect=%s is not a hash of 16 hexadecimal digits; copy it whole, or leave it out", h)
			}
		}
		return nil
	}
	return problem.New("view.%s is not a view setting; there are scene, theme, lang, focus, projector, embed, slow, "+
		"lesson, hide and expect", key)
}

// Agrees reports whether the reports have the hashes that the link expects: one for each
// method in its order, or a single one that any of them may have.
func (s Settings) Agrees(reports []*report.Report) bool {
	agree := 0
	for i, r := range reports {
		if i < len(s.Expect) && r.Hash == s.Expect[i] || len(s.Expect) == 1 && r.Hash == s.Expect[0] {
			agree++
		}
	}
	return agree == len(s.Expect)
}

// ParseSettings reads the view settings of a link, each "view.key=value".
func ParseSettings(view []string) (s Settings, err error) {
	for _, v := range view {
		key, value, _ := strings.Cut(strings.TrimPrefix(v, "view."), "=")
		value, ok := spec.Unescape(strings.ReplaceAll(value, "+", " "))
		if !ok {
			return Settings{}, problem.New(
				"link: the value of %s is not valid percent-encoding; after a percent sign come two hex digits", "view."+key)
		}
		if err = s.set(key, value); err != nil {
			return Settings{}, problem.New("link: %w", err)
		}
	}
	return s, nil
}

// Link is the settings as they stand at the end of a link; nothing for defaults.
func (s Settings) Link() string {
	var b strings.Builder
	put := func(key, value string) {
		if value != "" {
			b.WriteString("&view." + key + "=" + value)
		}
	}
	yes := func(key string, on bool) {
		if on {
			put(key, "1")
		}
	}
	number := func(key string, n int) {
		if n != 0 {
			put(key, strconv.Itoa(n))
		}
	}
	put("scene", s.Scene)
	put("theme", s.Theme)
	put("lang", s.Lang)
	put("focus", s.Focus)
	yes("projector", s.Projector)
	yes("embed", s.Embed)
	number("slow", s.Slow)
	number("lesson", s.Lesson)
	put("hide", strings.Join(s.Hide, ","))
	put("expect", strings.Join(s.Expect, ","))
	return b.String()
}
