package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

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

// cmdLessons makes the pages of the lessons, NAME.html, from NAME.md in the same folder, in English and in the folder
// of each other language: `lessons SITE/lessons`. The pages are committed, because the program of the page embeds them.
//
// The Markdown of a lesson, in addition to the usual:
//
//	[words](#v=1&model=...)            a link to an experiment; alone in a paragraph it is a button
//	[words](#v=1&model=... "coins")    the same with a name, for numbers to refer to
//	[2.94](number:#coins "ais logz")   a number that a test computes again: "ais logz" of the experiment coins
//	[14](number:#coins&seed=2 "...")   the same from that experiment with another value of a parameter
//	[fifty](number:#coins "is off = 50")   a number in words, with its decimals after the equals sign
//	[How many?](guess:1..10000#coins "ais ess = 29")   alone in a paragraph: a question with a slider over a range, which
//	                                   shows the guess and the number on one axis
//	![what is seen](3.png)             the live figure, with the caption and the link on the next lines
//	$log Z$                            a formula; single letters are variables
//	## Term {#id}                      a heading with an id, in glossary.md
//
// The key view.lesson and the language are added to links.
func cmdLessons(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: tool lessons SITE/lessons")
	}
	pages, err := lessonPages(args[0])
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

//go:embed lessons.tmpl
var lessonLayout string

var lessonPage = template.Must(template.New("lesson").Parse(lessonLayout))

// lessonWords are the texts of the lesson template in a language.
type lessonWords struct {
	Lessons, All, Number, Other, More string
	Guess, Yours, Ours                string // the button of a question, and the names of the guess and of the number
	Query                             string // query of the link to the lab, such as ?lang=de
	Links                             []lessonLink
}

// lessonLink is a link below the list of lessons. Lang is the language of the linked page, if it differs from that of
// the lessons; Own is set if the text of the link is in that language too.
type lessonLink struct {
	To, Text, Lang string
	Own            bool
}

// lessonLanguages has the texts by language.
var lessonLanguages = map[string]lessonWords{
	"en": {"Lessons", "All lessons", "Lesson %d of %d", "Other lessons", "More", "Guess",
		"You", "The lab", "", []lessonLink{
			{"experiments/index.html", "Experiments: figures of the papers, made again", "", false},
			{"docs/index.html", "Documentation", "", false}, {"lessons/de/index.html", "Deutsch", "de", true}}},
	"de": {"Lektionen", "Alle Lektionen", "Lektion %d von %d", "Andere Lektionen", "Mehr",
		"Raten", "Sie", "Das Labor", "?lang=de", []lessonLink{
			{"experiments/index.html", "Experimente: Abbildungen aus den Arbeiten, nachgerechnet (englisch)", "en", false},
			{"docs/index.html", "Dokumentation (englisch)", "en", false}, {"lessons/index.html", "English", "en", true}}},
}

// lesson is a lesson in one language, or the list of lessons, whose number is 0.
type lesson struct {
	File, Title   string
	Number        int
	source        []byte
	doc           ast.Node
	lang          string
	Before, After *lesson
}

// glossary is the name of the page of terms among the lessons in other languages; the English terms are in the
// documentation.
const glossary = "glossary"

// pageTitle is the title of the page in its head.
func (l *lesson) pageTitle(words lessonWords) string {
	if l.File == "index" {
		return words.Lessons
	}
	return l.Title
}

// lessonPages returns the pages of all languages, by their names in the folder.
func lessonPages(dir string) (map[string][]byte, error) {
	pages := map[string][]byte{}
	for lang, words := range lessonLanguages {
		folder, home, up := "", "", "../"
		if lang != "en" {
			folder, home, up = lang, "../", "../../"
		}
		files, err := filepath.Glob(filepath.Join(dir, folder, "*.md"))
		if err != nil {
			return nil, err
		}
		var lessons, others []*lesson
		for _, file := range files {
			l, err := readLesson(file, lang)
			if err != nil {
				return nil, err
			}
			if l.File == glossary {
				others = append(others, l)
			} else {
				lessons = append(lessons, l)
			}
		}
		slices.SortFunc(lessons, func(a, b *lesson) int { return a.Number - b.Number })
		for i, l := range lessons {
			if l.Number != i {
				return nil, fmt.Errorf("%s: there is no lesson %d in %s", dir, i, lang)
			}
			if i > 1 {
				l.Before, lessons[i-1].After = lessons[i-1], l
			}
		}
		count := len(lessons) - 1
		for _, l := range append(lessons, others...) {
			var body, page bytes.Buffer
			err := goldmark.New(goldmark.WithRendererOptions(rendered.WithUnsafe(), // sup
				renderer.WithNodeRenderers(util.Prioritized(lessonMarkup{l, up}, 100)))).Renderer().Render(&body, l.source, l.doc)
			if err == nil {
				err = lessonPage.Execute(&page, map[string]any{"Lang": lang, "Up": up, "Home": home, "Words": words,
					"Title": l.pageTitle(words), "Number": l.Number, "Count": count, "Before": l.Before, "After": l.After,
					"Body": template.HTML(body.String())})
			}
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", l.File, lang, err)
			}
			pages[filepath.Join(folder, l.File+".html")] = page.Bytes()
		}
	}
	return pages, nil
}

var lessonParser = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(
	parser.WithHeadingAttribute(), // {#id} of the terms of the glossary
	parser.WithInlineParsers(util.Prioritized(formulaParser{}, 500)))).Parser()

// readLesson reads and parses the Markdown of a lesson. The number of the lesson is the beginning of the file name.
func readLesson(file, lang string) (*lesson, error) {
	l, err := readMarkdown(file, lang)
	if err != nil {
		return nil, err
	}
	if l.File != "index" && l.File != glossary {
		n, _, _ := strings.Cut(l.File, "-")
		if l.Number, err = strconv.Atoi(n); err != nil {
			return nil, fmt.Errorf("%s: its name does not begin with the number of the lesson", file)
		}
	}
	return l, nil
}

// readMarkdown parses a file that begins with its title.
func readMarkdown(file, lang string) (*lesson, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l := &lesson{File: strings.TrimSuffix(filepath.Base(file), ".md"), source: source, lang: lang}
	l.doc = lessonParser.Parse(text.NewReader(source))
	title, ok := l.doc.FirstChild().(*ast.Heading)
	if !ok || title.Level != 1 {
		return nil, fmt.Errorf("%s: its first line is not a title, # and a text", file)
	}
	l.Title = plainText(title, source)
	return l, nil
}

// formula is the node of $...$: text whose single capital letters are set as variables.
type formula struct {
	ast.BaseInline
	text string
}

var kindFormula = ast.NewNodeKind("Formula")

func (*formula) Kind() ast.NodeKind              { return kindFormula }
func (f *formula) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

type formulaParser struct{}

func (formulaParser) Trigger() []byte { return []byte{'$'} }

func (formulaParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	end := bytes.IndexByte(line[1:], '$')
	if end < 1 {
		return nil
	}
	block.Advance(end + 2)
	return &formula{text: string(line[1 : end+1])}
}

// lessonMarkup renders the nodes in which lessons differ from other Markdown.
type lessonMarkup struct {
	*lesson
	up string // path to the root of the site
}

func (m lessonMarkup) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	for kind, f := range map[ast.NodeKind]renderer.NodeRendererFunc{
		ast.KindHeading: m.heading, ast.KindParagraph: m.paragraph, ast.KindLink: m.link, ast.KindImage: m.image,
		ast.KindEmphasis: m.emphasis, ast.KindList: m.list, ast.KindListItem: m.item, kindFormula: m.formula, extast.KindTable: m.table,
		extast.KindTableHeader: m.row, extast.KindTableRow: m.row, extast.KindTableCell: m.cell} {
		r.Register(kind, f)
	}
}

// tags writes the beginning or the end of a node.
func tags(w util.BufWriter, entering bool, begin, end string) (ast.WalkStatus, error) {
	if entering {
		w.WriteString(begin)
	} else {
		w.WriteString(end)
	}
	return ast.WalkContinue, nil
}

func (m lessonMarkup) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	level, id := n.(*ast.Heading).Level, ""
	if x, ok := n.AttributeString("id"); ok {
		id = fmt.Sprintf(` id="%s"`, x)
	}
	return tags(w, entering, fmt.Sprintf("<h%d%s>", level, id), fmt.Sprintf("</h%d>\n", level))
}

func (m lessonMarkup) emphasis(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if n.(*ast.Emphasis).Level == 1 {
		return tags(w, entering, "<i>", "</i>")
	}
	return tags(w, entering, "<b>", "</b>")
}

func (m lessonMarkup) formula(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		marked := variable.ReplaceAllString(html.EscapeString(n.(*formula).text), "<i>$0</i>")
		fmt.Fprintf(w, `<span class="math">%s</span>`, marked)
	}
	return ast.WalkContinue, nil
}

var variable = regexp.MustCompile(`\b[A-Z]\b`)

// paragraph marks the first paragraph, the figure, and a paragraph that consists of a link to an experiment, which
// becomes a button.
func (m lessonMarkup) paragraph(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link, _ := n.FirstChild().(*ast.Link)
	if n.Parent().Kind() == ast.KindListItem { // in the list of lessons: a title and a summary
		if n.PreviousSibling() == nil {
			return ast.WalkContinue, nil
		}
		return tags(w, entering, "<p>", "</p>")
	}
	switch _, isFigure := n.FirstChild().(*ast.Image); {
	case n.ChildCount() == 1 && link != nil && bytes.HasPrefix(link.Destination, []byte("guess:")):
		if entering {
			form, err := m.guess(link)
			if err != nil {
				return ast.WalkStop, err
			}
			w.WriteString(form)
		}
		return ast.WalkSkipChildren, nil
	case isFigure:
		return tags(w, entering, "<figure class=\"live-figure\">\n", "</figcaption>\n<p class=\"live\">"+m.button(n.LastChild())+
			"</p>\n</figure>\n")
	case n.ChildCount() == 1 && link != nil && isExperimentLink(link):
		return tags(w, entering, `<p class="live">`, "</p>\n")
	case n.PreviousSibling() != nil && n.PreviousSibling() == m.doc.FirstChild():
		return tags(w, entering, `<p class="first">`, "</p>\n")
	}
	return tags(w, entering, "<p>", "</p>\n")
}

// image renders the still picture of the live figure.
func (m lessonMarkup) image(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprintf(w, `<div><img src="%s" alt="%s"></div>`+"\n<figcaption>", n.(*ast.Image).Destination,
			html.EscapeString(plainText(n, source)))
		for c := n.NextSibling(); c != nil; c = c.NextSibling() { // the figure has its own line breaks
			if t, ok := c.(*ast.Text); ok {
				t.SetSoftLineBreak(false)
			}
		}
	}
	return ast.WalkSkipChildren, nil
}

// isExperimentLink reports whether a link leads to an experiment.
func isExperimentLink(n *ast.Link) bool { return bytes.HasPrefix(n.Destination, []byte("#")) }

// link renders a link to an experiment, a number, or another link.
func (m lessonMarkup) link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Link)
	if number, ok := strings.CutPrefix(string(n.Destination), "number:"); ok {
		if _, cell := n.Parent().(*extast.TableCell); cell && n.Parent().ChildCount() == 1 {
			return ast.WalkContinue, nil // the method cell sets the attributes of the whole cell
		}
		return tags(w, entering, "<span"+numberAttributes(number, string(n.Title))+">", "</span>")
	}
	if !isExperimentLink(n) {
		to := docsPath.ReplaceAllString(string(n.Destination), "$1.html$2")
		lang := ""
		if m.lang != "en" && strings.HasPrefix(to, m.up) {
			lang = ` hreflang="en"`
		}
		return tags(w, entering, fmt.Sprintf(`<a href="%s"%s>`, html.EscapeString(to), lang), "</a>")
	}
	if p, ok := n.Parent().(*ast.Paragraph); ok && (p.ChildCount() == 1 || p.FirstChild().Kind() == ast.KindImage) {
		if entering && p.ChildCount() == 1 {
			w.WriteString(m.button(n))
		}
		return ast.WalkSkipChildren, nil
	}
	return tags(w, entering, "<a"+m.address(n)+">", "</a>")
}

// address returns the name and the address of a link to an experiment.
func (m lessonMarkup) address(n *ast.Link) (attributes string) {
	if len(n.Title) > 0 {
		attributes = fmt.Sprintf(` id="%s"`, n.Title)
	}
	to := fmt.Sprintf("%sindex.html%s", m.up, n.Destination)
	if m.Number > 0 {
		to += fmt.Sprintf("&view.lesson=%d", m.Number)
	}
	if m.lang != "en" {
		to += "&view.lang=" + m.lang
	}
	return attributes + fmt.Sprintf(` href="%s"`, html.EscapeString(to))
}

func (m lessonMarkup) button(n ast.Node) string {
	link, ok := n.(*ast.Link)
	if !ok {
		return ""
	}
	return `<a class="button"` + m.address(link) + ">" + html.EscapeString(plainText(link, m.source)) + "</a>"
}

// numberAttributes returns the attributes with the source of a number: the link of an experiment, and the title, which
// is the name of a number in its result, followed by " = " and the decimals if the text has the number in words.
func numberAttributes(link, title string) string {
	number, words, ok := strings.Cut(title, " = ")
	if ok {
		words = fmt.Sprintf(` data-says="%s"`, html.EscapeString(words))
	}
	return fmt.Sprintf(` data-link="%s" data-quote="%s"%s`, html.EscapeString(link), html.EscapeString(number), words)
}

// guess renders a question whose answer is a number of an experiment, with a slider for the reader's guess
// (site/guess.js).
func (m lessonMarkup) guess(link *ast.Link) (string, error) {
	text, id, _ := strings.Cut(strings.TrimPrefix(string(link.Destination), "guess:"), "#")
	low, high, _ := strings.Cut(text, "..")
	title, says, _ := strings.Cut(string(link.Title), " = ")
	number := strings.NewReplacer(",", "", "\u202f", "").Replace(says)
	if m.lang == "de" {
		number = strings.NewReplacer(",", ".", "\u202f", "").Replace(says)
	}
	for _, x := range []string{low, high, number} {
		if _, err := strconv.ParseFloat(x, 64); err != nil {
			return "", fmt.Errorf("%s: a question must be like [How many?](guess:1..100#id \"ais ess = 29\"); %q is not a number",
				m.File, x)
		}
	}
	words := lessonLanguages[m.lang]
	question := html.EscapeString(plainText(link, m.source))
	return fmt.Sprintf(`<form class="guess" data-low="%s" data-high="%s" data-number="%s" data-yours="%s" data-ours="%s">`+
		`<label>%s<input type="range" min="0" max="1000" value="500"></label><output></output>`+
		`<button type="submit">%s</button><p hidden><span%s>%s</span></p></form>`+"\n",
		low, high, number, words.Yours, words.Ours, question, words.Guess, numberAttributes("#"+id, title), html.EscapeString(says)), nil
}

func (m lessonMarkup) list(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	switch {
	case !n.(*ast.List).IsOrdered():
		return tags(w, entering, "<ul class=\"notes\">\n", "</ul>\n")
	case m.File == "index":
		return tags(w, entering, "<ol class=\"lessons\">\n", "</ol>\n")
	}
	return tags(w, entering, "<ol>\n", "</ol>\n")
}

func (m lessonMarkup) item(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	return tags(w, entering, "<li>", "</li>\n")
}

func (m lessonMarkup) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	return tags(w, entering, "<table>", "</tbody></table>\n")
}

func (m lessonMarkup) row(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if n.Kind() == extast.KindTableHeader {
		return tags(w, entering, "<thead><tr>", "</tr></thead><tbody>")
	}
	return tags(w, entering, "\n<tr>", "</tr>")
}

// cell renders the first cell of a row as its heading. Cells with words get the class says, which allows line breaks.
func (m lessonMarkup) cell(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	switch {
	case n.Parent().Kind() == extast.KindTableHeader:
		return tags(w, entering, `<th scope="col">`, "</th>")
	case n.PreviousSibling() == nil:
		return tags(w, entering, `<th scope="row">`, "</th>")
	}
	attributes, hasNumbers := "", false
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if link, ok := c.(*ast.Link); ok {
			if number, ok := strings.CutPrefix(string(link.Destination), "number:"); ok {
				if hasNumbers = true; n.ChildCount() == 1 {
					attributes = numberAttributes(number, string(link.Title))
				}
			}
		}
	}
	if !hasNumbers && strings.ContainsFunc(plainText(n, source), unicode.IsLetter) {
		attributes = ` class="says"`
	}
	return tags(w, entering, "<td"+attributes+">", "</td>")
}
