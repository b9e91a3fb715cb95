package main

import "os"

func main() {
	if inBrowser() {
		serveBrowser()
		return
	}
	os.Exit(command())
}
