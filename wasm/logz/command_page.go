//go:build page

package main

// command is not in the page's program: phones would wait for its megabyte.
func command() int { return 2 }
