// Command logz estimates log Z. Natively and under Node it is the command line of site/docs/contract.md; in a browser
// it is the page's brain or one of its lane workers. The page's is built with the tag "page", which leaves out the
// command line.
package main

import "os"

func main() {
	if inBrowser() {
		serveBrowser()
		return
	}
	os.Exit(command())
}
