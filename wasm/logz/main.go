// Command logz estimates log Z. Natively and under Node it is the command line
// of CONTRACT.md; in a browser the same program is the page's brain or
// one of its lane workers.
package main

import "os"

func main() {
	if inBrowser() {
		serveBrowser()
		return
	}
	os.Exit(cli(os.Args[1:], os.Stdout, os.Stderr))
}
