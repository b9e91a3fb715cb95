package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"

	"logzlab/core/words"
	"logzlab/render/html"
	"logzlab/wasm/page/view"
	"logzlab/wasm/tool/translations"
)

// omittedTags matches the parts of index.html that alone.html lacks: links to files, and the text for browsers without
// scripts. standaloneFiles are the files that alone.html reads from itself: site/alone.js adds the programs and the
// translations to it when a user downloads it.
var (
	omittedTags     = regexp.MustCompile(`(?s)<link rel="(?:preload|manifest|icon)"[^>]*>\n|<noscript>.*?</noscript>\n`)
	standaloneFiles = []string{"external.wasm.gz", "canvas.wasm.gz", "logz.wasm.gz", "stage.html", "worker.js"}
)

// standalone adds alone.html to files: a version of index.html that works when it is opened from a disk. Its script and
// style are inline; the script of the workers and the document of the picture (stage.html) are embedded in base64. The
// content security policies of both documents allow the inline parts by their hashes. The picture is shown by srcdoc,
// because a page opened from a disk must not load another page; therefore the policy of the page also applies to it.
func standalone(files map[string][]byte, hashes func(string) string, head map[string]html.HTML) error {
	stage, err := inlineFiles(files["stage.html"], files)
	if err != nil {
		return err
	}
	hashesByName := map[string]string{}
	for _, name := range slices.Concat(standaloneFiles, languageFiles(files)) {
		hashesByName[name] = hashes(name)
	}
	hashesByName["stage.html"] = integrity(stage)

	// The page with inline script and style.
	index := bytes.Replace(omittedTags.ReplaceAll(files["index.html"], nil), []byte("<html"), []byte("<html data-alone"), 1)
	head = maps.Clone(head)
	head["hero"], head["heroes"] = "", "" // this file always opens an experiment
	out, err := fillIndex(index, hashesByName, head, "")
	if err != nil {
		return err
	}
	if out, err = inlineFiles(out, files); err != nil {
		return err
	}
	allowHash(&out, "script", hashes("stage.js"))

	// Embed the files that the page opens later.
	var embedded bytes.Buffer
	for _, f := range []struct {
		name string
		data []byte
	}{{"stage.html", stage}, {"worker.js", files["worker.js"]}} {
		fmt.Fprintf(&embedded, "<script type=\"text/plain\" id=\"file %s\">%s</script>\n", f.name,
			base64.StdEncoding.EncodeToString(f.data))
	}
	end := bytes.LastIndex(out, []byte("</body>"))
	files["alone.html"] = slices.Concat(out[:end], embedded.Bytes(), out[end:])
	return nil
}

// hashedTag matches a tag that loads a script or style, with the hash of the file.
var hashedTag = regexp.MustCompile(`<(script|link)[^>]* (?:src|href)="([^"]+)" integrity="([^"]+)">(?:</script>)?`)

// inlineFiles returns a page in which the tags that load scripts and styles are replaced by the contents of these
// files, and the hashes are added to its policy. It returns an error if a file contains the end tag of its element.
func inlineFiles(html []byte, files map[string][]byte) ([]byte, error) {
	var problem error
	for _, m := range hashedTag.FindAllSubmatch(html, -1) {
		start, end, code := `<script type="module">`, "</script>", files[string(m[2])]
		directive := "script"
		if string(m[1]) == "link" {
			directive, start, end = "style", "<style>", "</style>"
		}
		if path.Ext(string(m[2])) == "" || bytes.Contains(code, []byte(end)) {
			problem = fmt.Errorf("%s cannot stand in a page: it holds %s", m[2], end)
		}
		html = bytes.Replace(html, m[0], slices.Concat([]byte(start), code, []byte(end)), 1)
		allowHash(&html, directive, string(m[3]))
	}
	return html, problem
}

// allowHash adds a hash to a directive (script or style) of the content security policy of a page.
func allowHash(html *[]byte, directive, hash string) {
	*html = bytes.Replace(*html, []byte(directive+"-src"), []byte(directive+"-src '"+hash+"'"), 1)
}

// pageHead returns the values of those placeholders of index.html that do not depend on other files: the first script
// with its hash, and the texts that the page needs before the program is loaded, in every language.
func pageHead(boot []byte, languages []*translations.Translation) (map[string]html.HTML, error) {
	pageWords := map[string]map[string]string{"en": words.New("en").WithPrefix("page.")}
	var heroTemplates html.HTML
	for _, c := range languages {
		w, err := words.Read(c.Lang, c.Data)
		if err != nil {
			return nil, err
		}
		pageWords[c.Lang] = w.WithPrefix("page.")
		heroTemplates += html.El("template", html.At("id", "hero-"+c.Lang), view.Hero(w)) + "\n"
	}
	text, err := json.Marshal(pageWords)
	return map[string]html.HTML{"boot-script": html.HTML(boot), "boot-hash": html.HTML(integrity(boot)),
		"words": html.HTML(text), "hero": view.Hero(words.New("en")), "heroes": heroTemplates}, err
}

// fillIndex replaces the placeholders of index.html: by the parts in head, by sums, the hashes of all fetched files by
// name, and by message, the text that is shown until the scripts run.
func fillIndex(index []byte, sums map[string]string, head map[string]html.HTML, message html.HTML) ([]byte, error) {
	list, err := json.Marshal(sums)
	if err != nil {
		return nil, err
	}
	values := maps.Clone(head)
	values["files"], values["boot"] = html.HTML(list), message
	return fillPlaceholders(index, values)
}
