package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// placeholder matches a placeholder {{name}} in index.html.
var placeholder = regexp.MustCompile(`\{\{([a-z-]+)\}\}`)

// fillPlaceholders replaces the placeholders of index.html by the markup of the page before any computation, from
// package view, and by distParts. So the page is shown before a program is loaded, and its texts have a single source.
// It returns an error if placeholders and parts do not match.
func fillPlaceholders(index []byte, distParts map[string]html.HTML) ([]byte, error) {
	parts := view.Shell("en")
	files, err := json.Marshal(bundledFiles())
	if err != nil {
		return nil, err
	}
	parts["models"] = html.HTML(files)
	first, err := json.Marshal(view.NewFirstViews("en"))
	if err != nil {
		return nil, err
	}
	parts["first"] = html.HTML(first)
	maps.Copy(parts, distParts)
	out := placeholder.ReplaceAllFunc(index, func(m []byte) []byte {
		name := string(m[2 : len(m)-2])
		part, ok := parts[name]
		if !ok {
			err = fmt.Errorf("index.html asks for {{%s}}, which view.Shell does not make", name)
		}
		delete(parts, name)
		return []byte(part)
	})
	for name := range parts {
		err = fmt.Errorf("index.html has no place {{%s}}", name)
	}
	return out, err
}

// bundledFiles returns the names of the files of each model, and under "" those of the model of the first page, so that
// the page can fetch them before the program is loaded.
func bundledFiles() map[string][]string {
	first, _ := spec.ParseLink(state.DefaultLink, catalog.Names{})
	out := map[string][]string{"": catalog.Kinds.Files(first.Model)}
	for _, m := range catalog.Kinds.Builtin() {
		if m.Files != nil {
			out[m.Name] = m.Files
		}
	}
	return out
}
