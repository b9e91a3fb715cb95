package translations

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"logzlab/core/words"
)

// Translation is one language of the page.
type Translation struct {
	Lang string
	Data []byte // the file of the site, before it is packed: for words.Read
	// Changed are texts whose English has been changed since they were translated, each with the English of now.
	// The page shows them as they are.
	Changed []Change
	Unused  []string // English that nothing says any more
}

// Change is the English of a text, when it was translated and now.
type Change struct{ Was, Is string }

// All returns the translations into each language but English of the project whose root is given.
func All(root string) ([]*Translation, error) {
	files, err := filepath.Glob(filepath.Join(root, "core/words/*.po"))
	if err != nil || len(files) == 0 {
		return nil, err
	}
	said, err := said(root)
	if err != nil {
		return nil, err
	}
	var all []*Translation
	for _, file := range files {
		lang := strings.TrimSuffix(filepath.Base(file), ".po")
		if lang == "en" {
			continue
		}
		po, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		entries, err := words.Entries(string(po))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}

		// The entries as the sources are now, with the lessons.
		c := &Translation{Lang: lang}
		entries = c.update(entries, said)
		pages, err := lessons(filepath.Join(root, "site/lessons", lang))
		if err != nil {
			return nil, err
		}
		c.Data = []byte(words.Format(append(entries, pages...)))
		all = append(all, c)
	}
	return all, nil
}

// update brings entries up to the English that the page and the sources have now. Entries without a translation are
// left out, so that the page shows their English.
func (c *Translation) update(entries []words.Entry, said map[string]bool) []words.Entry {
	english := words.New("en")

	// English without an entry, for texts that were reworded.
	known := map[string]bool{}
	for _, e := range entries {
		known[e.English] = known[e.English] || e.Context == "" || e.Context == words.ErrorContext
	}
	free := slices.DeleteFunc(slices.Sorted(maps.Keys(said)), func(s string) bool { return known[s] })

	// Texts are found by their English, words of the page by their key.
	var out []words.Entry
	for _, e := range entries {
		switch {
		case e.Context == "" || e.Context == words.ErrorContext:
			if out = append(out, e); said[e.English] || composed(e.English, said) {
				continue
			}
			is := nearest(e.English, free)
			if is == "" {
				c.Unused = append(c.Unused, e.English)
				continue
			}
			c.Changed = append(c.Changed, Change{e.English, is})
			e.English = is
			out = append(out, e)
		case !english.Has(e.Context):
			c.Unused = append(c.Unused, e.English)
		default: // a word of the page, found by its key
			if now := english.T(e.Context); now != e.English {
				c.Changed = append(c.Changed, Change{e.English, now})
			}
			out = append(out, words.Entry{Context: e.Context, Text: e.Text})
		}
	}
	return slices.DeleteFunc(out, func(e words.Entry) bool { return e.Text == "" })
}

// lessons are the pages of a folder, if there is one.
func lessons(dir string) (pages []words.Entry, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.html"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		pages = append(pages, words.Entry{Context: words.LessonContext, English: filepath.Base(file), Text: string(text)})
	}
	return pages, err
}
