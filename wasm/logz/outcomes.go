//go:build !js

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"logzlab/core/files/disk"
	"logzlab/estimators/engine"
	"logzlab/wasm/rooms/room"
)

// runOf names a run of an experiment, or, of one whose model has a drawing, a run without the drawing.
type runOf struct {
	Free bool `json:"free,omitempty"`
	engine.RunID
}

// outcomeLine is a line in the file of a part: one run that is over.
type outcomeLine struct {
	Experiment string `json:"experiment"` // its link
	Build      string `json:"build"`
	Part       string `json:"part"` // K/N
	runOf
	Outcome []byte `json:"outcome"`
}

// What stands first in a line, and last, before the checksum.
const lineBegin, sumField = `{"experiment":`, `,"sum":"`

// encode is the line with a checksum of what stands before it.
func (x outcomeLine) encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // links have &
	_ = e.Encode(x)
	text := bytes.TrimSuffix(b.Bytes(), []byte("}\n"))
	return fmt.Appendf(nil, "%s%s%s\"}\n", text, sumField, room.ID(text))
}

// readLine reads a line, without its end; ok is false if it is damaged.
func readLine(b []byte) (x outcomeLine, n int, ok bool) {
	text, sum, _ := bytes.Cut(b, []byte(sumField))
	if string(sum) != room.ID(text)+`"}` || json.Unmarshal(append(bytes.Clone(text), '}'), &x) != nil {
		return x, 0, false
	}
	_, n, err := parsePart(x.Part)
	return x, n, err == nil
}

// outcomes are those that files of one experiment have.
type outcomes struct {
	link   string // of the experiment, "": that of the first line
	first  string // the file of the first line
	n      int    // of how many parts the last line is
	runs   map[runOf]outcome
	stderr io.Writer
}

type outcome struct {
	file string
	b    []byte
}

// mostPart is how many bytes a file of a part may have.
const mostPart = 1 << 30

// read takes the lines of a file, whose text it returns. Damaged lines are left out, with a notice.
func (k *outcomes) read(name string) (text []byte, err error) {
	text, err = disk.Read(name, mostPart)
	if err != nil {
		return nil, err
	}
	at, first, damaged := 0, 0, 0
	for b := range bytes.Lines(text) {
		at++
		x, n, ok := readLine(bytes.TrimSuffix(b, []byte("\n")))
		if !ok {
			first, damaged = cmp.Or(first, at), damaged+1
			continue
		}
		if err := k.add(name, x); err != nil {
			return nil, err
		}
		k.n = n
	}
	if damaged > 0 {
		fmt.Fprintf(k.stderr, "logz: %s, line %d: damaged or cut short, and does not count (lines like this: %d)\n", name,
			first, damaged)
	}
	return text, nil
}

// add takes a line of a file.
func (k *outcomes) add(name string, x outcomeLine) error {
	if k.link == "" {
		k.link, k.first = x.Experiment, name
	}
	before, known := k.runs[x.runOf]
	switch {
	case x.Experiment != k.link && k.first == "":
		return fmt.Errorf("%s is a part of the experiment #%s, and this is one of #%s: give another file by -out", name,
			x.Experiment, k.link)
	case x.Experiment != k.link:
		return fmt.Errorf("%s is a part of the experiment #%s, and %s is one of #%s: give the files of one experiment, as "+
			"logz-%s-*", name, x.Experiment, k.first, k.link, shortName(k.link))
	case x.Build != room.Build:
		return fmt.Errorf("%s is of build %s of the program, and this is build %s: go on with that one, or delete the file "+
			"and compute the part again", name, x.Build, room.Build)
	case known && !bytes.Equal(before.b, x.Outcome):
		return fmt.Errorf("%s and %s have different results of replicate %d of %s: one of the machines computes wrongly; "+
			"delete both files and compute the parts again", before.file, name, x.Replicate, x.Methods)
	}
	if k.runs == nil {
		k.runs = map[runOf]outcome{}
	}
	k.runs[x.runOf] = outcome{name, x.Outcome}
	return nil
}

// restore gives a job the outcomes of its runs; free: it is the job without a drawing.
func (k *outcomes) restore(j *engine.Job, free bool) error {
	return j.Restore(func(id engine.RunID) []byte { return k.runs[runOf{free, id}].b })
}
