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

// joined are the scripts and styles in dist, and whether wasm_exec.js is put before them. Their imports are joined into
// them, because a browser verifies only files that a tag names.
var joined = map[string]bool{"main.js": false, "stage.js": true, "worker.js": true, "sw.js": false, "style.css": false,
	"docs/docs.css": false, "lessons/figure.js": false}

// scripts replaces the scripts and styles of a site by the joined ones, and returns boot.js, which is put into
// index.html.
func scripts(site string, files map[string][]byte) (boot []byte, err error) {
	var exec []byte
	if at, err := goWasm("wasm_exec.js"); err != nil {
		return nil, err
	} else if exec, err = os.ReadFile(at); err != nil {
		return nil, err
	}

	// Joined scripts replace their sources.
	for name := range maps.Clone(files) {
		if kind := path.Ext(name); kind != ".js" && kind != ".css" {
			continue
		}
		delete(files, name)
		after, ship := joined[name]
		if !ship && name != "boot.js" {
			continue
		}
		built := api.Build(api.BuildOptions{EntryPoints: []string{filepath.Join(site, name)}, Bundle: true,
			Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8, MinifyWhitespace: true})
		if len(built.Errors) > 0 {
			return nil, fmt.Errorf("%s: %s", name, built.Errors[0].Text)
		}
		switch text := built.OutputFiles[0].Contents; {
		case !ship:
			boot = bytes.TrimSpace(text)
		case after:
			files[name] = slices.Concat(exec, text)
		default:
			files[name] = text
		}
	}
	return boot, nil
}

// fetched are the files that scripts of the page fetch and verify, some of them only if their tags fail.
var fetched = []string{"alone.html", "external.wasm.gz", "hero.bin", "canvas.wasm.gz", "logz.wasm.gz", "main.js",
	"stage.html", "stage.js", "compiler.wasm.gz", "style.css", "worker.js"}

// languageFiles returns the names of the files that hold the translations of a site.
func languageFiles(files map[string][]byte) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool {
		return path.Dir(name) != path.Dir(words.File(""))
	})
}

// loads matches a tag that loads a script or style of the site.
var loads = regexp.MustCompile(`<(?:script|link rel="stylesheet")[^>]* (?:src|href)="([^":]+)"`)

// seal writes content hashes into pages and the service worker: the hashes of scripts and styles into their tags, of
// fetched files into index.html, and of all files that may be cached into sw.js. programs are not packed; for such a
// file both hashes are valid.
func seal(files, programs map[string][]byte, boot []byte, languages []*translations.Translation) error {
	hashes := func(name string) string {
		if unpacked, ok := programs[name]; ok {
			return integrity(files[name]) + " " + integrity(unpacked)
		}
		return integrity(files[name])
	}

	// Tags of all pages.
	var problem error
	tags := func(at string) {
		files[at] = loads.ReplaceAllFunc(files[at], func(tag []byte) []byte {
			name := path.Join(path.Dir(at), string(loads.FindSubmatch(tag)[1]))
			if files[name] == nil {
				problem = errors.Join(problem, fmt.Errorf("%s loads %s, which the site does not have", at, name))
			}
			return slices.Concat(tag, []byte(` integrity="`+hashes(name)+`"`))
		})
	}
	for name := range files {
		if path.Ext(name) == ".html" {
			tags(name)
		}
	}

	// The main page, also as a single file.
	if placeholder.Match(files["index.html"]) { // pages of tests have no places to fill in
		head, err := pageHead(boot, languages)
		if err != nil {
			return err
		}
		if err := standalone(files, hashes, head); err != nil {
			return err
		}
		sums := map[string]string{}
		for _, name := range slices.Concat(fetched, languageFiles(files)) {
			sums[name] = hashes(name)
		}
		if files["index.html"], err = fillIndex(files["index.html"], sums, head,
			html.HTML(words.New("en").T("page.boot"))); err != nil {
			return err
		}
	}

	// The service worker comes last, when no other file will change.
	if files["sw.js"] != nil {
		problem = errors.Join(problem, stamp(files, hashes))
	}
	return problem
}

// integrity returns a content hash in the form of the integrity attribute.
func integrity(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// stamp writes the version and the hashes of the files into the service worker. Models other than the first page's, the
// compiler, the reader of samples and their examples, and pictures of lessons and handouts are cached when they are first used.
// Pictures for previews of links are not cached.
func stamp(files map[string][]byte, hashes func(name string) string) error {
	need := bundled()[""]
	kept, later := map[string]string{"./": hashes("index.html")}, map[string]string{}
	for name := range files {
		switch model, ok := strings.CutPrefix(name, "models/"); {
		case name == "sw.js" || name == "LICENSE.txt" || strings.HasPrefix(name, "previews/"):
		case ok && !slices.Contains(need, model) || name == "compiler.wasm.gz" || name == "external.wasm.gz" ||
			strings.HasPrefix(name, "programs/") || strings.HasPrefix(name, "samples/") ||
			strings.HasPrefix(name, "lessons/") && path.Ext(name) == ".png" || path.Ext(name) == ".webp":
			later[name] = hashes(name)
		default:
			kept[name] = hashes(name)
		}
	}
	script := files["sw.js"]
	put := func(place, with string, list map[string]string) error {
		text, err := json.Marshal(list)
		if !bytes.Contains(script, []byte(place)) {
			err = fmt.Errorf("sw.js has no %q", place)
		}
		script = bytes.Replace(script, []byte(place), fmt.Appendf(nil, with, text), 1)
		return err
	}
	err := errors.Join(put("FILES={}", "FILES=%s", kept), put("LATER={}", "LATER=%s", later))
	sum := sha256.Sum256(script)
	files["sw.js"] = bytes.Replace(script, []byte(`"dev"`), []byte(`"`+hex.EncodeToString(sum[:6])+`"`), 1)
	return err
}
