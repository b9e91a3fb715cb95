package words

import (
	"fmt"
	"strconv"
	"strings"
)

// Entry is an entry of a translation file: the context of the text, the English, and the translation.
type Entry struct{ Context, English, Text string }

// Entries parses a translation file, gettext's .po format without plural forms, and returns its entries without the
// header. Strings are quoted as in Go. The error gives the line of a malformed entry.
func Entries(po string) ([]Entry, error) {
	var all []Entry
	var e Entry
	var field *string // the field that continuation strings are appended to
	n := 0
	for line := range strings.Lines(po) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		quoted := line
		if word, after, _ := strings.Cut(line, " "); word[0] != '"' {
			if field == &e.Text && word != "msgstr" { // the next entry begins
				all, e = append(all, e), Entry{}
			}
			quoted, field = after, e.fieldOf(word)
		}
		s, err := unquote(quoted)
		if err != nil || field == nil {
			return nil, fmt.Errorf("line %d of the translations is no msgctxt, msgid, msgstr or string: %s", n, line)
		}
		*field += s
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("this is no file of translations, or it has no entries")
	}
	return append(all, e)[1:], nil // the first is the header
}

// fieldOf returns the field that a keyword sets, nil for an unknown keyword.
func (e *Entry) fieldOf(word string) *string {
	switch word {
	case "msgctxt":
		return &e.Context
	case "msgid":
		return &e.English
	case "msgstr":
		return &e.Text
	}
	return nil
}

// unquote is strconv.Unquote, faster for the many strings without escapes.
func unquote(s string) (string, error) {
	if n := len(s) - 1; n > 0 && s[0] == '"' && strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s[1:], '"') == n-1 {
		return s[1:n], nil
	}
	return strconv.Unquote(s)
}

// Format writes entries as a translation file without comments.
func Format(entries []Entry) string {
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
	var b strings.Builder
	for _, e := range append([]Entry{{}}, entries...) {
		if e.Context != "" {
			fmt.Fprintf(&b, "msgctxt \"%s\"\n", quote.Replace(e.Context))
		}
		fmt.Fprintf(&b, "msgid \"%s\"\nmsgstr \"%s\"\n", quote.Replace(e.English), quote.Replace(e.Text))
	}
	return b.String()
}
