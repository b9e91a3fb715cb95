package main

import (
	"errors"
	"io"
)

// These commands refuse to run: the server and the client of rooms are not in this program.
func hostCommand([]string, io.Writer, io.Writer) (int, error) { return exitUsage, errNative }

func workCommand([]string, io.Writer, io.Writer) (int, error) { return exitUsage, errNative }

func partCommand([]string, io.Writer, io.Writer) (int, error) { return exitUsage, errNative }

func joinCommand([]string, io.Writer, io.Writer) (int, error) { return exitUsage, errNative }

var errNative = errors.New("rooms and parts are made natively; build bin/logz by ./build.sh build and use that")
