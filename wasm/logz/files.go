package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"logzlab/core/files/disk"
	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/models"
	"logzlab/models/graph"
	"logzlab/models/rbm"
)

// openFile resolves -model, or the Stan program in the link. For a built-in model it returns the name; a file it reads
// into src, and returns the id of the file with isFile = true.
func (o *options) openFile(src *engine.Source) (model string, isFile bool, err error) {
	names := catalog.Names{}

	// A Stan program in the link.
	if o.model == "" && programIn(o.link) != "" {
		name, b, err := tapeInLink(o.link)
		if err != nil {
			return "", false, err
		}
		model, isFile, err = o.readModel(src, b)
		src.Name = name
		return model, isFile, err
	}

	if o.model == "" || names.HasModel(o.model) {
		if o.isGiven["evidence"] {
			return "", false, errors.New("-evidence FILE needs a graph of your own: give it with -model FILE")
		}
		return o.model, false, nil
	}

	// Several files, separated by commas.
	if _, err := os.Stat(o.model); err != nil && strings.Contains(o.model, ",") {
		b, err := joinArrays(strings.Split(o.model, ","))
		if err != nil {
			return "", false, err
		}
		return o.readModel(src, b)
	}

	// A single file.
	st, err := os.Stat(o.model)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(o.model, `./\`):
		return "", false, fmt.Errorf("the model file %q was not found; check its name and folder", o.model)
	case errors.Is(err, fs.ErrNotExist):
		return "", false, fmt.Errorf("model %q is neither a built-in model nor a file%w; the built-in models are %s", o.model,
			problem.Suggest(o.model, names.ModelNames()), strings.Join(names.ModelNames(), ", "))
	case err != nil:
		return "", false, fmt.Errorf("model %q cannot be read: %v", o.model, err)
	case st.IsDir():
		return "", false, fmt.Errorf("model %q is a directory; give a .json, .npz, .pt, .mat, .safetensors, .csv, "+
			".uai, .stan or .tape file", o.model)
	case st.Size() > modelfile.MaxInflated:
		return "", false, fmt.Errorf("model %q has %d MB; the limit is 256 MB", o.model, st.Size()>>20)
	}
	b, err := readFile(o.model, modelfile.MaxInflated)
	if err != nil {
		return "", false, fmt.Errorf("model %q cannot be read: %v", o.model, err)
	}
	if isProgram(o.model) {
		c, err := o.compile(b)
		if err != nil {
			return "", false, err
		}
		b = c.Tape.Bytes()
	}
	return o.readModel(src, b)
}

// joinArrays joins several array files, such as W.npy, a.npy and b.npy, to one model file.
func joinArrays(names []string) ([]byte, error) {
	var parts []modelfile.Part
	for _, name := range names {
		name = strings.TrimSpace(name)
		if !modelfile.IsPart(name) {
			return nil, fmt.Errorf("-model with commas is a list of .npy files, as W.npy,a.npy,b.npy; %q is not one", name)
		}
		b, err := readFile(name, modelfile.MaxInflated)
		if err != nil {
			return nil, fmt.Errorf("model %q cannot be read: %v", name, err)
		}
		parts = append(parts, modelfile.Part{Name: name, Data: b})
	}
	return rbm.JoinArrays(parts)
}

// readModel reads the content b of a model file into src and returns its id. isFile is true unless there is an error.
func (o *options) readModel(src *engine.Source, b []byte) (id string, isFile bool, err error) {
	if o.isGiven["evidence"] {
		src.File, err = o.readEvidence(b)
	} else {
		src.File, err = catalog.Kinds.ReadFile(b, o.meter)
	}
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", o.model, err)
	}
	b = models.CanonicalOf(src.File, b)
	src.Name, o.files = o.model, map[string][]byte{engine.OwnFile: b}
	return modelfile.ID(b), true, nil
}

// readEvidence reads a graph with the observed variables of -evidence.
func (o *options) readEvidence(uai []byte) (models.File, error) {
	b, err := readFile(o.evidencePath, modelfile.MaxInflated)
	if err != nil {
		return nil, fmt.Errorf("evidence %q cannot be read: %v", o.evidencePath, err)
	}
	return graph.WithEvidence(uai, b, o.meter)
}

// openRows reads the data rows of -data into src.File and returns their id.
func (o *options) openRows(src *engine.Source) (id string, err error) {
	switch {
	case !o.isGiven["data"]:
		return "", nil
	case o.data == "":
		return "", errors.New("-data is empty; give a file, or leave it out")
	}
	if src.File == nil {
		return "", errors.New("-data FILE needs an RBM of your own: give it with -model FILE")
	}
	b, err := readFile(o.data, modelfile.MaxInflated)
	if err != nil {
		return "", fmt.Errorf("data %q cannot be read: %v", o.data, err)
	}
	if src.File, id, err = rbm.WithRows(src.File, b, o.meter); err != nil {
		return "", fmt.Errorf("%s: %w", o.data, err)
	}
	o.files[engine.OwnRows] = b
	return id, nil
}

// readFile reads a file of at most limit bytes. A larger file is an error. A named pipe reports no size, so at most
// limit+1 bytes of it are read.
func readFile(name string, limit int64) ([]byte, error) {
	if st, err := os.Stat(name); err != nil || st.Mode()&fs.ModeNamedPipe == 0 {
		return disk.Read(name, limit)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("it has more than the limit of %d MB", limit>>20)
	}
	return b, err
}
