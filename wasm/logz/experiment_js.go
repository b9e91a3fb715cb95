package main

import (
	"errors"
	"io"
)

// experimentCommand says where experiments run: this program leaves out what draws
// their charts.
func experimentCommand([]string, io.Writer, io.Writer) (int, error) {
	return exitUsage, errors.New("experiment: experiments run natively; build bin/logz by ./build.sh build and use that")
}
