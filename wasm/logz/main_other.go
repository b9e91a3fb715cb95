//go:build !js

package main

import "logzlab/site"

func inBrowser() bool { return false }

func serveBrowser() {}

// loadBundled reads a bundled model from the program itself.
func loadBundled(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }
