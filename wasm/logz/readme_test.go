package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// README shows the result that the command prints, apart from its time and line breaks.
func TestReadmeResult(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, ok := strings.Cut(string(readme), "\n    auto on ")
	shown, _, _ = strings.Cut(shown, "\n\n")
	status, printed, stderr := run("run", "-model", "rbm-pcd-20", "-target", "0.3")
	if !ok || status != exitOK {
		t.Fatalf("a result is shown: %v; status %d: %s", ok, status, stderr)
	}
	plain := func(text string) string {
		return strings.Join(strings.Fields(regexp.MustCompile(`[0-9.]+ s\n`).ReplaceAllString(text+"\n", "\n")), " ")
	}
	if got, want := plain("auto on "+shown), plain(printed); got != want {
		t.Errorf("README shows\n%s\nthe command prints\n%s", got, want)
	}
}
