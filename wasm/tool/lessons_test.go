package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The committed pages of the lessons are up to date with their Markdown.
func TestLessonPages(t *testing.T) {
	dir := filepath.Join(root, "site", "lessons")
	pages, err := lessonPages(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range pages {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != string(page) {
			t.Errorf("site/lessons/%s is not what its Markdown makes (%v): go run ./wasm/tool lessons site/lessons", name, err)
		}
	}
	for _, folder := range []string{"", "de"} {
		files, err := filepath.Glob(filepath.Join(dir, folder, "*.html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if pages[filepath.Join(folder, filepath.Base(file))] == nil {
				t.Errorf("%s has no Markdown", file)
			}
		}
	}
}

// Lessons link to terms that exist in their glossary: English ones in the glossary of the documentation.
func TestLessonsLinkToGlossary(t *testing.T) {
	pages, err := lessonPages(filepath.Join(root, "site", "lessons"))
	if err != nil {
		t.Fatal(err)
	}
	english, german := string(made(t)["docs/glossary.html"]), string(pages["de/glossary.html"])
	term := regexp.MustCompile(`href="(?:\.\./docs/)?glossary\.html#([a-z-]+)"`)
	n := 0
	for name, page := range pages {
		terms := english
		if strings.HasPrefix(name, "de/") {
			terms = german
		}
		for _, m := range term.FindAllSubmatch(page, -1) {
			if n++; !strings.Contains(terms, fmt.Sprintf(` id="%s"`, m[1])) {
				t.Errorf("%s links to %s, which the glossary does not have", name, m[1])
			}
		}
	}
	if n < 100 {
		t.Errorf("%d links to the glossary", n)
	}
}

// Each element of the Markdown of lessons is rendered as expected.
func TestLessonMarkup(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("index.md", "# Lessons\n\nAll.\n\n1. [One](1-one.md)\n\n   About *Z*.\n")
	write("de/index.md", "# Lektionen\n")
	write("1-one.md", `# One

First $log Z$.

![Some dots](1.png)
A caption.
[Open](#v=1&model=a&method=ais "run")

[Alone](#v=1&model=b&method=is)

See [this](#v=1&model=c&method=is "c") and [that](2-two.md): [3](number:#run&seed=2 "ais logz"), [three](number:#run "ais off = 3").

| A | B | C |
| --- | --- | --- |
| x | [4](number:#c "is exact") | words |

- **Note.** Text.
`)
	write("de/1-one.md", "# Eins\n\n[Öffnen](#v=1&model=a&method=ais)\n\nUnd [mehr](../../experiments/x.html).\n")
	write("2-two.md", "# Two\n")
	write("de/2-two.md", "# Zwei\n")
	pages, err := lessonPages(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, parts := range map[string][]string{
		"index.html": {`<li><a href="1-one.html">One</a><p>About <i>Z</i>.</p></li>`, "<title>Lessons · LogZ Lab</title>"},
		"1-one.html": {`<p class="lesson-n">Lesson 1 of 2</p>`, `<p class="first">First <span class="math">log <i>Z</i></span>.</p>`,
			"<figure class=\"live-figure\">\n<div><img src=\"1.png\" alt=\"Some dots\"></div>\n<figcaption>A caption.</figcaption>\n" +
				`<p class="live"><a class="button" id="run" href="../index.html#v=1&amp;model=a&amp;method=ais&amp;view.lesson=1">`,
			`<p class="live"><a class="button" href="../index.html#v=1&amp;model=b&amp;method=is&amp;view.lesson=1">Alone</a></p>`,
			`<a id="c" href="../index.html#v=1&amp;model=c&amp;method=is&amp;view.lesson=1">this</a> and <a href="2-two.html">that</a>`,
			`<span data-link="#run&amp;seed=2" data-quote="ais logz">3</span>`,
			`<span data-link="#run" data-quote="ais off" data-says="3">three</span>`,
			`<th scope="row">x</th><td data-link="#c" data-quote="is exact">4</td><td class="says">words</td>`,
			"<ul class=\"notes\">\n<li><b>Note.</b> Text.</li>", `<a href="2-two.html" rel="next">Two</a>`},
		"de/1-one.html": {`Lektion 1 von 2`, `href="../../index.html#v=1&amp;model=a&amp;method=ais&amp;view.lesson=1&amp;view.lang=de"`,
			`<a href="../../experiments/x.html" hreflang="en">mehr</a>`},
	} {
		for _, part := range parts {
			if !strings.Contains(string(pages[name]), part) {
				t.Errorf("%s has no %s:\n%s", name, part, pages[name])
			}
		}
	}
	for file, want := range map[string]string{"one.md": "does not begin with the number", "4-four.md": "there is no lesson 3"} {
		write(file, "# Title\n")
		if _, err := lessonPages(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
		os.Remove(filepath.Join(dir, file))
	}
	write("3-three.md", "No heading\n")
	if _, err := lessonPages(dir); err == nil || !strings.Contains(err.Error(), "its first line is not a title") {
		t.Error(err)
	}
}
