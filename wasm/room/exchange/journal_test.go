//go:build !js

package exchange

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// begun is the name of a file with a head and some results, and how long it was after each.
func begun(t *testing.T) (file string, ends []int64) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "p2")
	p := Part{}
	err := p.Open(file, "link", Which{K: 2, N: 3})
	j := p.Journal
	for _, id := range []string{"a", "b", "c"} {
		if err == nil {
			err = j.add(&Record{kind: recordUnit, texts: [5]string{id}, body: bytes.Repeat([]byte(id), 2000)})
		}
		if st, err := os.Stat(file); err == nil {
			ends = append(ends, st.Size())
		}
	}
	if err == nil {
		err = j.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return file, ends
}

// The file of a part is read as far as it is whole, and stays as it is, also if it may not be written.
func TestReadDamaged(t *testing.T) {
	for _, c := range []struct {
		damage func(b []byte, ends []int64) []byte
		units  int
		says   string
	}{
		{func(b []byte, _ []int64) []byte { return b }, 3, ""},
		{func(b []byte, ends []int64) []byte { b[ends[0]+99] ^= 1; return b }, 1,
			"after 0.002 of 0.006 MB: 1 results of it count"},
		{func(b []byte, ends []int64) []byte { return b[:ends[2]-1] }, 2, "after 0.004 of 0.006 MB: 2 results of it count"},
	} {
		file, ends := begun(t)
		b, err := os.ReadFile(file)
		if err == nil {
			b = c.damage(b, ends)
			err = os.WriteFile(file, b, 0o600)
		}
		if err == nil {
			err = os.Chmod(file, 0o400)
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := ReadPart(file)
		if err != nil {
			t.Fatal(err)
		}
		if p.Link != "link" || p.Which != (Which{K: 2, N: 3}) || len(p.Records) != 1+c.units {
			t.Errorf("link %q, part %s, %d records, want %d", p.Link, p.Which, len(p.Records), 1+c.units)
		}
		if (p.Lost == nil) != (c.says == "") || p.Lost != nil && !strings.Contains(p.Lost.Error(),
			"p2 is damaged or cut short "+c.says) {
			t.Errorf("lost: %v, want %q", p.Lost, c.says)
		}
		if after, err := os.ReadFile(file); err != nil || !bytes.Equal(after, b) {
			t.Errorf("the file has changed: %d bytes, %d before, %v", len(after), len(b), err)
		}
	}
}

// A file is one program's at a time, and one in which nothing was noted is not left behind.
func TestJournalAlone(t *testing.T) {
	file, _ := begun(t)
	open := func() (*Journal, error) {
		p := Part{}
		err := p.Open(file, "link", Which{K: 2, N: 3})
		return p.Journal, err
	}
	j, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(); !j.Free && (err == nil || !strings.Contains(err.Error(), "is in use by another logz")) {
		t.Errorf("opened twice: %v", err)
	}
	j.Close()
	if j, err = open(); err != nil || j.Close() != nil {
		t.Errorf("after it was closed: %v", err)
	}
	unused := filepath.Join(t.TempDir(), "b.room")
	if j, _, _, _, err := OpenJournal(unused, "link"); err != nil || j.Close() != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(unused); err == nil {
		t.Error("an empty file was left behind")
	}
}
