package page

import (
	"fmt"
	"html"
	"math"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/files/modelfile"
	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models/stan"
	"logzlab/models/stan/program"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// The lessons and the handouts of the lectures quote numbers. Each stands in an element with
//
//	data-link   where it comes from: "#id" of a link on the same page, or a whole
//	            link; then changes "&key=value", made the way the controls make them
//	data-quote  what it is: a method and a value (see quoted)
//	data-says   the same in digits, where the text has it in words
//
// and this test computes all of them again; before a release, those of programs and of single runs of mixture2 alone.
func TestLessonsQuoteTheirLinks(t *testing.T) {
	runs, texts := map[string][]*report.Report{}, map[string]string{} // programs by the ids of their tapes
	caches := map[string]map[string][][]byte{}
	trained, readings := trainingRuns{}, lessonReadings{}
	for _, file := range append(lessonFiles(), handoutFiles()...) {
		b := readLesson(t, file)
		lang := "en"
		if strings.HasPrefix(file, "de/") || strings.HasSuffix(file, ".de.html") {
			lang = "de"
		}
		links := map[string]string{}
		for _, m := range anchors.FindAllStringSubmatch(string(b), -1) {
			link := html.UnescapeString(m[2])
			links["#"+m[1]] = viewKeys.ReplaceAllString(link, "")
			if s, err := spec.ParseLink(link, catalog.Names{}); err == nil && spec.IsFile(s.Model) {
				_, text, _ := strings.Cut(link, "view.program=")
				texts[s.Model], _, _ = strings.Cut(text, "&")
			}
		}
		examples := map[string]string{}
		for _, m := range sampleLink.FindAllStringSubmatch(string(b), -1) {
			examples["#"+m[1]] = m[2]
		}
		for _, m := range quotes.FindAllStringSubmatch(string(b), -1) {
			link, quote, says := html.UnescapeString(m[1]), m[2], m[3]
			if says == "" {
				says = html.UnescapeString(bareTags.ReplaceAllString(m[4], ""))
			}
			where := fmt.Sprintf("%s: %q", file, says)
			if name := examples[link]; name != "" {
				if want := readings.quoted(t, name, quote, says, wordsOf(lang)); want != says {
					t.Errorf("%s, but %s of %s gives %q", where, quote, name, want)
				}
				continue
			}
			if l, ok, err := lessonTraining(link, links); err != nil {
				t.Errorf("%s: %v", where, err)
				continue
			} else if ok {
				if !tier.Releases() {
					continue
				}
				if want := quotedTraining(trained.of(t, l), quote, says, wordsOf(lang)); want != says {
					t.Errorf("%s, but %s of %s gives %q", where, quote, l, want)
				}
				continue
			}
			s, err := lessonSpec(link, links)
			if err != nil {
				t.Errorf("%s: %v", where, err)
				continue
			}
			if quick := s.Model == "mixture2" && s.Replicates == 1 || spec.IsFile(s.Model); !quick && !tier.Releases() {
				continue
			}
			method, value, _ := strings.Cut(quote, " ")
			key := s.Only(catalog.Names{}, method).Link()
			if runs[key] == nil {
				if caches[engine.ModelKey(s, catalog.Names{})] == nil {
					caches[engine.ModelKey(s, catalog.Names{})] = map[string][][]byte{}
				}
				runs[key] = lessonRun(t, s.Only(catalog.Names{}, method), caches[engine.ModelKey(s, catalog.Names{})], texts)
			}
			from := runs[key][0]
			if pooled, ok := strings.CutPrefix(value, "pool "); ok {
				way, what, _ := strings.Cut(pooled, " ")
				from, value = lessonPool(t, s, way), what
			}
			want := ""
			if rival, ok := strings.CutPrefix(value, "bayes "); ok {
				other := s.Only(catalog.Names{}, method)
				if other.Model = rival; strings.HasPrefix(rival, "#") {
					if other, err = lessonSpec(rival, links); err != nil {
						t.Fatalf("%s: %v", where, err)
					}
				}
				if runs[other.Link()] == nil {
					runs[other.Link()] = lessonRun(t, other, nil, texts)
				}
				want = quotedBayes(report.Compare(from, runs[other.Link()][0]), says, wordsOf(lang))
			} else {
				want = quoted(from, value, says, wordsOf(lang))
			}
			if want != says {
				t.Errorf("%s, but %s of %s gives %q", where, quote, key, want)
			}
		}
		// A number with decimals or an error bar that nothing guards. Exercises also have invented numbers, and another test
		// checks those of the slides.
		if strings.HasPrefix(file, "../decks/") {
			continue
		}
		rest := bareTags.ReplaceAllString(bareCode.ReplaceAllString(quotes.ReplaceAllString(body(string(b)), ""), ""), "")
		if lang == "de" {
			rest = english.Replace(rest)
		}
		for _, x := range measuredNumber.FindAllString(rest, -1) {
			t.Errorf("%s: %q stands in no element with data-quote", file, x)
		}
	}
	if len(runs) < 2 {
		t.Errorf("only %d experiments are quoted", len(runs))
	}
}

var (
	anchors = regexp.MustCompile(`<a (?:class="button" )?id="([a-z0-9-]+)" href="(?:\.\./)+index\.html#([^"]*)"`)
	quotes  = regexp.MustCompile(`<(?:span|td) data-link="([^"]*)" data-quote="([^"]*)"` +
		`(?: data-says="([^"]*)")?>(.*?)</(?:span|td)>`)
	viewKeys       = regexp.MustCompile(`&view\.[^&]*`)
	bareTags       = regexp.MustCompile(`<[^>]*>`)
	bareCode       = regexp.MustCompile(`<code>.*?</code>`)
	measuredNumber = regexp.MustCompile(`±|\d+\.\d+`)
)

// lessonFiles are the pages of the lessons in both languages, below site/lessons.
func lessonFiles() (files []string) {
	for _, lang := range []string{"en", "de"} {
		files = append(files, view.LessonPage("index.html", wordsOf(lang)))
		for _, l := range view.Lessons {
			files = append(files, view.LessonPage(l.Page, wordsOf(lang)))
		}
	}
	return files
}

// handoutFiles returns the handouts of the lectures, by their paths from the folder of the lessons.
func handoutFiles() (files []string) {
	for _, l := range view.Lectures {
		files = append(files, "../decks/"+l.Name+".html", "../decks/"+l.Name+".de.html")
	}
	return files
}

func readLesson(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile("../../site/lessons/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func body(s string) string {
	_, s, _ = strings.Cut(s, "<main")
	return s
}

// lessonSpec is the experiment that a data-link names.
func lessonSpec(link string, links map[string]string) (*spec.Spec, error) {
	changes := ""
	if strings.HasPrefix(link, "#") {
		id, rest, _ := strings.Cut(link, "&")
		base, ok := links[id]
		if !ok {
			return nil, fmt.Errorf("the page has no link with id %s", id)
		}
		link, changes = base, rest
	}
	s, err := spec.ParseLink(link, catalog.Names{})
	for _, change := range strings.Split(changes, "&") {
		if key, value, ok := strings.Cut(change, "="); ok && err == nil {
			err = s.Put(catalog.Names{}, key, value)
		}
	}
	return s, err
}

func lessonRun(t *testing.T, s *spec.Spec, cache map[string][][]byte, texts map[string]string) []*report.Report {
	t.Helper()
	src := engine.Source{Load: testmodels.LoadSite}
	if spec.IsFile(s.Model) {
		text, err := stan.Unpack(texts[s.Model])
		if err != nil {
			t.Fatal(err)
		}
		c, err := text.Compile()
		if err != nil || modelfile.ID(c.Tape.Bytes()) != s.Model {
			t.Fatalf("the program %s makes another tape than %s, or none: %v", text.Name, s.Model, err)
		}
		src.Name, src.File = text.Name, program.Params{Tape: c.Tape}
	}
	m, err := src.Open(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := report.RunSpec(t.Context(), s, m, engine.Options{Cache: cache}, runtime.NumCPU())
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

// lessonPool is a report with what one of the four ways to pool gives.
func lessonPool(t *testing.T, s *spec.Spec, way string) *report.Report {
	t.Helper()
	p := newPage(t, 2)
	p.controller.Open("#" + s.Link() + "&view.pool=1")
	p.finish()
	course := p.controller.Snapshot().Pool.Course
	if course[len(course)-1].N != s.Replicates {
		t.Fatalf("%s: %d runs are pooled", s.Link(), course[len(course)-1].N)
	}
	for i, w := range view.PoolWays {
		if w.Word == "pool."+way {
			x, r := course[len(course)-1].Ways[i], *p.controller.Results()[0]
			r.LogZ, r.SE = report.Number(x.LogZ), report.Number(x.SE)
			return &r
		}
	}
	t.Fatalf("no way %s", way)
	return nil
}

// quoted returns the text that a lesson should have about a report: numbers with as many decimals as
// it says them with, log Z as the page shows it, both as the language writes them.
func quoted(r *report.Report, value, says string, w *words.Language) string {
	for _, c := range r.Verdict.Checks {
		if value == "fails" && view.CheckName(w, &c) == says && !c.OK {
			return says
		}
	}
	if w.Lang == "de" {
		says = english.Replace(says)
	}
	if value == "verdict" && says != "Trust" { // which stands for words
		return w.T("verdict." + r.Verdict.Level)
	}
	return w.Number(quotedEnglish(r, value, says))
}

// quotedBayes is a log Bayes factor with its error bar, or exact where the lesson says none.
func quotedBayes(c *report.Bayes, says string, w *words.Language) string {
	p := &state.Appearance{Words: w}
	if strings.Contains(says, "±") {
		return p.FormatEstimate(float64(c.LogBF), float64(c.SE))
	}
	return w.Number(format.Fixed(float64(c.Exact), 2))
}

// english makes English numbers of German ones.
var english = strings.NewReplacer(",", ".", words.NarrowSpace, ",")

func quotedEnglish(r *report.Report, value, says string) string {
	off := math.NaN()
	if r.Truth != nil {
		off = float64(r.LogZ - r.Truth.LogZ)
	}
	digits := 0
	if _, after, ok := strings.Cut(says, "."); ok {
		digits = len(after)
	}
	number := func(x float64) string {
		s := format.Fixed(x, digits)
		if digits == 0 && math.Abs(x) >= 1000 {
			s = format.Thousands(x)
		}
		return s
	}
	switch value {
	case "logz":
		d := format.Decimals(float64(r.SE))
		return format.Fixed(float64(r.LogZ), d) + " ± " + format.Fixed(float64(r.SE), d)
	case "bare": // log Z where it has no error bar
		if report.IsNumber(r.SE) {
			return "an error bar"
		}
		return number(float64(r.LogZ))
	case "verdict":
		return words.New("en").T("verdict." + r.Verdict.Level)
	case "fails":
		return "a check that passes"
	case "mean": // of the replicates' log Z
		return number(float64(r.Summary.Mean))
	case "exact":
		return number(float64(r.Truth.LogZ))
	case "digits": // of Z, written out
		return number(math.Floor(float64(r.Truth.LogZ)/math.Ln10) + 1)
	case "lower":
		return number(float64(r.Lower))
	case "upper":
		return number(float64(r.Upper))
	case "width":
		return number(float64(r.Upper - r.Lower))
	case "se":
		return number(float64(r.SE))
	case "sweeps":
		return number(float64(r.Cost.Sweeps))
	case "error":
		return number(off)
	case "off":
		return number(math.Abs(off))
	case "bars":
		return number(math.Abs(off) / float64(r.SE))
	case "tens": // |error| as a power of ten
		return number(math.Abs(off) / math.Ln10)
	case "millions": // |error| as a factor, in millions
		return number(math.Exp(math.Abs(off)) / 1e6)
	}
	if name, ok := strings.CutPrefix(value, "check "); ok { // the value of a check
		for _, c := range r.Verdict.Checks {
			if c.Name == name {
				return number(float64(c.Value))
			}
		}
	}
	if x, ok := r.Diagnostics[diag.Number(value)]; ok {
		least, atLeast := strings.CutPrefix(says, "≥ ")
		if bound, err := strconv.ParseFloat(least, 64); atLeast && err == nil && float64(x) >= bound {
			return says
		}
		return number(float64(x))
	}
	return "no value " + value
}
