//go:build page

package main

// command is not in the page's program: phones would wait for it.
func command() int { return 2 }
