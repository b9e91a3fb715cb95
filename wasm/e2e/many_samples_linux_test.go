package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// The limits for reading 60 MB of .xvg files: memory of the renderer process in MB, and seconds on an idle computer.
const (
	mostMemory = 500
	mostTime   = 15
)

// TestManySamples checks that the page reads 60 MB of .xvg files within the documented memory and time. The time limit
// is scaled by the yardstick, because the computer may be busy.
func TestManySamples(t *testing.T) {
	tier.Release(t)
	names := manySamples(t)
	s := serve(t)
	s.browser = withBrowser(t)
	b := open(t, s, noPicture)
	b.visit("?workers=2" + quick)
	b.awaitResults()
	b.rest()
	slow := busyness(t)
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), names))
	eval[bool](b, `(window.begun = performance.now(), true)`)
	b.until(judged)
	took := eval[float64](b, `performance.now() - window.begun`) / 1000
	slow = max(slow, busyness(t))
	memory := 0.0
	ids, err := renderers(b.ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		memory = max(memory, mostHeld(t, id))
	}
	t.Logf("%.1f s on a computer %.1f times as slow as the idle reference, %.0f MB", took, slow, memory)
	if memory > mostMemory || memory == 0 {
		t.Errorf("60 MB of samples take %.0f MB of memory, want at most %d", memory, mostMemory)
	}
	if took > mostTime*slow {
		t.Errorf("60 MB of samples take %.1f s on a computer %.1f times as slow as the idle reference, want at most %.1f s",
			took, slow, mostTime*slow)
	}
}

// busyness returns the current slowdown compared with the idle reference computer, at least 1.
func busyness(t *testing.T) float64 {
	t.Helper()
	took, err := yardstick()
	if err != nil {
		t.Fatal(err)
	}
	return max(1, took/usualYardstick)
}

// mostHeld returns the peak memory (VmHWM) of a process, in MB.
func mostHeld(t *testing.T, id int) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kB, err := strconv.ParseFloat(append(strings.Fields(after), "")[0], 64)
	if err != nil {
		t.Fatalf("%v in %s", err, status)
	}
	return kB / 1000
}

// manySamples writes the windows of the bundled example, each repeated to 12 MB, and returns the file names.
func manySamples(t *testing.T) (names []string) {
	t.Helper()
	dir := t.TempDir()
	windows, _ := filepath.Glob("../../site/samples/windows-*.xvg")
	for _, name := range windows {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(data), "\n")
		first := 0
		for strings.HasPrefix(lines[first], "#") || strings.HasPrefix(lines[first], "@") {
			first++
		}
		var out strings.Builder
		out.WriteString(strings.Join(lines[:first], ""))
		for i := 0; out.Len() < 12e6; i++ {
			_, row, _ := strings.Cut(lines[first+i%(len(lines)-first-1)], " ")
			fmt.Fprintf(&out, "%d.0 %s", i, row)
		}
		name = filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(name, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}
