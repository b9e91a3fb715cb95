package main

import (
	"flag"
	"os"
	"path/filepath"
	"slices"

	"logzlab/core/wire"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// cmdStages writes, for bundled RBMs with few hidden units (or only for the given ones), the exact log Z_n of the
// distribution over the first n visible units, for every n: `stages [-out DIR] [MODEL...]`. It does so for two
// sequences of visible units: that of the model file, with absent units off, and that determined by samples. A model
// takes about a minute.
func cmdStages(args []string) error {
	flags := flag.NewFlagSet("stages", flag.ContinueOnError)
	out := flags.String("out", "site/models", "directory of the models")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, e := range catalog.Kinds.Builtin() {
		files := catalog.Kinds.Files(e.Name)
		if only := flags.Args(); len(files) < 3 || len(only) > 0 && !slices.Contains(only, e.Name) {
			continue
		}

		data, err := os.ReadFile(filepath.Join(*out, files[0]))
		if err != nil {
			return err
		}
		p, err := catalog.Kinds.ReadFile(data, nil)
		if err != nil {
			return err
		}
		m, err := models.FromFile(e.Name, p, nil, nil)
		if err != nil {
			return err
		}

		// log Z_n along both sequences.
		f := models.CapabilitiesOf(m).GrowingSpaces.Absent
		var lanes [][]byte
		for lane := range models.RoughLanes {
			lanes = append(lanes, f.RoughSamples(lane))
		}
		var w wire.Writer
		for _, s := range []models.Sequence{f.Fill("off"), f.FillSampled(lanes)} {
			for _, z := range s.(interface{ Enumerate() []float64 }).Enumerate() {
				w.Float(z)
			}
		}
		if err := os.WriteFile(filepath.Join(*out, files[2]), w.B, 0o644); err != nil {
			return err
		}
	}
	return nil
}
