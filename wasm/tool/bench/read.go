//go:build !js

package main

import "os"

func readModel(path string) ([]byte, error) { return os.ReadFile(path) }
