// Package route reads links: which kind of page a link leads to, and what it says of that page. Parse is a pure function
// of the link, of the user's own model file and of what view settings may name; the page asks no one else about a link.
//
// route.go has Parse, address.go the link that an address with a query opens, mend.go what is right of a bad link.
package route
