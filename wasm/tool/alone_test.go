package main

import (
	"bytes"
	"encoding/base64"
	"os"
	"regexp"
	"strings"
	"testing"
)

// alone.html loads no file, its policy allows the inline style and scripts of the page and of the picture by their
// hashes, and its embedded files have the hashes that it checks.
func TestStandalone(t *testing.T) {
	index, err := os.ReadFile("../../site/index.html")
	if err != nil {
		t.Fatal(err)
	}
	page := `<meta http-equiv="Content-Security-Policy" content="script-src 'self'; style-src 'self'">
<link rel="preload" href="worker.js" as="fetch">
`
	files := map[string][]byte{"main.js": []byte("main$1"), "stage.js": []byte("stage"), "style.css": []byte("style"),
		"worker.js":  []byte("lane"),
		"stage.html": []byte(page + `<script type="module" src="stage.js" integrity="sha256-of-stage.js"></script>`),
		"index.html": []byte(page + `<link rel="stylesheet" href="style.css" integrity="sha256-of-style.css">
<script type="module" src="main.js" integrity="sha256-of-main.js"></script>` +
			strings.Join(placeholder.FindAllString(string(index), -1), " ") + "</body></html>")}
	hashes := func(name string) string { return "sha256-of-" + name }
	head, err := pageHead([]byte("boot"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := standalone(files, hashes, head); err != nil {
		t.Fatal(err)
	}
	html := string(files["alone.html"])
	for _, want := range []string{"<style>style</style>", `<script type="module">main$1</script>`,
		"script-src 'sha256-of-stage.js' 'sha256-of-main.js' 'self'", "style-src 'sha256-of-style.css' 'self'"} {
		if !strings.Contains(html, want) {
			t.Errorf("alone.html does not hold %s", want)
		}
	}
	if strings.Contains(html, "href=\"worker.js") || strings.Contains(html, " src=") {
		t.Error("alone.html loads files")
	}
	for _, name := range []string{"worker.js", "stage.html"} {
		m := regexp.MustCompile(`id="file ` + name + `">([^<]+)<`).FindStringSubmatch(html)
		if m == nil {
			t.Fatalf("alone.html does not hold %s", name)
		}
		data, err := base64.StdEncoding.DecodeString(m[1])
		want := integrity(data)
		if name == "worker.js" {
			want = hashes(name)
		} else if !bytes.Contains(data, []byte(`<script type="module">stage</script>`)) {
			t.Errorf("the picture's document has no script: %s", data)
		}
		if err != nil || !strings.Contains(html, want) {
			t.Errorf("%s: %v; alone.html does not know its hash", name, err)
		}
	}
	files["main.js"] = []byte("'</script>'")
	if err := standalone(files, hashes, head); err == nil {
		t.Error("a script that would end too early was taken")
	}
}
