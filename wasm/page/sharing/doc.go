// Package sharing is what the user takes away: links, short links, results as texts, files, the page as one file; and
// what an embedding page is told. It must not know lanes.
package sharing
