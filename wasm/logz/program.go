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

// isProgram reports whether a file is a Stan program, by its name.
func isProgram(name string) bool { return strings.HasSuffix(name, ".stan") }

// compile compiles the Stan program b with the data of -data.
func (o *options) compile(b []byte) (*stan.Compiled, error) {
	var data []byte
	if o.given["data"] {
		var err error
		if data, err = readFile(o.data, modelfile.MaxInflated); err != nil {
			return nil, fmt.Errorf("data %q cannot be read: %v", o.data, err)
		}
		o.given["data"] = false // so that openRows does not read it
	}
	name := strings.TrimSuffix(filepath.Base(o.model), ".stan")
	t := stan.Text{Name: name, Source: string(b), Data: string(data)}
	compile := t.Compile
	if o.command == "prior" {
		compile = func() (*stan.Compiled, error) { return o.compilePriors(t) }
	}
	c, err := compile()
	if err == errInfinite {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.model, err)
	}
	o.program = t.Pack()
	return c, nil
}

// programIn returns the packed Stan program of a link, or "" if the link has none.
func programIn(link string) string {
	_, text, _ := strings.Cut(link, "view.program=")
	text, _, _ = strings.Cut(text, "&")
	return text
}

// tapeInLink compiles the Stan program of a link.
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

// tapeCommand compiles a Stan program with its data to a file, which the command and the page read.
func tapeCommand(o *options, stdout, _ io.Writer) (int, error) {
	switch {
	case !isProgram(o.model):
		return exitUsage, errors.New("tape: give a Stan program with -model FILE.stan")
	case o.out == "":
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
	if err := disk.Write(o.out, file); err != nil {
		return exitFailed, err
	}

	// The report on the tape.
	about := struct {
		V          int      `json:"v"`
		Model      string   `json:"model"`
		SHA256     string   `json:"sha256"`
		Dim        int      `json:"dim"`
		Operations int      `json:"operations"`
		Notes      []string `json:"notes"`
	}{1, modelfile.ID(file), fmt.Sprintf("%x", sha256.Sum256(file)), c.Tape.Dim(), c.Tape.NumOps(), []string{}}
	for _, n := range c.Notes {
		about.Notes = append(about.Notes, n.Error())
	}
	if o.json {
		fmt.Fprintf(stdout, "%s\n", report.Encode(about))
		return exitOK, nil
	}
	fmt.Fprintf(stdout, "%s: %d coordinates, %d operations, %d bytes, %s\n", o.out, about.Dim, about.Operations, len(file),
		about.Model)
	for _, n := range about.Notes {
		fmt.Fprintf(stdout, "  note       %s\n", n)
	}
	return exitOK, nil
}

// compilerError returns the text of an error, and whether it is one of the Stan compiler, whose lines show where the
// program is wrong.
func compilerError(err error) (text string, ok bool) {
	var e *lang.Error
	return strings.TrimRight(err.Error(), "\n"), errors.As(err, &e)
}
