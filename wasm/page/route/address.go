package route

import (
	"strings"

	"logzlab/wasm/page/state"
)

// Start is the link that a page opens first, "" for the hero: an address that names no experiment, nor how the page is
// to look. The hero is in the language lang of the query, "" for that of the browser.
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

// Next is the link that a page opens later for one of its address bar.
func Next(link, query string) string { return withQuery(strings.TrimPrefix(link, "#"), query, false) }

// withQuery adds to a link of the address bar the language of the page's query, unless the link names one itself. The
// first link gets the view settings of the query, too; the user may have changed them since.
func withQuery(link, query string, first bool) string {
	if link == "" { // the hero has no link
		return ""
	}
	for _, part := range strings.Split(strings.TrimPrefix(query, "?"), "&") {
		key, value, has := strings.Cut(part, "=")
		switch {
		case key == "lang" && has:
			part = "view.lang=" + value
		case !first || !strings.HasPrefix(key, "view."):
			continue
		case !has:
			part = key + "=1"
		}
		if !strings.Contains("&"+link, "&"+strings.SplitN(part, "=", 2)[0]+"=") {
			link += "&" + part
		}
	}
	return link
}
