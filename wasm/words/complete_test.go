package words

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var verbs = regexp.MustCompile(`%[a-z.0-9]*[a-z]|\{\d\}`)

// Every word has a German form with the same places.
func TestGermanWordsAreComplete(t *testing.T) {
	for key, en := range wordsEN {
		de, ok := wordsDE[key]
		if !ok {
			t.Errorf("%s has no German words", key)
		} else if got, want := strings.Join(verbs.FindAllString(de, -1), " "), strings.Join(verbs.FindAllString(en, -1), " "); key[:2] != "pa" && got != want || len(strings.Fields(got)) != len(strings.Fields(want)) {
			t.Errorf("%s: places %q in German, %q in English", key, got, want)
		}
	}
}

// errorSources are the files whose errors reach the page.
var errorSources = []string{"../../core/json/*.go", "../../core/spec/*.go", "../../core/modelfile/*.go", "../../models/*_file.go", "../../core/schedule/*.go", "../page/settings.go", "../page/events.go", "../../estimators/rts.go", "../../models/gpc.go", "../../models/gpc_path.go"}

var errorFormat = regexp.MustCompile(`(?:fmt\.Errorf|errors\.New)\(\s*("(?:[^"\\]|\\.)*")`)

// Every error that people can meet has a German form with as many places.
func TestGermanErrorsAreComplete(t *testing.T) {
	n := 0
	for _, pattern := range errorSources {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s", pattern)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, m := range errorFormat.FindAllStringSubmatch(string(b), -1) {
				format, err := strconv.Unquote(m[1])
				if err != nil {
					t.Fatal(err)
				}
				n++
				if _, ok := errorsDE[format]; !ok {
					t.Errorf("%s: no German for %q", file, format)
				}
			}
		}
	}
	if n < 70 {
		t.Errorf("only %d errors were found", n)
	}
	for format, s := range errorsDE {
		if strings.Count(format, "%") != strings.Count(s, "%s") || strings.Count(s, "%") != strings.Count(s, "%s") {
			t.Errorf("%q and %q differ in their places", format, s)
		}
	}
}
