package session

import (
	"regexp"
	"strings"
	"testing"

	"logzlab/estimators/catalog"
	"logzlab/models"
)

var verbs = regexp.MustCompile(`%[a-z.0-9]*[a-z]|\{\d\}`)

// Every word and every sentence from below has a German form with the same places.
func TestGermanIsComplete(t *testing.T) {
	for key, en := range wordsEN {
		de, ok := wordsDE[key]
		if !ok {
			t.Errorf("%s has no German words", key)
		} else if got, want := strings.Join(verbs.FindAllString(de, -1), " "), strings.Join(verbs.FindAllString(en, -1), " "); key[:2] != "pa" && got != want || len(strings.Fields(got)) != len(strings.Fields(want)) {
			t.Errorf("%s: places %q in German, %q in English", key, got, want)
		}
	}
	need := func(s string) {
		if _, ok := phrasesDE[s]; !ok && s != "" {
			t.Errorf("no German for %q", s)
		}
	}
	for _, e := range models.Builtin {
		need(e.About)
	}
	params := models.Params("")
	for _, m := range catalog.Methods {
		need(m.About)
		params = append(params, m.Params...)
	}
	for _, q := range params {
		need(q.Help)
		name := strings.ReplaceAll(q.Name, "_", " ")
		need(strings.ToUpper(name[:1]) + name[1:])
	}
	for _, s := range flagMeaning {
		need(s)
	}
	for _, s := range canvasWords {
		need(s)
	}
	for _, l := range lessons {
		need(l.Title)
	}
	low := Number(.0001)
	r := &Report{Method: "rts", LogZ: 1, SE: 1, Lower: 0, Upper: 99, Truth: &models.Truth{LogZ: 99}, Flags: []string{"base_guessed"}, Diagnostics: map[string]Number{
		"ess": 1, "var_log_weight": 99, "logz_reverse": 99, "occupancy_min": low, "occupancy_max": 1, "round_trips": 0, "initial_max_dev": 9}}
	lone := &Report{Method: "ais", LogZ: 1, SE: nan, Lower: nan, Upper: nan, Flags: []string{"base_guessed"}}
	none := &Report{Method: "ais", LogZ: nan, SE: nan}
	for _, r := range []*Report{r, lone, none} {
		for _, c := range r.verdict().Checks {
			need(c.Name)
			need(c.Means)
			need(c.Do)
		}
	}
}

var (
	tags   = regexp.MustCompile(`(?s)<(svg|code)\b.*?</(svg|code)>|<[^>]*>`)
	labels = regexp.MustCompile(`(?:aria-label|title|aria-valuetext)="([^"]*)"`)
	given  = regexp.MustCompile(`⟦[^⟧]*⟧`)
	letter = regexp.MustCompile(`\pL{2,}`)
)

// In the pseudo-language every text stands in brackets: what is bare was never in
// the string table. Names of models, methods and languages, and symbols, are bare.
func TestNothingIsHardCoded(t *testing.T) {
	p := newPage(t, 2)
	p.brain.Start(Page{Link: smallLink + "&view.lang=xx&view.lesson=2&view.expect=0123456789abcdef", Base: "https://lab.example/"})
	names := map[string]bool{"log": true, "Lab": true, "Esc": true, "English": true, "Deutsch": true, "yes": true, "no": true, "marginal": true, "joint": true, "linear": true, "ones": true, "mixture": true}
	for _, e := range models.Builtin {
		for _, part := range letter.FindAllString(e.Name, -1) {
			names[part] = true
		}
	}
	for _, m := range catalog.Methods {
		names[m.Label], names[m.Name] = true, true
	}
	check := func(when string) {
		t.Helper()
		for id, part := range p.parts {
			bare := given.ReplaceAllString(string(part), "")
			texts := strings.Split(tags.ReplaceAllString(bare, "|"), "|")
			for _, m := range labels.FindAllStringSubmatch(bare, -1) {
				texts = append(texts, m[1])
			}
			for _, s := range texts {
				for _, word := range letter.FindAllString(s, -1) {
					if !names[word] {
						t.Errorf("%s, %s: %q in %q is not in the string table", when, id, word, s)
					}
				}
			}
		}
	}
	for range 6 {
		p.turn(20)
	}
	check("running")
	p.finish()
	check("done")
	for _, s := range sheets {
		p.brain.Event(Event{Name: "sheet", Value: s})
		p.show()
		check(s)
	}
	for _, s := range []string{"plane", "ladder", "trace"} {
		p.brain.Event(Event{Name: "scene", Value: s})
		p.brain.Event(Event{Name: "sheet", Value: "table"})
		p.show()
		check(s)
	}
	p.brain.Event(Event{Name: "theme", Value: "projector"})
	p.brain.Event(Event{Name: "seed", Value: "8"})
	p.show()
	check("projector")
}
