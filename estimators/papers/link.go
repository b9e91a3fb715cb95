package papers

import (
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
)

// LinkValue returns the value of a key in a link, "" if the key is missing.
func LinkValue(link, key string) string {
	for _, part := range strings.Split(link, "&") {
		if v, ok := strings.CutPrefix(part, key+"="); ok {
			return v
		}
	}
	return ""
}

// onlyMethod returns the link reduced to one method.
func onlyMethod(link string, methods []string, method string) string {
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

// LinkParams returns the parameters in a link, those of the method without its name.
func LinkParams(link, method string) string {
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

// canonical returns the canonical form of a link, which depends on the current defaults. An invalid link is returned
// unchanged; running it will fail.
func canonical(link string) string {
	if s, err := spec.ParseLink(link, catalog.Names{}); err == nil {
		return s.Link()
	}
	return link
}

// WithoutReplicates returns the link without its replicates.
func WithoutReplicates(link string) string {
	link, _, _ = strings.Cut(link, "&replicates=")
	return link
}
