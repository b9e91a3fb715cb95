package page

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/wasm/page/state"
)

// validPart is what is right of a bad link: its model, the methods that exist, and the other keys,
// in order, as far as they are valid. Without a model it is the default experiment with the
// valid view settings. own tells which of the two it is.
func validPart(link string, names catalog.Names) (right string, own bool) {
	if _, frag, ok := strings.Cut(link, "#"); ok {
		link = frag
	}
	methods := []string{}
	parts := strings.Split(link, "&")
	if len(parts) > 100 {
		return state.DefaultLink, false
	}

	// The model and the methods.
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

	// The start of the link.
	if len(methods) == 0 {
		methods = []string{defaultMethod}
	}
	if own = known && right != ""; own {
		right += strings.Join(methods, ",")
	} else {
		right = state.DefaultLink
	}

	// The other keys, as far as each is valid.
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
func (b *Brain) instead() *state.Action {
	methods := slices.DeleteFunc(slices.Clone(b.Spec.Methods), func(m string) bool { return !b.Suits(m) })
	if len(methods) == len(b.Spec.Methods) {
		return nil
	}
	if len(methods) == 0 {
		methods = []string{defaultMethod}
	}
	s := b.Spec.Only(b.Names(), methods...)
	var names []string
	for _, m := range s.Methods {
		names = append(names, state.Label(m))
	}
	return &state.Action{Label: b.Words.T("run.with", strings.Join(names, ", ")), Event: "link",
		Value: "#" + s.Link() + b.Settings.Link()}
}

// onlyView reports whether a link says how to show an experiment and names none.
func onlyView(link string) bool {
	views := false
	for _, part := range strings.Split(link, "&") {
		if part != "v=1" && !strings.HasPrefix(part, "view.") {
			return false
		}
		views = views || part != "v=1"
	}
	return views
}
