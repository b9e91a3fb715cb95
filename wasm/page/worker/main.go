//go:build !js

package main

func main() { panic("worker runs in a web worker of the page; build it with GOOS=js GOARCH=wasm") }
