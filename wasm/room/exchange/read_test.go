//go:build !js

package exchange

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A file takes no more memory than it has, and no more than a record may have, whatever it claims: here sparse files of
// a terabyte.
func TestReadHostile(t *testing.T) {
	head := (&Record{kind: recordHead, texts: [5]string{"link", "unknown"}}).encode()
	length := func(n uint64) []byte { return binary.AppendUvarint(nil, n) }
	for name, c := range map[string]struct {
		b     []byte
		whole bool // as far as the head
	}{
		"zeros":                    {nil, false},
		"a long head":              {length(mostHead + 1), false},
		"a head of all there is":   {append(length(1<<40-20), recordHead), false},
		"no head":                  {append(length(1000), recordResult), false},
		"a length without an end":  {[]byte(strings.Repeat("\xff", 100)), false},
		"a record that is too big": {append(head, length(mostRecord+1)...), true},
		"a record of all there is": {append(head, length(1<<40-1000)...), true},
		"zeros after the head":     {head, true},
	} {
		file := filepath.Join(t.TempDir(), "a.room")
		if err := errors.Join(os.WriteFile(file, c.b, 0o600), os.Truncate(file, 1<<40)); err != nil {
			t.Skipf("no sparse files here: %v", err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := read(file, f)
		f.Close()
		runtime.ReadMemStats(&after)
		if err != nil || s.lost == nil || c.whole != (len(s.all) == 1) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s took %d bytes", name, took)
		}
	}
}
