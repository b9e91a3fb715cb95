//go:build !js

package page

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// Constants that the scripts share with Go have the same value in both.
func TestScriptConstantsMatchGo(t *testing.T) {
	for _, c := range []struct {
		file, line string
		want       any
	}{
		{"hero.js", `const \[SIDE, CELLS, DREAMS\] = \[28, 28 \* 28, (\d+)\];`, state.HeroSamples},
		{"files.js", `const MAX_FILE_BYTES = (\d+) \* 1024 \* 1024;`, modelfile.MaxInflated >> 20},
		{"main.js", `const SILENCE = (\d+);`, workerpool.Silence},
	} {
		b, err := os.ReadFile("../../site/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(c.line).FindSubmatch(b); m == nil || string(m[1]) != fmt.Sprint(c.want) {
			t.Errorf("%s has %q, Go has %v", c.file, m, c.want)
		}
	}
}
