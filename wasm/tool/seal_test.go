package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"logzlab/core/words"
)

// TestSeal makes the real site with a small program: every script and style is verified by a hash in its tag, the
// policy names the only inline script, and the page and the service worker have the hash of every file that they fetch.
func TestSeal(t *testing.T) {
	out := t.TempDir()
	program := filepath.Join(out, "logz.wasm")
	os.WriteFile(program, []byte("program"), 0o666)
	lab := filepath.Join(out, "canvas.wasm")
	os.WriteFile(lab, []byte("picture"), 0o666)
	t.Chdir("../..")
	out = filepath.Join(out, "dist")
	if err := cmdDist([]string{"-out", out, "site", program, lab}); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	walkFiles(out, func(at, name string) (err error) { files[name], err = os.ReadFile(at); return err })
	tag := regexp.MustCompile(`<(?:script|link)[^>]*(?:src|href)="([^":]+\.(?:js|css))"[^>]*>`)
	for name, data := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range tag.FindAllSubmatch(data, -1) {
			if bytes.Contains(m[0], []byte(`rel="preload"`)) {
				continue // who fetches it verifies it
			}
			to := path.Join(path.Dir(name), string(m[1]))
			if !bytes.Contains(m[0], []byte(`integrity="`+integrity(files[to])+`"`)) {
				t.Errorf("%s: %s is not verified", name, m[0])
			}
		}
	}
	index := string(files["index.html"])
	_, boot, _ := strings.Cut(index, "<script>")
	boot, _, _ = strings.Cut(boot, "</script>")
	if !strings.Contains(index, "'"+integrity([]byte(boot))+"'") || len(boot) < 500 {
		t.Errorf("the policy does not allow the inline script of %d bytes", len(boot))
	}
	var need map[string][]string
	_, list, _ := strings.Cut(index, `id="models">`)
	if err := json.NewDecoder(strings.NewReader(list)).Decode(&need); err != nil || len(need[""]) == 0 {
		t.Errorf("the page does not know the files of its first model: %v, %v", need, err)
	}
	for model, names := range need {
		for _, name := range names {
			if files["models/"+name] == nil {
				t.Errorf("the page would ask for models/%s of %q, which is not there", name, model)
			}
		}
	}
	known := map[string]bool{} // to the service worker
	for _, list := range []struct{ in, before string }{{index, `id="files">`}, {string(files["sw.js"]), "FILES="},
		{string(files["sw.js"]), "LATER="}} {
		_, text, _ := strings.Cut(list.in, list.before)
		var sums map[string]string
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&sums); err != nil || len(sums) < 5 {
			t.Fatalf("%s: %v, %v", list.before, sums, err)
		}
		for name, sum := range sums {
			want := integrity(files[strings.Replace(name, "./", "index.html", 1)])
			switch name {
			case "logz.wasm.gz":
				want += " " + integrity([]byte("program"))
			case "canvas.wasm.gz":
				want += " " + integrity([]byte("picture"))
			case words.File("de"):
				z, err := gzip.NewReader(bytes.NewReader(files[name]))
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(z)
				want += " " + integrity(text)
			}
			if sum != want {
				t.Errorf("%s%s: %s, want %s", list.before, name, sum, want)
			}
			known[name] = known[name] || list.before != `id="files">`
		}
	}
	if !known[words.File("de")] {
		t.Error("German cannot be had")
	}
	for name := range files {
		apart := name == "sw.js" || name == "LICENSE.txt" || strings.HasPrefix(name, "previews/")
		if known[name] == apart {
			t.Errorf("the service worker knows %s: %v", name, known[name])
		}
	}
}
