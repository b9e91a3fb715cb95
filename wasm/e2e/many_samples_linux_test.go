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

// What 60 MB of .xvg may take: MB of memory of the process that holds the page and its workers, and seconds on a quiet
// machine.
const (
	mostMemory = 500
	mostTime   = 15
)

// TestManySamples: 60 MB of .xvg become a report in the page within the memory and the time that were promised; the
// time is scaled by the yardstick, for the machine may be busy.
func TestManySamples(t *testing.T) {
	tier.Release(t)
	names := manySamples(t)
	s := serve(t)
	s.browser = withBrowser(t)
	b := open(t, s, noPicture)
	b.visit("?workers=2" + quick)
	b.finish()
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
	t.Logf("%.1f s on a machine %.1f times as slow as a quiet one, %.0f MB", took, slow, memory)
	if memory > mostMemory || memory == 0 {
		t.Errorf("60 MB of samples take %.0f MB of memory", memory)
	}
	if took > mostTime*slow {
		t.Errorf("60 MB of samples take %.1f s on a machine %.1f times as slow as a quiet one", took, slow)
	}
}

// busyness is how many times as long as on a quiet machine things take now, 1 or more.
func busyness(t *testing.T) float64 {
	t.Helper()
	took, err := yardstick()
	if err != nil {
		t.Fatal(err)
	}
	return max(1, took/usualYardstick)
}

// mostHeld is the most memory that a process has held at once, in MB.
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

// manySamples are the example's windows, repeated until they are 12 MB each.
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
