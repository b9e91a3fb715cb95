//go:build !js

package main

func main() { panic("stan runs in a worker of the page; build it with GOOS=js GOARCH=wasm") }
