package main

import (
	"errors"
	"io"
)

// experimentCommand refuses to run: the packages that draw charts are not in this program.
func experimentCommand([]string, io.Writer, io.Writer) (int, error) {
	return exitUsage, errors.New("experiment: experiments run natively; build bin/logz by ./build.sh build and use that")
}
