package main

import (
	"slices"
	"strings"

	"logzlab/core/files/disk"
	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/temper"
)

// checkUKN returns an error if -ukn is given and the experiment s is not a single tempering run, whose samples -ukn
// writes.
func (o *options) checkUKN(s *spec.Spec) error {
	if o.uknPath == "" {
		if o.isGiven["ukn"] {
			return problem.New("-ukn is empty; give the file to write, as in -ukn run.npz")
		}
		return nil
	}
	var readers []string
	for _, m := range catalog.Methods {
		if m.Run().Name == temper.Run.Name {
			readers = append(readers, m.Name)
		}
	}
	for _, name := range s.Methods {
		if !slices.Contains(readers, name) {
			return problem.New("-ukn writes the samples of a tempering run, and %s has none; use only methods of %s", name,
				strings.Join(readers, ", "))
		}
	}
	switch {
	case s.Replicates > 1 || s.Target > 0:
		return problem.New("-ukn writes the samples of one run; leave out -replicates and -target")
	case len(engine.SameRun(s, catalog.Names{}, s.Methods[0])) < len(s.Methods):
		return problem.New("-ukn writes the samples of one run, and %s do not share one; give one of them",
			strings.Join(s.Methods, ", "))
	}
	return nil
}

// writeUKN writes the file of -ukn, if the flag is given and the run has samples: u_kn, the reduced potentials of all
// samples at all temperatures, and N_k, the numbers of samples.
func (o *options) writeUKN() error {
	if o.uknSamples == nil {
		return nil
	}
	file := modelfile.NewNPZ()
	rungs := len(o.uknSamples.N)
	file.Array("u_kn", o.uknSamples.U, rungs, len(o.uknSamples.U)/rungs)
	file.Array("N_k", o.uknSamples.N, rungs)
	b, err := file.Bytes()
	if err != nil {
		return err
	}
	return disk.Write(o.uknPath, b)
}
