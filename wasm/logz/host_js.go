package main

import (
	"errors"
	"io"
)

// hostCommand and workCommand say where rooms are: this program leaves out their server and client.
func hostCommand([]string, io.Writer, io.Writer) (int, error) { return exitUsage, errNative }

func workCommand([]string, io.Writer, io.Writer) (int, error) { return exitUsage, errNative }

var errNative = errors.New("rooms are opened and joined natively; build bin/logz by ./build.sh build and use that")
