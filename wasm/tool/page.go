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

// placeholder matches a place in index.html that is filled in.
var placeholder = regexp.MustCompile(`\{\{([a-z-]+)\}\}`)

// fill puts the markup of the page before any computation into index.html, so that it is
// shown at once and every text has one source; and the parts from dist.
func fill(index []byte, own map[string]html.HTML) ([]byte, error) {
	parts := view.Shell("en")
	files, err := json.Marshal(bundled())
	if err != nil {
		return nil, err
	}
	parts["models"] = html.HTML(files)
	first, err := json.Marshal(view.NewFirstViews("en"))
	if err != nil {
		return nil, err
	}
	parts["first"] = html.HTML(first)
	maps.Copy(parts, own)
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

// bundled lists the files of each model, and under "" the files of the first page, so that the page can fetch them
// before the program is loaded.
func bundled() map[string][]string {
	first, _ := spec.ParseLink(state.DefaultLink, catalog.Names{})
	out := map[string][]string{"": catalog.Kinds.Files(first.Model)}
	for _, m := range catalog.Kinds.Builtin() {
		if m.Files != nil {
			out[m.Name] = m.Files
		}
	}
	return out
}
