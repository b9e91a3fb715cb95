// Package route parses links: it determines the kind of page that a link opens, and its settings. Parse is a pure
// function of the link, the user's own model file and the known names of view settings; no other code of the page
// interprets links.
//
// route.go has Parse, address.go the link opened by an address with a query string, mend.go the valid part of a bad
// link.
package route
