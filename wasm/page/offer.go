package page

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
)

// mend is the valid part of a bad link: its model, the methods that exist, and the other keys,
// in order, as far as they are valid. Without a model it is the default experiment with the
// valid view settings. own tells which of the two it is.
func mend(link string, names catalog.Names) (right string, own bool) {
	if _, frag, ok := strings.Cut(link, "#"); ok {
		link = frag
	}
	methods := []string{}
	parts := strings.Split(link, "&")
	if len(parts) > 100 {
		return DefaultLink, false
	}
	known := true // the version
	for _, part := range parts {
		key, value, _ := strings.Cut(part, "=")
		value, _ = spec.Unescape(value)
		switch {
		case key == "v" && value != strconv.Itoa(spec.Version):
			known = false
		case key == "model" && right == "" && (names.HasModel(value) || spec.IsFile(value)):
			right = "v=1&model=" + value + "&method="
		case key == "method":
			for _, m := range strings.Split(value, ",") {
				if _, ok := names.MethodParams(m); ok && !slices.Contains(methods, m) {
					methods = append(methods, m)
				}
			}
		}
	}
	if len(methods) == 0 {
		methods = []string{defaultMethod}
	}
	if own = known && right != ""; own {
		right += strings.Join(methods, ",")
	} else {
		right = DefaultLink
	}
	for _, part := range append(parts, parts...) { // what a key needs to have an effect may come after it
		if !own && !strings.HasPrefix(part, "view.") {
			continue
		}
		s, err := spec.ParseLink(right+"&"+part, names)
		if err == nil {
			_, err = ParseSettings(s.View)
		}
		if err == nil {
			right += "&" + part
		}
	}
	return right, own
}

// instead offers the experiment without the methods that cannot run on its model.
func (b *Brain) instead() *Action {
	methods := slices.DeleteFunc(slices.Clone(b.spec.Methods), func(m string) bool { return !b.suits(m) })
	if len(methods) == len(b.spec.Methods) {
		return nil
	}
	if len(methods) == 0 {
		methods = []string{defaultMethod}
	}
	s := b.spec.Only(b.names(), methods...)
	var names []string
	for _, m := range s.Methods {
		names = append(names, label(m))
	}
	return &Action{b.words.T("run.with", strings.Join(names, ", ")), "link", "#" + s.Link() + b.set.Link()}
}
