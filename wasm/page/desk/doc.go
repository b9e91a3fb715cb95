// Package desk is what the parts of the page share: the browser behind Host, words, workers, what is open, long work in
// pieces, and when to paint. It must not know experiments, runs or views.
package desk
