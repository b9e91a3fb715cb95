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

// omittedTags matches the parts of index.html that a page from a disk lacks: links to files, and the page for browsers
// without scripts. alone lists what such a page reads from itself: site/alone.js adds the programs, and the words of
// the language.
var (
	omittedTags = regexp.MustCompile(`(?s)<link rel="(?:preload|manifest|icon)"[^>]*>\n|<noscript>.*?</noscript>\n`)
	alone       = []string{"external.wasm.gz", "canvas.wasm.gz", "logz.wasm.gz", "stage.html", "worker.js"}
)

// standalone makes alone.html: index.html with its script and style inside, and, packed, the script of lane workers and the
// document of the picture. The policies of both allow the inlined parts by their hashes. The picture is a srcdoc,
// because a page from a disk may not load another one, so the policy of the page also applies to it.
func standalone(files map[string][]byte, hashes func(string) string, head map[string]html.HTML) error {
	stage, err := inlined(files["stage.html"], files)
	if err != nil {
		return err
	}
	sums := map[string]string{}
	for _, name := range slices.Concat(alone, languageFiles(files)) {
		sums[name] = hashes(name)
	}
	sums["stage.html"] = integrity(stage)

	// The page, with its script and style inside.
	index := bytes.Replace(omittedTags.ReplaceAll(files["index.html"], nil), []byte("<html"), []byte("<html data-alone"), 1)
	head = maps.Clone(head)
	head["hero"], head["heroes"] = "", "" // this file always opens an experiment
	out, err := fillIndex(index, sums, head, "")
	if err != nil {
		return err
	}
	if out, err = inlined(out, files); err != nil {
		return err
	}
	allow(&out, "script", hashes("stage.js"))

	// Files that the page opens later.
	var packed bytes.Buffer
	for _, f := range []struct {
		name string
		data []byte
	}{{"stage.html", stage}, {"worker.js", files["worker.js"]}} {
		fmt.Fprintf(&packed, "<script type=\"text/plain\" id=\"file %s\">%s</script>\n", f.name,
			base64.StdEncoding.EncodeToString(f.data))
	}
	end := bytes.LastIndex(out, []byte("</body>"))
	files["alone.html"] = slices.Concat(out[:end], packed.Bytes(), out[end:])
	return nil
}

// sealed matches a tag that loads a script or style, with its hash.
var sealed = regexp.MustCompile(`<(script|link)[^>]* (?:src|href)="([^"]+)" integrity="([^"]+)">(?:</script>)?`)

// inlined returns a sealed page with its scripts and styles inside.
func inlined(html []byte, files map[string][]byte) ([]byte, error) {
	var problem error
	for _, m := range sealed.FindAllSubmatch(html, -1) {
		start, end, code := `<script type="module">`, "</script>", files[string(m[2])]
		directive := "script"
		if string(m[1]) == "link" {
			directive, start, end = "style", "<style>", "</style>"
		}
		if path.Ext(string(m[2])) == "" || bytes.Contains(code, []byte(end)) {
			problem = fmt.Errorf("%s cannot stand in a page: it holds %s", m[2], end)
		}
		html = bytes.Replace(html, m[0], slices.Concat([]byte(start), code, []byte(end)), 1)
		allow(&html, directive, string(m[3]))
	}
	return html, problem
}

// allow adds a hash to the policy of a page.
func allow(html *[]byte, directive, hash string) {
	*html = bytes.Replace(*html, []byte(directive+"-src"), []byte(directive+"-src '"+hash+"'"), 1)
}

// pageHead returns the parts that are always inside the page: its first script, and the few words that it needs before
// the program is loaded, in every language.
func pageHead(boot []byte, languages []*translations.Translation) (map[string]html.HTML, error) {
	pageWords := map[string]map[string]string{"en": words.New("en").WithPrefix("page.")}
	var heroes html.HTML
	for _, c := range languages {
		w, err := words.Read(c.Lang, c.Data)
		if err != nil {
			return nil, err
		}
		pageWords[c.Lang] = w.WithPrefix("page.")
		heroes += html.El("template", html.At("id", "hero-"+c.Lang), view.Hero(w)) + "\n"
	}
	text, err := json.Marshal(pageWords)
	return map[string]html.HTML{"boot-script": html.HTML(boot), "boot-hash": html.HTML(integrity(boot)),
		"words": html.HTML(text), "hero": view.Hero(words.New("en")), "heroes": heroes}, err
}

// fillIndex fills in the places of index.html: the head, the hashes of all fetched files, and the text that is shown
// until the scripts run.
func fillIndex(index []byte, sums map[string]string, head map[string]html.HTML, message html.HTML) ([]byte, error) {
	list, err := json.Marshal(sums)
	if err != nil {
		return nil, err
	}
	values := maps.Clone(head)
	values["files"], values["boot"] = html.HTML(list), message
	return fill(index, values)
}
