package page

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/lecture"
	"logzlab/wasm/page/view"
)

// readDeck is a deck of the site in a language.
func readDeck(t *testing.T, name, lang string) *deck.Deck {
	t.Helper()
	files := lecture.Files(name, lang)
	data, err := os.ReadFile("../../site/" + files[0])
	if err != nil {
		t.Fatal(err)
	}
	b := newPage(t, 1).controller
	d, faults := deck.Parse(data, b.lecture.Checker())
	for _, f := range faults {
		t.Errorf("%s:%d: %v", files[0], f.Line, f.Err)
	}
	return d
}

// The decks of the site have no faults, 8 to 12 steps, and the same steps in both languages. Each experiment is planned
// for at most 6 s with one worker.
func TestDecks(t *testing.T) {
	planned := map[string]bool{}
	for _, lecture := range view.Lectures {
		name := lecture.Name
		en, de := readDeck(t, name, "en"), readDeck(t, name, "de")
		for lang, d := range map[string]*deck.Deck{"en": en, "de": de} {
			if want := wordsOf(lang).T("deck." + name); d.Title != want {
				t.Errorf("%s in %s: the title is %q, the page calls it %q", name, lang, d.Title, want)
			}
		}
		if n := len(en.Steps); n < 8 || n > 12 || n != len(de.Steps) {
			t.Fatalf("%s has %d steps, %d in German", name, n, len(de.Steps))
		}
		questions := 0
		for _, s := range en.Steps {
			if s.Ask != "" {
				questions++
			}
		}
		if lecture.Steps != len(en.Steps) || lecture.Questions != questions {
			t.Errorf("%s: the list says %d steps and %d questions, want %d and %d", name, lecture.Steps, lecture.Questions,
				len(en.Steps), questions)
		}
		for i, s := range en.Steps {
			g := de.Steps[i]
			right := func(a deck.Answer) bool { return a.Right }
			if s.Link != g.Link || s.Control != g.Control || len(s.Answers) != len(g.Answers) ||
				slices.IndexFunc(s.Answers, right) != slices.IndexFunc(g.Answers, right) || len(s.Notes) != len(g.Notes) {
				t.Errorf("%s, step %d, differs in German", name, i+1)
			}
			x, err := spec.ParseLink(s.Link, catalog.Names{})
			if err != nil || planned[x.Link()] {
				continue
			}
			planned[x.Link()] = true
			m, err := engine.Source{Load: testmodels.LoadSite}.Open(x, nil)
			if err != nil {
				t.Fatal(err)
			}
			job, err := engine.NewJob(x, m, engine.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if seconds := job.Seconds(); seconds > 6 {
				t.Errorf("%s, step %d, takes %.1f s", name, i+1, seconds)
			}
		}
	}
}

// deckQuote is a number that a step says, and what it is: a method and a value of its report (see quoted), or "plain:"
// and where it is from.
type deckQuote struct{ says, what string }

// deckQuotes are the lines of testdata/deck-quotes.txt by deck and step.
func deckQuotes(t *testing.T) map[string][]deckQuote {
	t.Helper()
	data, err := os.ReadFile("testdata/deck-quotes.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]deckQuote{}
	for line := range strings.Lines(string(data)) {
		part := strings.Split(strings.TrimSpace(line), " | ")
		all[part[0]] = append(all[part[0]], deckQuote{part[1], part[2]})
	}
	return all
}

var deckNumber = regexp.MustCompile(`\d[\d.,\x{202f}]*\d|\d`)

// Every number that a deck says, in its sentences, right answers and notes, in both languages, is what its link gives,
// a value of the link, or noted as plain. Before a release, only the links of mixture2 are run.
func TestDecksQuoteTheirLinks(t *testing.T) {
	quotes, runs := deckQuotes(t), map[string][]*report.Report{}
	for _, lecture := range view.Lectures {
		name := lecture.Name
		for _, lang := range []string{"en", "de"} {
			w := wordsOf(lang)
			for i, s := range readDeck(t, name, lang).Steps {
				where := fmt.Sprintf("%s %d", name, i+1)
				text := strings.Join(append([]string{s.Say, s.Ask}, s.Notes...), "\n")
				for _, a := range s.Answers {
					if a.Right {
						text += "\n" + a.Text
					}
				}
				x, err := spec.ParseLink(s.Link, catalog.Names{})
				if err != nil {
					continue // TestDecks says so
				}
				for _, q := range quotes[where] {
					method, value, _ := strings.Cut(q.what, " ")
					if method == "plain:" {
						for _, n := range strings.Split(q.says, ", ") {
							text = without(text, w.Number(n))
						}
						continue
					}
					says := w.Number(q.says)
					if !strings.Contains(text, says) {
						t.Errorf("%s in %s does not say %q", where, lang, says)
					}
					text = without(text, says)
					if !tier.Releases() && x.Model != "mixture2" {
						continue
					}
					of := x.Only(catalog.Names{}, method)
					if runs[of.Link()] == nil {
						runs[of.Link()] = lessonRun(t, of, nil, nil)
					}
					if want := deckSays(runs[of.Link()][0], value, q.says); want != q.says {
						t.Errorf("%s: %q, but %s gives %q", where, q.says, q.what, want)
					}
				}
				for _, n := range deckNumber.FindAllString(text, -1) {
					if plain := english.Replace(n); lang == "de" && !inLink(x, plain) || lang == "en" && !inLink(x, n) {
						t.Errorf("%s in %s: where is %q from?", where, lang, n)
					}
				}
			}
		}
	}
	if len(runs) < 4 {
		t.Errorf("only %d experiments are quoted", len(runs))
	}
}

// deckSays is quotedEnglish, and log Z in words also beside an error bar.
func deckSays(r *report.Report, value, says string) string {
	if value == "bare" {
		_, decimals, _ := strings.Cut(says, ".")
		return format.Fixed(float64(r.LogZ), len(decimals))
	}
	return quotedEnglish(r, value, says)
}

// without is a text without a number that stands in it by itself.
func without(text, number string) string {
	return regexp.MustCompile(`(^|[^\d.,\x{202f}])`+regexp.QuoteMeta(number)+`($|[^\d]|[.,] )`).ReplaceAllString(text,
		"$1 $2")
}

// inLink reports whether a number is a value of an experiment.
func inLink(s *spec.Spec, number string) bool {
	plain := strings.ReplaceAll(number, ",", "")
	for _, x := range s.Settings() {
		if _, value, _ := strings.Cut(x, "="); value == plain {
			return true
		}
	}
	return false
}
