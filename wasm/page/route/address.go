package route

import (
	"strings"

	"logzlab/wasm/page/state"
)

// Start returns the link that a page opens first: "" for the hero, if the address names neither an experiment nor view
// settings. lang is the language of the hero in the query, "" for the browser's.
func Start(p state.BrowserPage, known state.Known) (link, lang string) {
	link = strings.TrimPrefix(p.Link, "#")
	hero := link == "" && !strings.Contains(p.Query, "view.") && !p.SingleFile
	if link == "" {
		link = state.Lab
	}
	link = withQuery(link, p.Query, true)
	if hero {
		view, _ := known.Parse(viewOf(link))
		return "", view.Lang
	}
	return link, ""
}

// Next returns the link to open for a later address in the address bar.
func Next(link, query string) string { return withQuery(strings.TrimPrefix(link, "#"), query, false) }

// withQuery adds the language of the page's query to a link, unless the link has one. The first link also gets the view
// settings of the query; later the user may have changed them.
func withQuery(link, query string, first bool) string {
	if link == "" { // the hero has no link
		return ""
	}
	for _, part := range strings.Split(strings.TrimPrefix(query, "?"), "&") {
		key, value, hasValue := strings.Cut(part, "=")
		switch {
		case key == "lang" && hasValue:
			part = "view.lang=" + value
		case !first || !strings.HasPrefix(key, "view."):
			continue
		case !hasValue:
			part = key + "=1"
		}
		if !strings.Contains("&"+link, "&"+strings.SplitN(part, "=", 2)[0]+"=") {
			link += "&" + part
		}
	}
	return link
}
