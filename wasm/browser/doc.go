// Package browser carries bytes and messages between the Go programs of the page and JavaScript.
//
// It needs no code for panics: the runtime prints the reason and ends the program, whichever goroutine it was, and the
// script that started the program (site/worker.js, site/stage.js) tells the page.
//
// It must not know what messages mean.
package browser
