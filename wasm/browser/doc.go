// Package browser passes bytes and messages between the Go programs of the page and JavaScript.
//
// It does not handle panics: the runtime prints the reason and ends the program, and the script that started it
// (site/worker.js, site/stage.js) reports this to the page.
//
// It must not know the meaning of messages.
package browser
