package report

import (
	"context"
	"flag"
	"os"
	"runtime"
	"strings"
	"testing"

	"logzlab/estimators/labtest"
)

var update = flag.Bool("update", false, "write testdata/golden.txt from this machine's digits")

// The digits are compared with ==: any change of a bit, a draw or an order fails. The links of
// testdata/golden.txt cover every model kind, method, schedule and option that changes digits,
// small enough for a phone; with -update a line may be a link alone.
func TestGolden(t *testing.T) {
	if *update {
		var b strings.Builder
		for _, line := range strings.Split(strings.TrimSpace(Golden), "\n") {
			link, _, _ := strings.Cut(line, "\t")
			g := runGolden(context.Background(), link, labtest.LoadSite, runtime.NumCPU())
			if g.Problem != "" {
				t.Fatalf("%s: %s", link, g.Problem)
			}
			b.WriteString(g.Link + "\t" + g.LogZ + "\t" + g.Hash + "\n")
		}
		if err := os.WriteFile("testdata/golden.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	results := Check(context.Background(), labtest.LoadSite, runtime.NumCPU())
	if len(results) < 30 {
		t.Fatalf("golden.txt has only %d links", len(results))
	}
	for _, r := range results {
		if !r.OK {
			t.Errorf("%s: %s %s, %s", r.Link, r.LogZ, r.Hash, r.Problem)
		}
	}
}
