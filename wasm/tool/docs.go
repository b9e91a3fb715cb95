package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	rendered "github.com/yuin/goldmark/renderer/html"
)

// written are the folders of a site whose pages are written in Markdown, by what they are called. The lists of links of
// the first page, index.md, say which pages there are, and in which order.
var written = map[string]string{"docs": "Documentation", "papers": "Papers"}

//go:embed docs.tmpl
var docsLayout string

var (
	docsPage = template.Must(template.New("docs").Parse(docsLayout))
	// Columns are aligned by an attribute, since the policy of the site allows no styles in tags.
	markdown = goldmark.New(goldmark.WithExtensions(extension.NewTable(
		extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(rendered.WithUnsafe())) // sub and sup

	docsEntry   = regexp.MustCompile(`(?m)^(?:## (.+)|- \[([^\]]+)\]\(([a-z-]+)\.md\).*)$`)
	docsHeading = regexp.MustCompile(`<h([23]) id="([^"]+)">(.*)</h[23]>`)
	docsLink    = regexp.MustCompile(`href="((?:\.\./[a-z]+/)?[a-z-]+)\.md(#[^"]*)?"`)
	docsScript  = regexp.MustCompile(`(?m)^\[[^\]]+\]\(([a-z]+/[\w.-]+)\)$`)
	docsWord    = regexp.MustCompile(`<code>([^<\s]{1,28})</code>`)
)

// docsLine is a line of the list of pages: a heading, or a page.
type docsLine struct {
	Heading, Title, Name string
	Here                 bool
	Sections             []docsSection
}

// docsSection is a heading of the second level, which links lead to.
type docsSection struct {
	ID    string
	Title template.HTML
}

// documentation replaces the Markdown of a site by pages of it.
func documentation(files map[string][]byte) error {
	for _, folder := range slices.Sorted(maps.Keys(written)) {
		index := folder + "/index.md"
		if files[index] == nil {
			continue // as in tests
		}

		// The list beside each page is that of the first page.
		list := []docsLine{{Title: "Overview", Name: "index"}}
		for _, m := range docsEntry.FindAllSubmatch(files[index], -1) {
			list = append(list, docsLine{Heading: string(m[1]), Title: string(m[2]), Name: string(m[3])})
		}
		for i := len(list) - 1; i > 0; i-- { // headings over pages alone
			if list[i].Name == "" && (i == len(list)-1 || list[i+1].Name == "") {
				list = slices.Delete(list, i, i+1)
			}
		}
		for _, line := range list {
			if line.Name != "" && files[path.Join(folder, line.Name+".md")] == nil {
				return fmt.Errorf("site/%s lists %s.md, which is not there", index, line.Name)
			}
		}
		for name, text := range files {
			page, ok := strings.CutSuffix(path.Base(name), ".md")
			if path.Dir(name) != folder || !ok {
				continue
			}
			html, err := docsHTML(files, text, folder, page, list)
			if err != nil {
				return fmt.Errorf("site/%s: %w", name, err)
			}
			delete(files, name)
			files[path.Join(folder, page+".html")] = html
		}
	}
	return nil
}

// docsHTML is a page of a folder with the list of all its pages beside the text. A line that is nothing but a link to a
// file in a folder of the page's folder, as [run.sh](cluster/run.sh), is followed by the text of that file.
func docsHTML(files map[string][]byte, text []byte, folder, name string, list []docsLine) ([]byte, error) {
	at := slices.IndexFunc(list, func(l docsLine) bool { return l.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("site/%s/index.md does not list it", folder)
	}
	title, ok := strings.CutPrefix(strings.SplitN(string(text), "\n", 2)[0], "# ")
	if !ok {
		return nil, fmt.Errorf("its first line is no heading")
	}
	var missing error
	text = docsScript.ReplaceAllFunc(text, func(line []byte) []byte {
		file := path.Join(folder, string(docsScript.FindSubmatch(line)[1]))
		if files[file] == nil {
			missing = fmt.Errorf("%s is not there", file)
		}
		return fmt.Appendf(nil, "%s\n\n```\n%s```", line, files[file])
	})
	if missing != nil {
		return nil, missing
	}
	var b bytes.Buffer
	if err := markdown.Convert(text, &b); err != nil {
		return nil, err
	}

	// Links lead to pages, headings have a link to themselves, names are not broken, and wide tables scroll.
	body, err := figures(b.String(), files)
	if err != nil {
		return nil, err
	}
	body = docsLink.ReplaceAllString(body, `href="$1.html$2"`)
	body = docsWord.ReplaceAllString(body, `<code class="word">$1</code>`)
	var sections []docsSection
	for _, m := range docsHeading.FindAllStringSubmatch(body, -1) {
		if m[1] == "2" {
			sections = append(sections, docsSection{m[2], template.HTML(m[3])})
		}
	}
	body = docsHeading.ReplaceAllString(body,
		`<h$1 id="$2">$3 <a class="anchor" href="#$2" aria-label="Link to this section">#</a></h$1>`)
	body = strings.NewReplacer("<table>", `<div class="across" tabindex="0"><table>`, "</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`).Replace(body)

	// The page is marked in the list, with its sections below it; the pages before and after it are at its end.
	lines := slices.Clone(list)
	lines[at].Here, lines[at].Sections = true, sections
	var before, after *docsLine
	for i := range lines {
		switch {
		case lines[i].Name == "":
		case i < at:
			before = &lines[i]
		case i > at && after == nil:
			after = &lines[i]
		}
	}
	var page bytes.Buffer
	err = docsPage.Execute(&page, map[string]any{"Title": title, "Body": template.HTML(body), "Lines": lines,
		"Sections": sections, "Before": before, "After": after, "Folders": written, "Folder": folder})
	return page.Bytes(), err
}
