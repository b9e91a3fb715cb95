//go:build !js

// Command lab is the moving picture of the page: an Ebitengine canvas that lives
// in an iframe of its own (site/stage.html), takes frames and draws scenes.
// Build it with GOOS=js GOARCH=wasm; see main_js.go.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "lab: this command runs in a browser only. Start the page with: ./build.sh serve")
	os.Exit(2)
}
