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
	Data []byte // the file of the site before compression, for words.Read
	// Changed lists texts whose English has changed since they were translated. The page still shows their translations.
	Changed []Change
	Unused  []string // English texts of entries that are not in the sources
}

// Change has the English of a text at the time of its translation, and its current English.
type Change struct{ Was, Is string }

// All returns the translations of the project at root into each language other than English.
func All(root string) ([]*Translation, error) {
	files, err := filepath.Glob(filepath.Join(root, "core/words/*.po"))
	if err != nil || len(files) == 0 {
		return nil, err
	}
	texts, err := texts(root)
	if err != nil {
		return nil, err
	}
	var list []*Translation
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

		// Entries under the current English, with the lessons.
		c := &Translation{Lang: lang}
		entries = c.update(entries, texts)
		pages, err := lessons(filepath.Join(root, "site/lessons", lang))
		if err != nil {
			return nil, err
		}
		c.Data = []byte(words.Format(append(entries, pages...)))
		list = append(list, c)
	}
	return list, nil
}

// update changes entries to the current English of the page and the sources. Entries without a translation are omitted,
// so that the page shows their English.
func (c *Translation) update(entries []words.Entry, texts map[string]bool) []words.Entry {
	english := words.New("en")

	// English texts without an entry may be new versions of translated texts.
	hasEntry := map[string]bool{}
	for _, e := range entries {
		hasEntry[e.English] = hasEntry[e.English] || e.Context == "" || e.Context == words.ErrorContext
	}
	withoutEntry := slices.DeleteFunc(slices.Sorted(maps.Keys(texts)), func(s string) bool { return hasEntry[s] })

	// Find texts of the sources by their English, and texts of the page by their key.
	var out []words.Entry
	for _, e := range entries {
		switch {
		case e.Context == "" || e.Context == words.ErrorContext:
			if out = append(out, e); texts[e.English] || isComposed(e.English, texts) {
				continue
			}
			current := nearest(e.English, withoutEntry)
			if current == "" {
				c.Unused = append(c.Unused, e.English)
				continue
			}
			c.Changed = append(c.Changed, Change{e.English, current})
			e.English = current
			out = append(out, e)
		case !english.Has(e.Context):
			c.Unused = append(c.Unused, e.English)
		default: // a text of the page has a key
			if now := english.T(e.Context); now != e.English {
				c.Changed = append(c.Changed, Change{e.English, now})
			}
			out = append(out, words.Entry{Context: e.Context, Text: e.Text})
		}
	}
	return slices.DeleteFunc(out, func(e words.Entry) bool { return e.Text == "" })
}

// lessons returns the pages of a folder, if it exists.
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
