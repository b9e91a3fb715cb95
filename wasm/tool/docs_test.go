package main

import (
	"html"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/estimators/catalog"
	"logzlab/wasm/page"
	"logzlab/wasm/page/route"
)

// made returns the site with the documentation as pages, without the parts that scripts need.
func made(t *testing.T) map[string][]byte {
	files := map[string][]byte{}
	err := walkFiles(filepath.Join(root, "site"), func(path, name string) (err error) {
		files[name], err = os.ReadFile(path)
		return err
	})
	if err == nil {
		err = documentation(files)
	}
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Links of the documentation lead to existing files, headings and experiments, and stay inside the site.
func TestDocumentationLinks(t *testing.T) {
	files := made(t)
	ids := regexp.MustCompile(` id="([^"]+)"`)
	links := regexp.MustCompile(`<a [^>]*href="([^"]+)"`)
	pages := 0
	for name, text := range files {
		if markdownFolders[path.Dir(name)] == "" || path.Ext(name) != ".html" {
			continue
		}
		pages++
		for _, m := range links.FindAllSubmatch(text, -1) {
			to, anchor, _ := strings.Cut(html.UnescapeString(string(m[1])), "#")
			at := name
			if to != "" {
				at = path.Join(path.Dir(name), to)
			}
			if strings.Contains(to, "//") || strings.HasPrefix(to, "/") || files[at] == nil {
				t.Errorf("%s links to %s, which the site does not have", name, m[1])
				continue
			}
			if at == "index.html" {
				r, err := route.Parse(anchor, catalog.Names{}, page.Known())
				if err != nil || r.ViewErrors != nil {
					t.Errorf("%s links to %s in the lab: %v, %v", name, anchor, err, r.ViewErrors)
				}
				if deck := r.View.Deck; deck != "" && files["decks/"+deck+".txt"] == nil {
					t.Errorf("%s links to the deck %s, which the site does not have", name, deck)
				}
			} else if !slices.ContainsFunc(ids.FindAllSubmatch(files[at], -1), func(id [][]byte) bool {
				return anchor == "" || string(id[1]) == anchor
			}) && anchor != "" {
				t.Errorf("%s links to %s, whose page has no such heading", name, m[1])
			}
		}
	}
	if pages < 20 {
		t.Errorf("only %d pages", pages)
	}
}

// A page without an entry in the index, and an entry without a page, are errors.
func TestDocumentationListed(t *testing.T) {
	index := "# All\n\nText.\n\n- [One](one.md): a page.\n"
	for want, files := range map[string]map[string][]byte{
		"":                             {"one": []byte("# One\n\n## Two words\n\n[back](index.md#all) x<sub>2</sub>\n")},
		"not there":                    {},
		"not list":                     {"one": []byte("# One\n"), "two": []byte("# Two\n")},
		"no heading":                   {"one": []byte("One\n")},
		"docs/all/run.sh is not there": {"one": []byte("# One\n\n[run.sh](all/run.sh)\n")},
	} {
		for name, text := range maps.Clone(files) {
			delete(files, name)
			files["docs/"+name+".md"] = text
		}
		files["docs/index.md"] = []byte(index)
		err := documentation(files)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
		if err != nil {
			continue
		}
		text := string(files["docs/one.html"])
		for _, part := range []string{`<h2 id="two-words">`, `href="#two-words"`,
			`<a href="index.html#all">back</a> x<sub>2</sub>`,
			`<a href="one.html" aria-current="page">One</a>`, "<title>One · LogZ Lab</title>"} {
			if !strings.Contains(text, part) {
				t.Errorf("the page has no %s: %s", part, text)
			}
		}
	}
}

// The pages of papers show their experiments: the picture, the number of findings, a link to the lab and a link to the
// page of the experiment. A picture without an experiment is an error.
func TestPapersShowExperiments(t *testing.T) {
	files := made(t)
	shown := ""
	for name, text := range files {
		if path.Dir(name) == "papers" {
			shown += string(text)
		}
	}
	all := 0
	for name := range files {
		experiment, ok := strings.CutSuffix(strings.TrimPrefix(name, "experiments/"), ".html")
		if path.Dir(name) != "experiments" || !ok || experiment == "index" || experiment == "time-to-0.1" ||
			experiment == "graph-glass" || experiment == "start" {
			continue
		}
		all++
		_, figure, _ := strings.Cut(shown, `src="../experiments/`+experiment+".")
		figure, _, _ = strings.Cut(figure, "</figure>")
		for _, part := range []string{" alt=", "<strong>", " finding", `<a class="button" href="../index.html#v=1&amp;`,
			`<a href="../experiments/` + experiment + `.html">`} {
			if !strings.Contains(figure, part) {
				t.Errorf("site/papers does not show %s with %s: %s", experiment, part, figure)
			}
		}
	}
	if all < 15 {
		t.Errorf("only %d experiments", all)
	}
	if _, err := figure("nothing.svg", files); err == nil {
		t.Error("a picture of no experiment is taken")
	}
}

// A paragraph that consists of a link to a file shows the file.
func TestDocumentationScripts(t *testing.T) {
	files := map[string][]byte{"docs/index.md": []byte("# All\n\n- [One](one.md): a page.\n"),
		"docs/one.md":     []byte("# One\n\n[run.sh](all/run.sh)\n\nNot [run.sh](all/run.sh) in a sentence.\n"),
		"docs/all/run.sh": []byte("#!/bin/sh\nlogz run \"$1\" && exit\n")}
	if err := documentation(files); err != nil {
		t.Fatal(err)
	}
	text := string(files["docs/one.html"])
	if want := "<code>#!/bin/sh\nlogz run &quot;$1&quot; &amp;&amp; exit\n</code></pre>"; strings.Count(text, want) != 1 ||
		strings.Count(text, `<a href="all/run.sh">run.sh</a>`) != 2 {
		t.Errorf("the page is %s", text)
	}
}

// The code on the page about the library is code of an Example, so it compiles and runs.
func TestDocumentationCode(t *testing.T) {
	plain := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	examples := ""
	for _, name := range sources(t) {
		if strings.HasSuffix(name, "_test.go") && strings.Contains(path.Base(name), "example") {
			b, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			examples += plain(string(b))
		}
	}
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```").FindAllStringSubmatch(documents(t)["site/docs/library.md"], -1)
	for _, m := range blocks {
		if !strings.Contains(examples, plain(m[1])) {
			t.Errorf("no Example has this code of site/docs/library.md:\n%s", m[1])
		}
	}
	if len(blocks) < 3 {
		t.Errorf("only %d blocks of code", len(blocks))
	}
}
