package stan

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestZZParse(t *testing.T) {
	to := os.Getenv("ZZPARSE")
	if to == "" {
		t.Skip()
	}
	f, _ := os.Create(to)
	defer f.Close()
	filepath.Walk("/tmp/sc", func(path string, info os.FileInfo, err error) error {
		if err != nil || !strings.HasSuffix(path, ".stan") {
			return nil
		}
		b, _ := os.ReadFile(path)
		_, e := Parse(string(b))
		s := "ok"
		if e != nil {
			s = strings.Split(e.Error(), "\n")[0]
		}
		fmt.Fprintf(f, "%s\t%s\n", strings.TrimPrefix(path, "/tmp/sc/"), s)
		return nil
	})
}
