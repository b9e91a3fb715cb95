//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "lab: this command runs in a browser only. Start the page with: ./build.sh serve")
	os.Exit(2)
}
