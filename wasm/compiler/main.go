//go:build !js

package main

func main() { panic("compiler runs in a worker of the page; build it with GOOS=js GOARCH=wasm") }
