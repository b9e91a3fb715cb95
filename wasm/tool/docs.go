package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	rendered "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownFolders has the title of each folder of the site whose pages are written in Markdown. The links in the lists
// of its index.md determine the pages and their order.
var markdownFolders = map[string]string{"docs": "Documentation", "papers": "Papers"}

//go:embed docs.tmpl
var docsLayout string

var (
	docsPage = template.Must(template.New("docs").Parse(docsLayout))
	// Columns are aligned by an attribute, because the policy of the site forbids styles in tags.
	markdown = goldmark.New(goldmark.WithExtensions(extension.NewTable(
		extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(rendered.WithUnsafe(), // sub and sup
			renderer.WithNodeRenderers(util.Prioritized(scrollingBoxes{}, 100))))

	docsPath   = regexp.MustCompile(`^((?:(?:\.\./)+[a-z]+/)?[a-z0-9-]+)\.md(#.*)?$`)
	scriptPath = regexp.MustCompile(`^[a-z]+/[\w.-]+$`)
)

// docsLine is a line of the list of pages beside a page: a heading, or a page with Title and Name. Here marks the page
// itself, whose Sections are listed below it.
type docsLine struct {
	Heading, Title, Name string
	Here                 bool
	Sections             []docsSection
}

// docsSection is a heading of the second level in a page, with the id for links.
type docsSection struct {
	ID    string
	Title template.HTML
}

// documentation replaces the Markdown files in files by HTML pages. It returns an error if a page and the list in
// index.md do not match.
func documentation(files map[string][]byte) error {
	for _, folder := range slices.Sorted(maps.Keys(markdownFolders)) {
		index := folder + "/index.md"
		if files[index] == nil {
			continue // in tests
		}

		list := docsList(files[index])
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

// docsList reads the list of pages from index.md: list items that begin with a link to a page, and the headings of the
// second level above such lists.
func docsList(index []byte) []docsLine {
	list := []docsLine{{Title: "Overview", Name: "index"}}
	doc := markdown.Parser().Parse(text.NewReader(index))
	heading := ""
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Heading:
			if entering && n.Level == 2 {
				heading = plainText(n, index)
			}
		case *ast.ListItem:
			if !entering {
				break
			}
			link, ok := n.FirstChild().FirstChild().(*ast.Link)
			if !ok {
				break
			}
			if name, ok := strings.CutSuffix(string(link.Destination), ".md"); ok {
				if heading != "" {
					list, heading = append(list, docsLine{Heading: heading}), ""
				}
				list = append(list, docsLine{Title: plainText(link, index), Name: name})
			}
		}
		return ast.WalkContinue, nil
	})
	return list
}

// plainText returns the text in a node without markup.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// docsHTML returns the HTML of the Markdown page name, with the list of all pages of its folder. A paragraph that
// consists of a link to a file in a subfolder, as [run.sh](cluster/run.sh), is followed by the text of that file.
func docsHTML(files map[string][]byte, source []byte, folder, name string, list []docsLine) ([]byte, error) {
	index := slices.IndexFunc(list, func(l docsLine) bool { return l.Name == name })
	if index < 0 {
		return nil, fmt.Errorf("site/%s/index.md does not list it", folder)
	}
	doc := markdown.Parser().Parse(text.NewReader(source))
	heading, ok := doc.FirstChild().(*ast.Heading)
	if !ok || heading.Level != 1 {
		return nil, fmt.Errorf("its first line is no heading")
	}
	title := plainText(heading, source)
	sections, err := adaptToSite(doc, source, folder, files)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, source, doc); err != nil {
		return nil, err
	}

	// The list marks the page and has its sections below it. The end of the page links to the previous and the next page.
	lines := slices.Clone(list)
	lines[index].Here, lines[index].Sections = true, sections
	var before, after *docsLine
	for i := range lines {
		switch {
		case lines[i].Name == "":
		case i < index:
			before = &lines[i]
		case i > index && after == nil:
			after = &lines[i]
		}
	}
	var page bytes.Buffer
	err = docsPage.Execute(&page, map[string]any{"Title": title, "Body": template.HTML(body.String()), "Lines": lines,
		"Sections": sections, "Before": before, "After": after, "Folders": markdownFolders, "Folder": folder})
	return page.Bytes(), err
}

// adaptToSite changes the parsed document of a page and returns its sections. Links to Markdown files become links to
// HTML pages, headings get a link to themselves, short code without spaces gets the class word, which prevents line
// breaks, pictures of experiments become figures (see figure), and files are inserted after the paragraphs that link to
// them.
func adaptToSite(doc ast.Node, source []byte, folder string, files map[string][]byte) (sections []docsSection, err error) {
	figures := map[ast.Node]ast.Node{} // replacements of paragraphs; a walk must not replace nodes itself
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = docsPath.ReplaceAll(n.Destination, []byte("$1.html$2"))
		case *ast.CodeSpan:
			if s := plainText(n, source); len(html.EscapeString(s)) <= 28 && !strings.ContainsAny(s, " \n") {
				n.SetAttributeString("class", []byte("word"))
			}
		case *ast.Heading:
			if n.Level != 2 && n.Level != 3 {
				break
			}
			id, _ := n.AttributeString("id")
			if n.Level == 2 {
				var title bytes.Buffer
				for c := n.FirstChild(); c != nil; c = c.NextSibling() {
					if err := markdown.Renderer().Render(&title, source, c); err != nil {
						return ast.WalkStop, err
					}
				}
				sections = append(sections, docsSection{string(id.([]byte)), template.HTML(title.String())})
			}
			n.AppendChild(n, inlineHTML(fmt.Sprintf(` <a class="anchor" href="#%s" aria-label="Link to this section">#</a>`, id)))
		case *ast.Paragraph:
			if n.ChildCount() != 1 {
				break
			}
			switch c := n.FirstChild().(type) {
			case *ast.Image:
				name, ok := strings.CutPrefix(string(c.Destination), "../experiments/")
				if !ok {
					break
				}
				figureHTML, err := figure(name, files)
				if err != nil {
					return ast.WalkStop, err
				}
				figures[n] = blockHTML(figureHTML)
			case *ast.Link:
				if !scriptPath.Match(c.Destination) {
					break
				}
				file := path.Join(folder, string(c.Destination))
				if files[file] == nil {
					return ast.WalkStop, fmt.Errorf("%s is not there", file)
				}
				n.Parent().InsertAfter(n.Parent(), n, blockHTML(`<pre tabindex="0"><code>`+
					string(util.EscapeHTML(files[file]))+"</code></pre>"))
			}
		}
		return ast.WalkContinue, nil
	})
	for paragraph, figure := range figures {
		paragraph.Parent().ReplaceChild(paragraph.Parent(), paragraph, figure)
	}
	return sections, err
}

// inlineHTML returns an inline node with the given HTML.
func inlineHTML(html string) ast.Node {
	s := ast.NewString([]byte(html))
	s.SetCode(true) // not escaped
	return s
}

// blockHTML returns a block node, such as a paragraph, with the given HTML.
func blockHTML(html string) ast.Node {
	b := ast.NewTextBlock()
	b.AppendChild(b, inlineHTML(html))
	return b
}

// scrollingBoxes renders tables and blocks of code, which may be wider than the page, in boxes that can be scrolled
// with mouse and keyboard.
type scrollingBoxes struct{}

func (scrollingBoxes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTable, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString("<div class=\"across\" tabindex=\"0\"><table>\n")
		} else {
			w.WriteString("</table></div>\n")
		}
		return ast.WalkContinue, nil
	})
	renderCode := func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		class := ""
		if fenced, ok := n.(*ast.FencedCodeBlock); ok && fenced.Language(source) != nil {
			class = fmt.Sprintf(` class="language-%s"`, fenced.Language(source))
		}
		fmt.Fprintf(w, `<pre tabindex="0"><code%s>%s</code></pre>`+"\n", class,
			util.EscapeHTML(n.Lines().Value(source)))
		return ast.WalkContinue, nil
	}
	r.Register(ast.KindCodeBlock, renderCode)
	r.Register(ast.KindFencedCodeBlock, renderCode)
}
