package run

import (
	"errors"
	"slices"

	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/spec"
	"logzlab/estimators/auto"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/models"
	"logzlab/models/rbm"
	"logzlab/models/stan/program"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// Loader holds the experiment, the loaded files of its model, and the last model that was made.
type Loader struct {
	state.Experiment
	loaded map[string][]byte // loaded bundled files by name

	LastModel    models.Model                   // the last model
	LastModelKey string                         // its key
	caches       map[string]map[string][][]byte // rounds that depend only on the model, by model key
}

// NewLoader returns a Loader without an experiment. Loaded bundled files are added to the given map by name.
func NewLoader(files map[string][]byte) Loader {
	return Loader{loaded: files, caches: map[string]map[string][][]byte{}}
}

// Missing lists the bundled files of the model that are not loaded.
func (x *Loader) Missing() []string {
	return slices.DeleteFunc(slices.Clone(catalog.Kinds.Files(x.Spec.Model)),
		func(f string) bool { return x.loaded[f] != nil })
}

// ModelFiles returns the files that a lane needs to make the model.
func (x *Loader) ModelFiles() (files []workerpool.File) {
	for _, f := range catalog.Kinds.Files(x.Spec.Model) {
		files = append(files, workerpool.File{Name: f, ID: f, Data: x.loaded[f]})
	}
	if spec.IsFile(x.Spec.Model) {
		files = append(files, workerpool.File{Name: engine.OwnFile, ID: x.Own.ID, Data: x.Own.Data})
		if x.Spec.Set["data"] != "" {
			files = append(files, workerpool.File{Name: engine.OwnRows, ID: x.Own.Rows.ID, Data: x.Own.Rows.Data})
		}
	}
	return files
}

// Model makes the model, unless the last one was the same. The meter limits memory and yields.
func (x *Loader) Model(watch *meter.Meter) (models.Model, error) {
	key := engine.ModelKey(x.Spec, catalog.Names{})
	if x.LastModel != nil && x.LastModelKey == key {
		return x.LastModel, nil
	}
	src := engine.Source{Load: func(f string) ([]byte, error) {
		if data := x.loaded[f]; data != nil {
			return data, nil
		}
		return nil, errors.New(f + " is not loaded")
	}}
	if spec.IsFile(x.Spec.Model) {
		src.File, src.Name = x.Own.File, x.Own.Name
	}
	m, err := src.Open(x.Spec, watch)
	if err == nil {
		x.LastModel, x.LastModelKey = m, key
		if spec.IsFile(x.Spec.Model) {
			x.Own.Summary = m.Info().Understood
		}
	}
	return m, err
}

// Cache returns rounds of the model that are kept from run to run.
func (x *Loader) Cache() map[string][][]byte {
	key := engine.ModelKey(x.Spec, catalog.Names{})
	if x.caches[key] == nil {
		x.caches[key] = map[string][][]byte{}
	}
	return x.caches[key]
}

// Options returns the options of a job on the lane workers.
func (x *Loader) Options(c *workerpool.Pool) engine.Options {
	return engine.Options{Workers: c.Size, Cache: x.Cache(), MemoryLimit: workerpool.Memory, SeparateMemory: true}
}

// WithOwn returns the experiment with an own file as its model.
func (x Loader) WithOwn(own state.OwnModel) Loader {
	previous := x.Own.File
	x.Own, x.LastModel = own, nil
	if x.Spec == nil || x.Spec.Model != own.ID {
		userChose := x.Spec != nil && x.Spec.Link() != state.DefaultLink
		if own.File.Kind() == &program.Kind { // methods selected for another kind of model do not apply to a program
			userChose = userChose && previous != nil && previous.Kind() == &program.Kind
		}
		x.Spec = x.Draft()
		if state.SetModel(x.Spec, own.ID); !userChose { // by default auto, for a trustworthy first result
			x.Spec = x.Spec.Only(x.Names(), auto.AUTO.Name)
		}
		x.Spec.Prune(x.Names())
	}
	if id := own.Rows.ID; id != "" && x.Spec.Set["data"] != id {
		x.Spec = x.Draft()
		x.Spec.Set["data"] = id
	}
	return x
}

// WithRows returns the experiment with data rows for the own RBM. An error says why the file is not data rows.
func (x Loader) WithRows(name string, data []byte, event int, watch *meter.Meter) (Loader, error) {
	own := x.Own
	f, id, err := rbm.WithRows(own.File, data, watch)
	if err != nil {
		return x, err
	}
	own.File = f
	own.Rows = state.OwnRows{Name: name, ID: id, Data: data, Event: event}
	x = x.WithOwn(own)
	x.Model(watch) // for the summary; errors of the model are reported by the run
	return x, nil
}

// WithFile returns the experiment with a parsed own file, after making its model, because the file may still be
// invalid.
func (x Loader) WithFile(name string, data []byte, f models.File, event int, watch *meter.Meter) (Loader, error) {
	data = models.CanonicalOf(f, data)
	own := state.OwnModel{Name: name, ID: modelfile.ID(data), Data: data, File: f, Event: event}
	x = x.WithOwn(own)
	_, err := x.Model(watch)
	if err != nil {
		// If only the link's settings of the model are invalid, the run reports it.
		s := spec.Spec{}
		_, err = models.FromFile(name, f, s.Values(f.Kind().OwnParams(), ""), watch)
	}
	return x, err
}
