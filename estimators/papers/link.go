package papers

import (
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
)

// Value is that of a key in a link, "" without it.
func Value(link, key string) string {
	for _, part := range strings.Split(link, "&") {
		if v, ok := strings.CutPrefix(part, key+"="); ok {
			return v
		}
	}
	return ""
}

// only returns the link reduced to one method.
func only(link string, methods []string, method string) string {
	parts := slices.DeleteFunc(strings.Split(link, "&"), func(part string) bool {
		of, _, _ := strings.Cut(part, ".")
		return of != method && slices.Contains(methods, of)
	})
	for i, part := range parts {
		if strings.HasPrefix(part, "method=") {
			parts[i] = "method=" + method
		}
	}
	return strings.Join(parts, "&")
}

// Named are the parameters that a link names, those of the method without its name.
func Named(link, method string) string {
	var out []string
	for _, part := range strings.Split(link, "&") {
		switch key, _, _ := strings.Cut(part, "="); key {
		case "v", "model", "method", "seed", "replicates":
		default:
			out = append(out, strings.TrimPrefix(part, method+"."))
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// canonical is the one spelling of a link, which depends on today's defaults. One that
// cannot be read stays as it is, and fails when it is run.
func canonical(link string) string {
	if s, err := spec.ParseLink(link, catalog.Names{}); err == nil {
		return s.Link()
	}
	return link
}

// Single is the link without its replicates.
func Single(link string) string {
	link, _, _ = strings.Cut(link, "&replicates=")
	return link
}
