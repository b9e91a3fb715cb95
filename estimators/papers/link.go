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

// onlyMethod returns the link with one of its methods only, without the parameters of the other methods.
func onlyMethod(link string, methods []string, method string) string {
	parts := slices.DeleteFunc(strings.Split(link, "&"), func(part string) bool {
		name, _, _ := strings.Cut(part, ".")
		return name != method && slices.Contains(methods, name)
	})
	for i, part := range parts {
		if strings.HasPrefix(part, "method=") {
			parts[i] = "method=" + method
		}
	}
	return strings.Join(parts, "&")
}

// LinkParams returns the parameters in a link as "key=value key=value ...", sorted. Keys of the method lack its name
// and dot; model, method, seed and replicates are left out.
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

// canonical returns the canonical form of a link, in which parameters with their default value are omitted. It returns
// an invalid link unchanged; running it will fail.
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
