package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"logzlab/core/files/disk"
	"logzlab/core/files/modelfile"
	"logzlab/estimators/report"
	"logzlab/models/stan"
	"logzlab/models/stan/lang"
)

// isProgram reports whether the name of a file ends in .stan.
func isProgram(name string) bool { return strings.HasSuffix(name, ".stan") }

// compile compiles the Stan program with the source b and the data of -data. For logz prior it compiles only the
// priors.
func (o *options) compile(b []byte) (*stan.Compiled, error) {
	var data []byte
	if o.isGiven["data"] {
		var err error
		if data, err = readFile(o.data, modelfile.MaxInflated); err != nil {
			return nil, fmt.Errorf("data %q cannot be read: %v", o.data, err)
		}
		o.isGiven["data"] = false // so that openRows does not read it
	}
	name := strings.TrimSuffix(filepath.Base(o.model), ".stan")
	t := stan.Text{Name: name, Source: string(b), Data: string(data)}
	compile := t.Compile
	if o.command == "prior" {
		compile = func() (*stan.Compiled, error) { return o.compilePriors(t) }
	}
	c, err := compile()
	if err == errInfiniteIntegral {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.model, err)
	}
	o.packedProgram = t.Pack()
	return c, nil
}

// programIn returns the packed Stan program of a link, or "" if the link has none.
func programIn(link string) string {
	_, text, _ := strings.Cut(link, "view.program=")
	text, _, _ = strings.Cut(text, "&")
	return text
}

// tapeInLink compiles the Stan program of a link and returns its name and its tape.
func tapeInLink(link string) (name string, tape []byte, err error) {
	text, err := stan.Unpack(programIn(link))
	if err != nil {
		return "", nil, err
	}
	c, err := text.Compile()
	if err != nil {
		return "", nil, fmt.Errorf("the program of the link: %w", err)
	}
	return text.Name, c.Tape.Bytes(), nil
}

// tapeCommand compiles a Stan program with its data to a file (a tape), which logz and the page can open as a model.
func tapeCommand(o *options, stdout, _ io.Writer) (int, error) {
	switch {
	case !isProgram(o.model):
		return exitUsage, errors.New("tape: give a Stan program with -model FILE.stan")
	case o.outPath == "":
		return exitUsage, errors.New("tape: give the file to write with -out FILE.tape")
	}

	b, err := readFile(o.model, modelfile.MaxInflated)
	if err != nil {
		return exitUsage, fmt.Errorf("model %q cannot be read: %v", o.model, err)
	}
	c, err := o.compile(b)
	if err != nil {
		return exitUsage, err
	}
	file := c.Tape.Bytes()
	if err := disk.Write(o.outPath, file); err != nil {
		return exitFailed, err
	}

	// The report on the tape.
	summary := struct {
		V          int      `json:"v"`
		Model      string   `json:"model"`
		SHA256     string   `json:"sha256"`
		Dim        int      `json:"dim"`
		Operations int      `json:"operations"`
		Notes      []string `json:"notes"`
	}{1, modelfile.ID(file), fmt.Sprintf("%x", sha256.Sum256(file)), c.Tape.Dim(), c.Tape.NumOps(), []string{}}
	for _, n := range c.Notes {
		summary.Notes = append(summary.Notes, n.Error())
	}
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(summary))
		return exitOK, nil
	}
	fmt.Fprintf(stdout, "%s: %d coordinates, %d operations, %d bytes, %s\n", o.outPath, summary.Dim, summary.Operations, len(file),
		summary.Model)
	for _, n := range summary.Notes {
		fmt.Fprintf(stdout, "  note       %s\n", n)
	}
	return exitOK, nil
}

// compilerError returns the text of an error. ok tells whether it is an error of the Stan compiler, whose text has
// several lines that show where the program is wrong.
func compilerError(err error) (text string, ok bool) {
	var e *lang.Error
	return strings.TrimRight(err.Error(), "\n"), errors.As(err, &e)
}
