package stan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCorpus(t *testing.T) {
	n := 0
	defer func() { t.Log(n, "cases") }()
	for _, dir := range []string{"programs", "ordinary"} {
		root := "/tmp/cp/"
		files, _ := filepath.Glob(root + dir + "/*.stan")
		data, _ := filepath.Glob(root + dir + "/*.json")
		for _, f := range files {
			src, _ := os.ReadFile(f)
			p, err := Parse(string(src))
			if err != nil {
				t.Errorf("%s: %v", f, err)
				continue
			}
			name := strings.TrimSuffix(filepath.Base(f), ".stan")
			for _, d := range data {
				base := strings.TrimSuffix(filepath.Base(d), ".json")
				if strings.Contains(d, ".oracle.") || base != name && !strings.HasPrefix(base, name+"-") {
					continue
				}
				n++
				b, _ := os.ReadFile(d)
				if _, err := p.Compile(b, nil); err != nil {
					t.Errorf("%s: %v", d, err)
				}
			}
		}
	}
}
