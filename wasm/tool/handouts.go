package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	rendered "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/view"
)

// cmdHandouts makes the printable handouts of the lectures, NAME.html and NAME.de.html, from the deck NAME.txt, its
// exercises NAME.exercises.md and the pictures of its slides, NAME-STEP.webp, all in one folder: `handouts SITE/decks`.
// In German the names of the sources begin with NAME.de. The Markdown of exercises is that of lessons; it has two
// headings, the exercises and the answers, each with a numbered list. The pages are committed, because a test computes
// their numbers again.
func cmdHandouts(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: tool handouts SITE/decks")
	}
	pages, err := handoutPages(args[0])
	if err != nil {
		return err
	}
	for name, page := range pages {
		if err := replaceFile(filepath.Join(args[0], name), page); err != nil {
			return err
		}
	}
	return nil
}

//go:embed handout.tmpl
var handoutLayout string

var handoutPage = template.Must(template.New("handout").Funcs(template.FuncMap{
	"letter": func(i int) string { return string(rune('A' + i)) },
}).Parse(handoutLayout))

// handoutWords are the texts of a handout in a language.
type handoutWords struct{ Lecture, Print, Answers, Slide, Open string }

var handoutLanguages = map[string]handoutWords{
	"en": {"Lecture", "Print this page for a handout: the answers are on its last page.", "Answers to the questions on the slides",
		"Slide %d", "Open the lecture"},
	"de": {"Vortrag", "Drucken Sie diese Seite als Handzettel: Die Antworten stehen auf der letzten Seite.",
		"Antworten auf die Fragen der Folien", "Folie %d", "Den Vortrag öffnen"},
}

// handoutPages returns the handouts of all lectures in all languages, by the names of their files.
func handoutPages(dir string) (map[string][]byte, error) {
	pages := map[string][]byte{}
	for _, lecture := range view.Lectures {
		for lang, words := range handoutLanguages {
			name := lecture.Name
			if lang != "en" {
				name += "." + lang
			}
			page, err := handout(dir, lecture.Name, name, lang, words)
			if err != nil {
				return nil, err
			}
			pages[name+".html"] = page
		}
	}
	return pages, nil
}

// handout returns the handout of a lecture, whose files in the language begin with name.
func handout(dir, lecture, name, lang string, words handoutWords) ([]byte, error) {
	file := filepath.Join(dir, name+".txt")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	accept := func(string) error { return nil } // tests of the page check the links and controls
	d, faults := deck.Parse(data, deck.Checker{Link: accept, Control: func(_, _ string) error { return nil }})
	if len(faults) > 0 {
		return nil, fmt.Errorf("%s:%d: %w", file, faults[0].Line, faults[0].Err)
	}
	type slide struct {
		deck.Step
		Number  int
		Picture string
	}
	var slides []slide
	for i, step := range d.Steps {
		slides = append(slides, slide{step, i + 1, fmt.Sprintf("%s-%d.webp", name, i+1)})
	}
	exercises, answers, err := readExercises(filepath.Join(dir, name+".exercises.md"), lang)
	if err != nil {
		return nil, err
	}
	query := "#view.deck=" + lecture
	if lang != "en" {
		query += "&view.lang=" + lang
	}
	var page bytes.Buffer
	err = handoutPage.Execute(&page, map[string]any{"Lang": lang, "Title": d.Title, "Words": words, "Slides": slides,
		"Exercises": exercises, "Answers": answers, "Query": query})
	return page.Bytes(), err
}

// readExercises returns the exercises and the answers of a file as HTML: the part from the second heading on is the
// answers.
func readExercises(file, lang string) (exercises, answers template.HTML, err error) {
	l, err := readMarkdown(file, lang)
	if err != nil {
		return "", "", err
	}
	markup := goldmark.New(goldmark.WithRendererOptions(rendered.WithUnsafe(),
		renderer.WithNodeRenderers(util.Prioritized(lessonMarkup{l, "../"}, 100)))).Renderer()
	var parts []bytes.Buffer
	for n := l.doc.FirstChild().NextSibling(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindHeading {
			parts = append(parts, bytes.Buffer{})
		}
		if len(parts) == 0 {
			return "", "", fmt.Errorf("%s: there is text before the heading of the exercises", file)
		}
		if err := markup.Render(&parts[len(parts)-1], l.source, n); err != nil {
			return "", "", fmt.Errorf("%s: %w", file, err)
		}
	}
	if len(parts) != 2 || strings.Count(parts[0].String(), "<li>") != strings.Count(parts[1].String(), "<li>") {
		return "", "", fmt.Errorf("%s: there must be two headings, with as many answers as exercises", file)
	}
	return template.HTML(parts[0].String()), template.HTML(parts[1].String()), nil
}
