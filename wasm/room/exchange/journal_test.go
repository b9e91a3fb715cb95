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
	file = filepath.Join(t.TempDir(), "a.room")
	j, _, _, _, err := OpenJournal(file, "link")
	if err == nil {
		err = j.Begin("link", Address{"server", "code", "token"})
	}
	for _, id := range []string{"a", "b", "c"} {
		if err == nil {
			err = j.add(&Record{kind: recordResult, texts: [5]string{id}, body: bytes.Repeat([]byte(id), 2000)})
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

// A file is read as far as it is whole, and what follows is dropped when a host goes on with it.
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
			err = os.WriteFile(file, c.damage(b, ends), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		j, at, all, known, err := OpenJournal(file, "link")
		if err != nil {
			t.Fatal(err)
		}
		if !known || at != (Address{"server", "code", "token"}) || len(all) != 1+c.units {
			t.Errorf("known %v, %v, %d records, want %d", known, at, len(all), 1+c.units)
		}
		if (j.Lost == nil) != (c.says == "") || j.Lost != nil && !strings.Contains(j.Lost.Error(),
			"a.room is damaged or cut short "+c.says) {
			t.Errorf("lost: %v, want %q", j.Lost, c.says)
		}
		j.Close()
		if st, err := os.Stat(file); err != nil || st.Size() != ends[c.units-1] {
			t.Errorf("the file has %d bytes, want %d, %v", st.Size(), ends[c.units-1], err)
		}
	}
}

// A file is one program's at a time, and one in which nothing was noted is not left behind.
func TestJournalAlone(t *testing.T) {
	file, _ := begun(t)
	open := func() (*Journal, error) {
		j, _, _, _, err := OpenJournal(file, "link")
		return j, err
	}
	j, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(); !j.own.Free && (err == nil || !strings.Contains(err.Error(), "is in use by another logz")) {
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
