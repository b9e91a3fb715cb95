package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"logzlab/core/version"
	"logzlab/estimators/report"
	"logzlab/wasm/rooms/room"
)

// versionCommand prints the version of the program, its build, and the version of Go.
func versionCommand(o *options, stdout, _ io.Writer) (int, error) {
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(struct {
			Version string `json:"version"`
			Build   string `json:"build"`
			Go      string `json:"go"`
		}{version.Number, buildName(), runtime.Version()}))
	} else {
		fmt.Fprintf(stdout, "logz %s, build %s, %s %s/%s\n", version.Number, buildName(), runtime.Version(), runtime.GOOS,
			runtime.GOARCH)
	}
	return exitOK, nil
}

// buildName returns the hash of the sources if build.sh has built the program, otherwise the commit that go build has
// recorded, or "unknown".
func buildName() string {
	info, ok := debug.ReadBuildInfo()
	if room.Build != "unknown" || !ok {
		return room.Build
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " (modified)"
		}
	}
	if revision == "" {
		return room.Build
	}
	return "commit " + revision + modified
}
