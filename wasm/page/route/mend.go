package route

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/wasm/page/state"
)

// mend returns the valid part of a bad link: its model, the methods that exist, and the other keys, in order, if they
// are valid. Without a model it returns the default experiment with the valid view settings, and isDefault is true.
func mend(link string, names catalog.Names, known state.Known) (mended string, isDefault bool) {
	if _, frag, ok := strings.Cut(link, "#"); ok {
		link = frag
	}
	methods := []string{}
	parts := strings.Split(link, "&")
	if len(parts) > 100 {
		return state.DefaultLink, true
	}

	// The model and the methods.
	isVersionValid := true
	for _, part := range parts {
		key, value, _ := strings.Cut(part, "=")
		value, _ = spec.Unescape(value)
		switch {
		case key == "v" && value != strconv.Itoa(spec.Version):
			isVersionValid = false
		case key == "model" && mended == "" && (names.HasModel(value) || spec.IsFile(value)):
			mended = "v=1&model=" + value + "&method="
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
		methods = []string{state.DefaultMethod}
	}
	hasExperiment := isVersionValid && mended != ""
	if hasExperiment {
		mended += strings.Join(methods, ",")
	} else {
		mended = state.DefaultLink
	}

	// The other keys, as far as each is valid.
	for _, part := range append(parts, parts...) { // twice, since a key may be valid only together with a later one
		if !hasExperiment && !strings.HasPrefix(part, "view.") {
			continue
		}
		s, err := spec.ParseLink(mended+"&"+part, names)
		if err == nil {
			_, err = known.Parse(s.View)
		}
		if err == nil {
			mended += "&" + part
		}
	}
	return mended, !hasExperiment
}
