package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHandoutPages checks that the committed handouts are what their decks and exercises make, that each has five
// exercises, and that the pictures of their slides exist.
func TestHandoutPages(t *testing.T) {
	dir := filepath.Join(root, "site", "decks")
	pages, err := handoutPages(dir)
	if err != nil {
		t.Fatal(err)
	}
	picture := regexp.MustCompile(`<img src="([^"]+)"`)
	for name, page := range pages {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != string(page) {
			t.Errorf("site/decks/%s is not what its deck makes (%v): go run ./wasm/tool handouts site/decks", name, err)
		}
		_, exercises, _ := strings.Cut(string(page), `class="sheet-of-paper"`)
		exercises, _, _ = strings.Cut(exercises, "</section>")
		if n := strings.Count(exercises, "<li>"); n != 5 {
			t.Errorf("%s has %d exercises, want 5", name, n)
		}
		for _, m := range picture.FindAllStringSubmatch(string(page), -1) {
			if _, err := os.Stat(filepath.Join(dir, m[1])); err != nil {
				t.Errorf("%s: %v: LOGZ_HANDOUTS=all go test ./wasm/e2e -run TestHandoutPictures", name, err)
			}
		}
	}
}

// TestExercisesAreChecked checks the messages about an exercise file without a title, with text before its first
// heading, and with a missing answer.
func TestExercisesAreChecked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sum.exercises.md")
	for text, want := range map[string]string{
		"Exercises\n":     "its first line is not a title",
		"# Sum\n\nText\n": "text before the heading",
		"# Sum\n\n## Exercises\n\n1. A\n2. B\n\n## Answers\n\n1. A\n": "as many answers as exercises",
	} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := readExercises(file, "en"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
