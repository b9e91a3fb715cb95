package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"logzlab/core/words"
	"logzlab/render/html"
	"logzlab/wasm/tool/translations"
)

// joinedFiles has the scripts and styles in dist; the value says whether wasm_exec.js is put before the script.
// Imported files are bundled into them, because a browser verifies the hash only of files that a tag names.
var joinedFiles = map[string]bool{"main.js": false, "stage.js": true, "worker.js": true, "sw.js": false, "style.css": false,
	"docs/docs.css": false, "lessons/figure.js": false}

// scripts replaces the scripts and styles in files by the bundled ones (joinedFiles), and returns boot.js, which is put
// into index.html.
func scripts(site string, files map[string][]byte) (boot []byte, err error) {
	var exec []byte
	if at, err := goWasm("wasm_exec.js"); err != nil {
		return nil, err
	} else if exec, err = os.ReadFile(at); err != nil {
		return nil, err
	}

	// Bundled scripts replace their sources.
	for name := range maps.Clone(files) {
		if kind := path.Ext(name); kind != ".js" && kind != ".css" {
			continue
		}
		delete(files, name)
		needsExec, isJoined := joinedFiles[name]
		if !isJoined && name != "boot.js" {
			continue
		}
		built := api.Build(api.BuildOptions{EntryPoints: []string{filepath.Join(site, name)}, Bundle: true,
			Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8, MinifyWhitespace: true})
		if len(built.Errors) > 0 {
			return nil, fmt.Errorf("%s: %s", name, built.Errors[0].Text)
		}
		switch text := built.OutputFiles[0].Contents; {
		case !isJoined:
			boot = bytes.TrimSpace(text)
		case needsExec:
			files[name] = slices.Concat(exec, text)
		default:
			files[name] = text
		}
	}
	return boot, nil
}

// fetchedFiles are the files that scripts of the page fetch and verify; some are fetched only if their tags fail to
// load.
var fetchedFiles = []string{"alone.html", "external.wasm.gz", "hero.bin", "canvas.wasm.gz", "logz.wasm.gz", "main.js",
	"stage.html", "stage.js", "compiler.wasm.gz", "style.css", "worker.js"}

// languageFiles returns the names of the files that hold the translations of a site.
func languageFiles(files map[string][]byte) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool {
		return path.Dir(name) != path.Dir(words.File(""))
	})
}

// loadingTag matches a tag that loads a script or style of the site.
var loadingTag = regexp.MustCompile(`<(?:script|link rel="stylesheet")[^>]* (?:src|href)="([^":]+)"`)

// seal writes SHA-256 hashes into pages and the service worker: those of scripts and styles into the tags that load
// them, those of fetchedFiles into index.html, and those of all files that may be cached into sw.js. programs has the
// uncompressed contents of compressed files; for these both hashes, compressed and uncompressed, are valid.
func seal(files, programs map[string][]byte, boot []byte, languages []*translations.Translation) error {
	hashes := func(name string) string {
		if unpacked, ok := programs[name]; ok {
			return integrity(files[name]) + " " + integrity(unpacked)
		}
		return integrity(files[name])
	}

	// The tags of all pages.
	var problem error
	addHashes := func(page string) {
		files[page] = loadingTag.ReplaceAllFunc(files[page], func(tag []byte) []byte {
			name := path.Join(path.Dir(page), string(loadingTag.FindSubmatch(tag)[1]))
			if files[name] == nil {
				problem = errors.Join(problem, fmt.Errorf("%s loads %s, which the site does not have", page, name))
			}
			return slices.Concat(tag, []byte(` integrity="`+hashes(name)+`"`))
		})
	}
	for name := range files {
		if path.Ext(name) == ".html" {
			addHashes(name)
		}
	}

	// The main page, also as a single file.
	if placeholder.Match(files["index.html"]) { // pages of tests have no placeholders
		head, err := pageHead(boot, languages)
		if err != nil {
			return err
		}
		if err := standalone(files, hashes, head); err != nil {
			return err
		}
		hashesByName := map[string]string{}
		for _, name := range slices.Concat(fetchedFiles, languageFiles(files)) {
			hashesByName[name] = hashes(name)
		}
		if files["index.html"], err = fillIndex(files["index.html"], hashesByName, head,
			html.HTML(words.New("en").T("page.boot"))); err != nil {
			return err
		}
	}

	// The service worker comes last, because it has the hashes of all other files.
	if files["sw.js"] != nil {
		problem = errors.Join(problem, stampServiceWorker(files, hashes))
	}
	return problem
}

// integrity returns a content hash in the form of the integrity attribute.
func integrity(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// stampServiceWorker writes the hashes of the files, and a version that depends on them, into sw.js. Most files are
// cached at once. Models that the first page does not use, the compiler, the reader of samples, example files, and
// pictures of lessons and handouts are cached when they are first used. Pictures for previews of links are not cached.
func stampServiceWorker(files map[string][]byte, hashes func(name string) string) error {
	firstModelFiles := bundledFiles()[""]
	cachedAtOnce, cachedLater := map[string]string{"./": hashes("index.html")}, map[string]string{}
	for name := range files {
		switch model, ok := strings.CutPrefix(name, "models/"); {
		case name == "sw.js" || name == "LICENSE.txt" || strings.HasPrefix(name, "previews/"):
		case ok && !slices.Contains(firstModelFiles, model) || name == "compiler.wasm.gz" || name == "external.wasm.gz" ||
			strings.HasPrefix(name, "programs/") || strings.HasPrefix(name, "samples/") ||
			strings.HasPrefix(name, "lessons/") && path.Ext(name) == ".png" || path.Ext(name) == ".webp":
			cachedLater[name] = hashes(name)
		default:
			cachedAtOnce[name] = hashes(name)
		}
	}
	script := files["sw.js"]
	insertList := func(place, with string, list map[string]string) error {
		text, err := json.Marshal(list)
		if !bytes.Contains(script, []byte(place)) {
			err = fmt.Errorf("sw.js has no %q", place)
		}
		script = bytes.Replace(script, []byte(place), fmt.Appendf(nil, with, text), 1)
		return err
	}
	err := errors.Join(insertList("FILES={}", "FILES=%s", cachedAtOnce), insertList("LATER={}", "LATER=%s", cachedLater))
	sum := sha256.Sum256(script)
	files["sw.js"] = bytes.Replace(script, []byte(`"dev"`), []byte(`"`+hex.EncodeToString(sum[:6])+`"`), 1)
	return err
}
