//go:build !js

package main

func main() { panic("external runs in a worker of the page; build it with GOOS=js GOARCH=wasm") }
