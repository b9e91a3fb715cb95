package stan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/models/stan/lang"
)

// corpus calls f for each program of a folder with each of its data files.
func corpus(t *testing.T, dir string, f func(name, src string, data []byte)) {
	t.Helper()
	files, err := filepath.Glob("testdata/" + dir + "/*.stan")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", dir, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(file, ".stan")
		list, _ := filepath.Glob(name + "-*.json")
		if _, err := os.Stat(name + ".json"); err == nil || len(list) == 0 {
			list = append(list, name+".json")
		}
		for _, d := range list {
			if strings.HasSuffix(d, ".oracle.json") {
				continue
			}
			data, _ := os.ReadFile(d)
			f(filepath.Base(d), string(src), data)
		}
	}
}

// notYet are programs that call functions that are not supported.
var notYet = map[string]string{"functions_real.json": "bessel_first_kind"}

// TestProgramsCompile checks that all programs of the corpus compile, except notYet.
func TestProgramsCompile(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"programs", "ordinary"} {
		n := 0
		corpus(t, dir, func(name, src string, data []byte) {
			n++
			if notYet[name] != "" {
				return
			}
			if _, err := Compile(src, data, nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		t.Logf("%s: %d cases", dir, n)
	}
}

// TestProgramsAreRefused checks that each program with an error is refused with the position and message that its first
// line states.
func TestProgramsAreRefused(t *testing.T) {
	t.Parallel()
	corpus(t, "refused", func(name, src string, data []byte) {
		var line, column int
		var why string
		if at := strings.Index(src, "// error "); at >= 0 {
			first, _, _ := strings.Cut(src[at:], "\n")
			fmt.Sscanf(first, "// error %d:%d", &line, &column)
			why = first
		}
		_, err := Compile(src, data, nil)
		if why == "" { // a hint, not an error
			return
		}
		var e *lang.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, want %s", name, err, why)
		} else if e.Line != line || e.Column != column {
			t.Errorf("%s: want %s\n%v", name, why, err)
		} else {
			t.Logf("%s: %s\n%v", name, why, err)
		}
	})
}
