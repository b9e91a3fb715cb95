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
	head := (&Record{kind: recordHead, texts: [5]string{"link", "unknown", "", "1/2"}}).encode()
	length := func(n uint64) []byte { return binary.AppendUvarint(nil, n) }
	for name, c := range map[string]struct {
		b     []byte
		whole bool // as far as the head
	}{
		"zeros":                    {nil, false},
		"a long head":              {length(mostHead + 1), false},
		"a head of all there is":   {append(length(1<<40-20), recordHead), false},
		"no head":                  {append(length(1000), recordUnit), false},
		"a length without an end":  {[]byte(strings.Repeat("\xff", 100)), false},
		"a record that is too big": {append(head, length(mostRecord+1)...), true},
		"a record of all there is": {append(head, length(1<<40-1000)...), true},
		"zeros after the head":     {head, true},
	} {
		file := filepath.Join(t.TempDir(), "part")
		if err := errors.Join(os.WriteFile(file, c.b, 0o600), os.Truncate(file, 1<<40)); err != nil {
			t.Skipf("no sparse files here: %v", err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := ReadPart(file)
		runtime.ReadMemStats(&after)
		if c.whole && (err != nil || f.Lost == nil || len(f.Records) != 1) || !c.whole && !errors.Is(err, ErrNoPart) {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s took %d bytes", name, took)
		}
	}
}

// The file of a part that has no record is begun anew under the name that logz gives, and refused under any other; one
// that is another part or of another experiment is refused.
func TestOpenPart(t *testing.T) {
	dir := t.TempDir()
	which := Which{K: 1, N: 2, Array: "Slurm 0"}
	ours := which.FileIn(dir, "link")
	for name, begins := range map[string]bool{ours: true, filepath.Join(dir, "thesis.txt"): false} {
		if err := os.WriteFile(name, []byte("not a part"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := Part{}
		err := p.Open(name, "link", which)
		if (err == nil) != begins || err != nil && !strings.Contains(err.Error(), "is no file of a part") {
			t.Errorf("%s: %v", name, err)
		}
		if begins && p.Journal.Lost == nil {
			t.Error("nothing is said of what was lost")
		}
		if err == nil {
			p.Journal.Close()
		} else if b, _ := os.ReadFile(name); string(b) != "not a part" {
			t.Errorf("%s was changed", name)
		}
	}
	for want, open := range map[string]func(p *Part) error{
		"is part 1/2, and this would be part 1/3": func(p *Part) error { return p.Open(ours, "link", Which{K: 1, N: 3}) },
		"is the file of another run":              func(p *Part) error { return p.Open(ours, "other", which) },
		"is the file of a part, not of a room": func(*Part) error {
			_, _, _, _, err := OpenJournal(ours, "link")
			return err
		},
	} {
		if err := open(&Part{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if head, err := readHead(ours); err != nil || head != which {
		t.Errorf("the head is %+v, %v", head, err)
	}
}

// Names of parts are those that logz gives, and no others.
func TestNameOf(t *testing.T) {
	which := Which{K: 3, N: 120}
	file := which.FileIn("dir", "link")
	if f, ok := NameOf(file); !ok || f.K != 3 || f.N != 120 || f.Experiment != Experiment("link") ||
		!strings.HasSuffix(file, "-003-of-120.part") {
		t.Errorf("%s is %+v, %v", file, f, ok)
	}
	for _, name := range []string{"logz-1a2b3c4d-3-of-2.part", "logz-1a2b3c4d-0-of-2.part", "logz-1a2b3c4-1-of-2.part",
		"logz-1a2b3c4d-1-of-2.part.tmp", "log-1a2b3c4d-1-of-2.part", "logz-1a2b3c4d-+1-of-2.part", "logz-1a2b3c4d-1.part",
		"logz-1a2b3c4d-1-of-99999999999.part", "a.room"} {
		if f, ok := NameOf(name); ok {
			t.Errorf("%s is %+v", name, f)
		}
	}
}

// Units of a run that is over leave the file while it grows, and the rest stays.
func TestPartTidies(t *testing.T) {
	p := Part{}
	file := filepath.Join(t.TempDir(), "part")
	if err := p.Open(file, "link", Which{K: 1, N: 1}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b"} {
		if err := p.keep("run "+id, "job", "unit of "+id, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	over := &Record{kind: recordOver, texts: [5]string{"run a", "", "job"}, body: []byte("result")}
	if err := errors.Join(p.Journal.add(over), p.Journal.Close()); err != nil {
		t.Fatal(err)
	}
	p = Part{} // the program was killed here
	if err := p.Open(file, "link", Which{K: 1, N: 1}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Tidy(), p.keep("run b", "job", "another", nil), p.Journal.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := ReadPart(file)
	kinds := ""
	for _, r := range f.Records {
		kinds += string(r.kind) + " " + r.texts[0] + ", "
	}
	if err != nil || f.Lost != nil || kinds != "H link, U unit of b, W run a, U another, " {
		t.Errorf("%q, %v, %v", kinds, f.Lost, err)
	}
}
