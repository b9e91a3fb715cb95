package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/wasm/page"
)

// hole is a place in index.html that Go fills in.
var hole = regexp.MustCompile(`\{\{([a-z-]+)\}\}`)

// fill puts the page that Go makes before any computation into index.html, so that
// it stands there at once, and every word has one home.
func fill(index []byte) ([]byte, error) {
	if !hole.Match(index) {
		return index, nil // a page without places, as in tests
	}
	parts := page.Shell("en")
	languages := map[string]map[string]string{}
	for _, lang := range []string{"en", "de"} {
		languages[lang] = page.PageWords(lang)
	}
	words, err := json.Marshal(languages)
	if err != nil {
		return nil, err
	}
	parts["words"], parts["boot"] = page.HTML(words), page.HTML(languages["en"]["boot"])
	out := hole.ReplaceAllFunc(index, func(m []byte) []byte {
		name := string(m[2 : len(m)-2])
		part, ok := parts[name]
		if !ok {
			err = fmt.Errorf("index.html asks for {{%s}}, which page.Shell does not make", name)
		}
		delete(parts, name)
		return []byte(part)
	})
	for name := range parts {
		err = fmt.Errorf("index.html has no place {{%s}}", name)
	}
	return out, err
}

// stamp writes the version and the list of files into the service worker. The
// models but the first page's are left out: they are kept once somebody has used them.
func stamp(out string, keep map[string]bool) error {
	var files []string
	for name := range keep {
		if name != "sw.js" && name != "LICENSE.txt" {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	sum := sha256.New()
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
	}
	at := filepath.Join(out, "sw.js")
	script, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	first, _ := spec.ParseLink(page.DefaultLink, catalog.Names{})
	need := models.Files(first.Model)
	files = slices.DeleteFunc(files, func(name string) bool {
		model, ok := strings.CutPrefix(name, "models/")
		return ok && !slices.Contains(need, model)
	})
	list, err := json.Marshal(append([]string{"./"}, files...))
	if err != nil {
		return err
	}
	script = bytes.Replace(script, []byte("'dev'"), []byte("'"+hex.EncodeToString(sum.Sum(nil)[:6])+"'"), 1)
	script = bytes.Replace(script, []byte("FILES = []"), append([]byte("FILES = "), list...), 1)
	return replace(at, script)
}
