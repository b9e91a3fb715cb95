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

// runKey identifies a run of an experiment. If the model has clamped units, Free is a run without the clamping.
type runKey struct {
	Free bool `json:"free,omitempty"`
	engine.RunID
}

// outcomeLine is a line in the file of a part: the outcome of one complete run.
type outcomeLine struct {
	Experiment string `json:"experiment"` // link of the experiment
	Build      string `json:"build"`
	Part       string `json:"part"` // K/N
	runKey
	Outcome []byte `json:"outcome"`
}

// Start of a line, and the start of its checksum.
const linePrefix, sumField = `{"experiment":`, `,"sum":"`

// encode returns the line, which ends with a checksum.
func (x outcomeLine) encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // links have &
	_ = e.Encode(x)
	text := bytes.TrimSuffix(b.Bytes(), []byte("}\n"))
	return fmt.Appendf(nil, "%s%s%s\"}\n", text, sumField, room.ID(text))
}

// readLine decodes a line without its end. It returns the number n of parts; ok is false if the line is damaged.
func readLine(b []byte) (x outcomeLine, n int, ok bool) {
	text, sum, _ := bytes.Cut(b, []byte(sumField))
	if string(sum) != room.ID(text)+`"}` || json.Unmarshal(append(bytes.Clone(text), '}'), &x) != nil {
		return x, 0, false
	}
	_, n, err := parsePart(x.Part)
	return x, n, err == nil
}

// outcomes collects the outcomes in the files of one experiment.
type outcomes struct {
	link   string // of the experiment; if empty, the first line sets it
	first  string // file of the first line
	n      int    // number of parts, by the last line
	runs   map[runKey]outcome
	stderr io.Writer
}

type outcome struct {
	file string
	b    []byte
}

// maxPartFile is the maximum size of the file of a part, in bytes.
const maxPartFile = 1 << 30

// read adds the lines of a file and returns its text. Damaged lines are skipped and reported.
func (k *outcomes) read(name string) (text []byte, err error) {
	text, err = disk.Read(name, maxPartFile)
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
		fmt.Fprintf(k.stderr, "logz: %s, line %d: damaged or cut short, and ignored (lines like this: %d)\n", name,
			first, damaged)
	}
	return text, nil
}

// add adds a line of a file.
func (k *outcomes) add(name string, x outcomeLine) error {
	if k.link == "" {
		k.link, k.first = x.Experiment, name
	}
	before, known := k.runs[x.runKey]
	switch {
	case x.Experiment != k.link && k.first == "":
		return fmt.Errorf("%s is a part of the experiment #%s, and this is one of #%s: give another file by -out", name,
			x.Experiment, k.link)
	case x.Experiment != k.link:
		return fmt.Errorf("%s is a part of the experiment #%s, and %s is one of #%s: give the files of one experiment, as "+
			"logz-%s-*", name, x.Experiment, k.first, k.link, experimentID(k.link))
	case x.Build != room.Build:
		return fmt.Errorf("%s was made by build %s of the program, and this is build %s: use that build, or delete the file "+
			"and compute the part again", name, x.Build, room.Build)
	case known && !bytes.Equal(before.b, x.Outcome):
		return fmt.Errorf("%s and %s have different results of replicate %d of %s: one of the computers computes wrongly; "+
			"delete both files and compute the parts again", before.file, name, x.Replicate, x.Methods)
	}
	if k.runs == nil {
		k.runs = map[runKey]outcome{}
	}
	k.runs[x.runKey] = outcome{name, x.Outcome}
	return nil
}

// restore gives a job the outcomes of its runs. free means the job without the clamping.
func (k *outcomes) restore(j *engine.Job, free bool) error {
	return j.Restore(func(id engine.RunID) []byte { return k.runs[runKey{free, id}].b })
}
