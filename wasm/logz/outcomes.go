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

// runKey identifies a run of an experiment. Free marks a run of the model without its clamped units, which log p needs.
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

// A line of a file begins with linePrefix, and its checksum with sumField.
const linePrefix, sumField = `{"experiment":`, `,"sum":"`

// encode returns the line as JSON with a checksum and a newline at the end.
func (x outcomeLine) encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // links have &
	_ = e.Encode(x)
	text := bytes.TrimSuffix(b.Bytes(), []byte("}\n"))
	return fmt.Appendf(nil, "%s%s%s\"}\n", text, sumField, room.ID(text))
}

// readLine decodes a line without its newline. It also returns the number n of parts of the experiment. ok is false if
// the line is damaged.
func readLine(b []byte) (x outcomeLine, n int, ok bool) {
	text, sum, _ := bytes.Cut(b, []byte(sumField))
	if string(sum) != room.ID(text)+`"}` || json.Unmarshal(append(bytes.Clone(text), '}'), &x) != nil {
		return x, 0, false
	}
	_, n, err := parsePart(x.Part)
	return x, n, err == nil
}

// outcomes has the outcomes of the runs of one experiment, read from the files of its parts.
type outcomes struct {
	link      string // link of the experiment; if empty, the first line read sets it
	firstFile string // file that set the link, "" if the caller did
	partCount int    // number of parts, according to the last line read
	runs      map[runKey]outcome
	stderr    io.Writer
}

// outcome is the encoded result of a run, and the file that it was read from.
type outcome struct {
	file    string
	encoded []byte
}

// maxPartFile is the maximum size of the file of a part, in bytes.
const maxPartFile = 1 << 30

// read adds the lines of a file and returns its text. Damaged lines are skipped and reported on stderr.
func (k *outcomes) read(name string) (text []byte, err error) {
	text, err = disk.Read(name, maxPartFile)
	if err != nil {
		return nil, err
	}
	lineNumber, firstDamaged, damagedCount := 0, 0, 0
	for b := range bytes.Lines(text) {
		lineNumber++
		line, partCount, ok := readLine(bytes.TrimSuffix(b, []byte("\n")))
		if !ok {
			firstDamaged, damagedCount = cmp.Or(firstDamaged, lineNumber), damagedCount+1
			continue
		}
		if err := k.add(name, line); err != nil {
			return nil, err
		}
		k.partCount = partCount
	}
	if damagedCount > 0 {
		fmt.Fprintf(k.stderr, "logz: %s, line %d: damaged or cut short, and ignored (lines like this: %d)\n", name,
			firstDamaged, damagedCount)
	}
	return text, nil
}

// add adds a line of the file name. Lines of another experiment or build, or with a different result of a run that is
// known already, are errors.
func (k *outcomes) add(name string, line outcomeLine) error {
	if k.link == "" {
		k.link, k.firstFile = line.Experiment, name
	}
	previous, isKnown := k.runs[line.runKey]
	switch {
	case line.Experiment != k.link && k.firstFile == "":
		return fmt.Errorf("%s is a part of the experiment #%s, and this is one of #%s: give another file by -out", name,
			line.Experiment, k.link)
	case line.Experiment != k.link:
		return fmt.Errorf("%s is a part of the experiment #%s, and %s is one of #%s: give the files of one experiment, as "+
			"logz-%s-*", name, line.Experiment, k.firstFile, k.link, experimentID(k.link))
	case line.Build != room.Build:
		return fmt.Errorf("%s was made by build %s of the program, and this is build %s: use that build, or delete the file "+
			"and compute the part again", name, line.Build, room.Build)
	case isKnown && !bytes.Equal(previous.encoded, line.Outcome):
		return fmt.Errorf("%s and %s have different results of replicate %d of %s: one of the computers computes wrongly; "+
			"delete both files and compute the parts again", previous.file, name, line.Replicate, line.Methods)
	}
	if k.runs == nil {
		k.runs = map[runKey]outcome{}
	}
	k.runs[line.runKey] = outcome{name, line.Outcome}
	return nil
}

// restore gives a job the outcomes of its runs. free tells whether the job is the one without the clamped units.
func (k *outcomes) restore(j *engine.Job, free bool) error {
	return j.Restore(func(id engine.RunID) []byte { return k.runs[runKey{free, id}].encoded })
}
