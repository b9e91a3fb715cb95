// Package desk is what the parts of the page share: the browser behind Host, words, workers, what is open, long work in
// pieces, and when to paint. It must not know experiments, runs or views.
//
// desk.go has what is open, and what parts ask the page to do; host.go the browser, models.go bundled files of models,
// long_work.go work in pieces, repaint.go when to paint, language.go the words, alone.go the page as one file.
package desk
