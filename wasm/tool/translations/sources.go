package translations

import (
	"errors"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// layers are the folders with texts for users.
var layers = []string{"core", "models", "estimators", "render", "wasm"}

// texts returns the set of texts in the sources of a project: string literals, joined if there is a + between them, and
// the same with underscores replaced by spaces and a capital first letter, as the page shows names of parameters.
func texts(root string) (map[string]bool, error) {
	set := map[string]bool{}
	for _, dir := range layers {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			src, err := os.ReadFile(path)
			if err == nil {
				literals(src, set)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

// literals adds the texts of a Go file to a set.
func literals(src []byte, set map[string]bool) {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", -1, len(src)), src, func(token.Position, string) {}, 0)
	text, isText, hasPlus := "", false, false // joined literals so far
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.STRING:
			part, _ := strconv.Unquote(lit)
			if !hasPlus {
				text = ""
			}
			text, isText, hasPlus = text+part, true, false
			continue
		case tok == token.ADD && isText && !hasPlus:
			hasPlus = true
			continue
		}
		if isText && text != "" {
			set[text] = true
			name := strings.ReplaceAll(text, "_", " ")
			set[strings.ToUpper(name[:1])+name[1:]] = true
		}
		if isText, hasPlus = false, false; tok == token.EOF {
			return
		}
	}
}

// isComposed reports whether a text is composed from texts of the sources: it begins with a text that ends with a
// colon, like the help of a schedule, or it is the end of a text, like a unit. Errors of Go's package zip count as
// well.
func isComposed(text string, texts map[string]bool) bool {
	if strings.HasPrefix(text, "zip: ") {
		return true
	}
	for s := range texts {
		if strings.HasSuffix(s, " "+text) || strings.HasSuffix(s, ": ") && strings.HasPrefix(text, s) {
			return true
		}
	}
	return false
}
