package stan

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var lack = regexp.MustCompile(`the data have no (\w+), which is declared as (.*)\n`)

func TestZZCompile(t *testing.T) {
	to := os.Getenv("ZZCOMP")
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
		start := time.Now()
		data := map[string]any{}
		var e error
		for range 60 {
			text, _ := json.Marshal(data)
			_, e = Compile(string(b), text, func() bool { return time.Since(start) < 2*time.Second })
			if e == nil {
				break
			}
			m := lack.FindStringSubmatch(e.Error())
			if m == nil || data[m[1]] != nil {
				break
			}
			v := any(0.5)
			if strings.Contains(m[2], "int") {
				v = any(2)
			}
			if i := strings.LastIndex(m[2], ", "); i >= 0 {
				dims := strings.Split(m[2][i+2:], " x ")
				for k := len(dims) - 1; k >= 0; k-- {
					n, _ := strconv.Atoi(dims[k])
					list := make([]any, n)
					for j := range list {
						list[j] = v
					}
					v = list
				}
			}
			data[m[1]] = v
		}
		s := "ok"
		if e != nil {
			s = strings.Split(e.Error(), "\n")[0]
		}
		fmt.Fprintf(f, "%s\t%s\n", strings.TrimPrefix(path, "/tmp/sc/"), s)
		return nil
	})
}
