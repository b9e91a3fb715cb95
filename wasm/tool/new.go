package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed new/*.tmpl
var newTemplates embed.FS

// skeleton describes the files of a new method, kind of model or scene. All texts and paths are templates with the
// fields of newName.
type skeleton struct {
	files map[string]string // by path of a new file: name of its template in folder new
	lines []insertion
	todo  []string // what the author must do by hand
}

// insertion adds text to an existing file, before the first occurrence of before.
type insertion struct{ file, before, text string }

// newName has the name in its forms.
type newName struct {
	Name     string // as in links: my-method
	Exported string // as in Go: MyMethod
	File     string // as in names of files: my_method
}

var skeletons = map[string]skeleton{
	"method": {
		files: map[string]string{"estimators/anneal/{{.File}}.go": "method.go.tmpl"},
		lines: []insertion{
			{"estimators/catalog/catalog.go", "anneal.RAISE", "anneal.{{.Exported}}, "},
			{"site/docs/methods.md", "\n| `raise` |",
				"\n| `{{.Name}}` | mean of the log weights of `ais` and half their variance | delta method; no fixed sign |"},
		},
		todo: []string{
			"estimators/report/testdata/golden.txt: add a line with a link, as v=1&model=mixture2&method={{.Name}}, and run " +
				"./build.sh golden; only that line may change",
			"core/words/de.po: German for the texts of {{.Exported}}",
			"BIBLIOGRAPHY.md: the paper, whose key the doc comment of {{.Exported}} cites",
			"estimators/anneal/{{.File}}_test.go: compare with exact values",
			"./build.sh calibrate {{.Name}}: until then its verdict is at best caution",
		},
	},
	"model": {
		files: map[string]string{
			"models/{{.Name}}/{{.Name}}.go":      "model.go.tmpl",
			"models/{{.Name}}/{{.Name}}_test.go": "model_test.go.tmpl",
		},
		lines: []insertion{
			{"estimators/catalog/catalog.go", "\t\"logzlab/models/rbm\"\n", "\t\"logzlab/models/{{.Name}}\"\n"},
			{"estimators/catalog/catalog.go", "&program.Kind}", "&{{.Name}}.Kind, "},
		},
		todo: []string{
			"site/docs/contract.md: the fields of its files with an example, which TestContractFiles reads",
			"site/docs/files.md: a row of the table of kinds",
			"core/words/de.po: German for its texts and errors",
		},
	},
	"scene": {
		files: map[string]string{
			"render/{{.Name}}/{{.Name}}.go":      "scene.go.tmpl",
			"render/{{.Name}}/{{.Name}}_test.go": "scene_test.go.tmpl",
			"wasm/page/scene/{{.Name}}.go":       "scene_page.go.tmpl",
		},
		lines: []insertion{
			{"render/scenes.go", "\t_ \"logzlab/render/race\"\n", "\t_ \"logzlab/render/{{.Name}}\"\n"},
			{"internal/rendertest/shows.go", "\t\"means\":",
				"\t\"{{.Name}}\": {\"{{.Name}}\", func() []*frame.Frame { return []*frame.Frame{Histories(true, \"ais\", \"rts\")} }},\n"},
			{"site/docs/page.md", "\n| *function* |",
				"\n| *{{.Name}}* | log Z of each method against the work of its run |"},
		},
		todo: []string{
			"wasm/page/scene/{{.Name}}.go: Of and Key, the place of the scene among the tabs",
			"render/vocabulary/vocabulary.go: new words that the scene draws",
			"render/doc.go: its name",
			"core/words/de.po: German for its texts and words",
		},
	},
}

// cmdNew writes the files of a new method, kind of model or scene, and prints what remains to be done: `new method
// NAME`. The files are a small example that works; its code is to be replaced.
func cmdNew(args []string) error {
	if len(args) != 2 {
		return errors.New("give what to make and its name: method NAME, model NAME or scene NAME")
	}
	files, todo, err := newFiles(".", args[0], args[1])
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
		fmt.Println("written:", name)
	}
	for _, text := range todo {
		fmt.Println("to do:  ", text)
	}
	return nil
}

// newFiles returns the contents of the new and the changed files in the repository at root, by path, and the list of
// what remains to be done. It writes nothing.
func newFiles(root, kind, name string) (files map[string][]byte, todo []string, err error) {
	s, ok := skeletons[kind]
	if !ok {
		return nil, nil, fmt.Errorf("%q cannot be made; give method, model or scene", kind)
	}
	pattern := regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	if kind == "method" {
		pattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	}
	if !pattern.MatchString(name) || token.IsKeyword(name) {
		return nil, nil, fmt.Errorf("the name %q must match %s and not be a keyword of Go", name, pattern)
	}
	n := newName{Name: name, File: strings.ReplaceAll(name, "-", "_")}
	for part := range strings.SplitSeq(name, "-") {
		n.Exported += strings.ToUpper(part[:1]) + part[1:]
	}
	expand := func(text string) string {
		var b bytes.Buffer
		if e := template.Must(template.New("").Parse(text)).Execute(&b, n); e != nil && err == nil {
			err = e
		}
		return b.String()
	}

	// New files, then changed ones.
	files = map[string][]byte{}
	for file, source := range s.files {
		file = filepath.Join(root, expand(file))
		if _, e := os.Stat(file); e == nil {
			return nil, nil, fmt.Errorf("%s exists; choose another name", file)
		}
		text, e := newTemplates.ReadFile("new/" + source)
		if e != nil {
			return nil, nil, e
		}
		files[file] = []byte(expand(string(text)))
	}
	for _, l := range s.lines {
		file := filepath.Join(root, l.file)
		text := files[file]
		if text == nil {
			if text, err = os.ReadFile(file); err != nil {
				return nil, nil, err
			}
		}
		before, after, ok := strings.Cut(string(text), l.before)
		if !ok {
			return nil, nil, fmt.Errorf("%s lacks %q, before which a line belongs: mend wasm/tool/new.go", l.file, l.before)
		}
		files[file] = []byte(before + expand(l.text) + l.before + after)
	}
	for file, text := range files {
		if strings.HasSuffix(file, ".go") {
			formatted, e := format.Source(text)
			if e != nil {
				return nil, nil, fmt.Errorf("%s: %w", file, e)
			}
			files[file] = formatted
		}
	}
	for _, text := range s.todo {
		todo = append(todo, expand(text))
	}
	return files, todo, err
}
