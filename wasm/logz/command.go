//go:build !page

package main

import "os"

// command is the command line.
func command() int { return cli(os.Args[1:], os.Stdout, os.Stderr) }
