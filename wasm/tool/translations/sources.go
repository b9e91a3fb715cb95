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

// texts returns the texts in the sources of a project: its string literals, joined if there is a + between them, and
// names of parameters as on the page.
func texts(root string) (map[string]bool, error) {
	all := map[string]bool{}
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
				literals(src, all)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// literals adds the texts of a Go file.
func literals(src []byte, all map[string]bool) {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", -1, len(src)), src, func(token.Position, string) {}, 0)
	text, open, plus := "", false, false // joined literals so far
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.STRING:
			part, _ := strconv.Unquote(lit)
			if !plus {
				text = ""
			}
			text, open, plus = text+part, true, false
			continue
		case tok == token.ADD && open && !plus:
			plus = true
			continue
		}
		if open && text != "" {
			all[text] = true
			name := strings.ReplaceAll(text, "_", " ")
			all[strings.ToUpper(name[:1])+name[1:]] = true
		}
		if open, plus = false, false; tok == token.EOF {
			return
		}
	}
}

// isComposed reports whether a text is made of texts of the sources: it begins with one, as the help of a schedule, it is
// a unit at the end of one, or it is an error of Go's library.
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
