package main

import (
	"encoding/json"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"logzlab/core/version"
)

// The overview fits a terminal of 80 columns and 24 lines, and names every command.
func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}} {
		if out := mustRun(t, args...); out != overview {
			t.Errorf("logz %s = %q, want the overview", args[0], out)
		}
	}
	lines := strings.Split(overview, "\n")
	if len(lines) > 24 {
		t.Errorf("the overview has %d lines, want at most 24 with the prompt", len(lines))
	}
	for _, c := range commands {
		if !regexp.MustCompile(`(?m)^  (\w+, )?` + c.name + `[ ,]`).MatchString(overview) {
			t.Errorf("the overview does not name %s", c.name)
		}
		if helpTexts[c.name] == "" {
			t.Errorf("logz help %s has no text", c.name)
		}
	}
	for name, text := range helpTexts {
		lines = append(lines, strings.Split(text, "\n")...)
		if out := mustRun(t, "help", name); out != text {
			t.Errorf("logz help %s = %q, want %q", name, out, text)
		}
	}
	for _, line := range lines {
		if len(line) > 80 {
			t.Errorf("%q has %d columns, want at most 80", line, len(line))
		}
	}
	mustRefuse(t, "unknown command \"bogus\"; the commands are run, exact,", "bogus")
	if status, out, err := run("help", "bogus"); status != exitUsage || out != "" || !strings.Contains(err, "logz help") {
		t.Errorf("logz help bogus: status %d, stdout %q, stderr %q", status, out, err)
	}
}

// Each help text begins with the usage, describes flags that the command has, and ends with an example whose flags it
// has.
func TestCommandHelp(t *testing.T) {
	flagName := regexp.MustCompile(`(?m)^  -(\w+)|[\[ |]-(\w+)[ \]]`)
	for _, c := range commands {
		text := helpTexts[c.name]
		if out := mustRun(t, c.name, "-h"); out != text {
			t.Errorf("logz %s -h = %q, want %q", c.name, out, text)
		}
		_, example, ok := strings.Cut(text, "\nExample: logz "+c.name)
		if !strings.HasPrefix(text, "logz "+c.name) || !ok || strings.Count(example, "\n") != 1 {
			t.Errorf("logz help %s lacks its usage or an example of one line:\n%s", c.name, text)
		}

		// The error about an unknown flag lists the flags of the command.
		args := []string{c.name, "-nosuch"}
		switch c.name {
		case "compare":
			args = []string{c.name, "linreg-line", "linreg-level", "-nosuch"}
		case "experiment":
			args = []string{c.name, "arm-fig2", "-nosuch"}
		}
		_, _, err := run(args...)
		_, list, ok := strings.Cut(strings.TrimSpace(err), "there are ")
		if !ok {
			t.Fatalf("logz %s: %s", strings.Join(args, " "), err)
		}
		flags, described := strings.Split(list, ", "), []string{}
		for _, m := range flagName.FindAllStringSubmatch(text, -1) {
			name := "-" + m[1] + m[2]
			described = append(described, name)
			if !slices.Contains(flags, name) {
				t.Errorf("logz help %s describes %s; the command has %s", c.name, name, list)
			}
		}
		if strings.Contains(text, "logz help run") { // for the other flags
			continue
		}
		for _, name := range flags {
			unused := slices.Contains([]string{"-data", "-evidence", "-link", "-set", "-workers"}, name) ||
				c.name == "work" && name == "-json"
			if !slices.Contains(described, name) && !unused {
				t.Errorf("logz help %s does not describe %s", c.name, name)
			}
		}
	}
}

// The command, CITATION.cff and CHANGELOG.md name the same version.
func TestVersion(t *testing.T) {
	out := mustRun(t, "version")
	if !strings.HasPrefix(out, "logz "+version.Number+", build ") || !strings.Contains(out, runtime.Version()) {
		t.Errorf("logz version = %q", out)
	}
	var v struct{ Version, Build, Go string }
	if err := json.Unmarshal([]byte(mustRun(t, "version", "-json")), &v); err != nil || v.Version != version.Number ||
		v.Build == "" || v.Go != runtime.Version() {
		t.Errorf("logz version -json = %+v, %v", v, err)
	}
	for file, want := range map[string]string{"CITATION.cff": "\nversion: " + version.Number + "\n",
		"CHANGELOG.md": "\n## [" + version.Number + "] - "} {
		b, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %q", file, want)
		}
	}
}
