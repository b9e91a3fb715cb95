package models

import (
	"slices"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/spec"
)

// Kind describes a kind of model: its parameters, files, built-in models and traits. It is
// declared beside the code of the kind, and other packages ask it instead of the kind's name,
// so a new kind is a file with its Kind and a line in a list of Kinds.
type Kind struct {
	Name   string // in files and lists, as rbm
	Label  string // in sentences, as RBM
	Title  string // heading of its built-in models
	Params []spec.Param
	Own    []spec.Param           // more, of own files only
	Reads  modelfile.Reader[File] // its Kind is Name
	// Entries are its built-in models in the order in which people meet them.
	Entries []Entry
	Traits
}

// Traits are facts that do not depend on the parameters of a model. Their zero values are the
// safe assumptions.
type Traits struct {
	// Look is what a row looks like.
	Look Look
	// Axes are what the coordinates of a point mean.
	Axes Axes
	// OneMode says that the target has one mode, so that no group of chains can miss a part of the target.
	OneMode bool
	// Stepwise says that the models have a Formation.Sequence.
	Stepwise bool
	// Use is what methods' parameters may ask of the models (spec.Param.For).
	Use spec.Use
	// Estimated says that likelihoods are only estimated, at some value of the parameters at least.
	Estimated bool
	// QuickLadder says that the models have Exact.LadderLogZ by closed forms, or by sums that are refused where those of
	// a usual ladder would take more than some two seconds.
	QuickLadder bool
}

// Look is what a row looks like.
type Look int

const (
	Pictures  Look = iota // units that are on or off, as a picture
	Lattices              // spins up or down, as a picture
	Points                // a point, of which two coordinates are shown
	Functions             // a random function, through data with labels
)

// Axes are what the coordinates of a point mean.
type Axes int

const (
	Coordinates  Axes = iota // just these
	Coefficients             // of a regression
	LogOdds                  // of a probability
	MeanVariance             // the mean, and the log of the variance
	Volatility               // level and persistence of log volatility
	TwoVariances             // logs of the variances of a state and of noise
	Parameters               // of a program, the first two
)

// OwnParams are the parameters of own files.
func (k *Kind) OwnParams() []spec.Param { return slices.Concat(k.Params, k.Own) }

// File is a model file that has been read, or what a built-in model is made from:
// everything but the values of the kind's parameters. Shapes and finiteness have been
// checked.
type File interface {
	Kind() *Kind
	// Open makes the model. name and about are what results and people call it;
	// parameters that v lacks have their default. The meter, which may be nil, watches
	// memory and time.
	Open(name, about string, v spec.Values, m *meter.Meter) (Model, error)
}

// Canonical is implemented by files of which several texts make one model.
type Canonical interface {
	// Canonical is the text under which links know the file. Reading Canonical gives the same file.
	Canonical() []byte
}

// CanonicalOf is the text by which links know a file, and which is kept of it: Canonical, or else the bytes b.
func CanonicalOf(f File, b []byte) []byte {
	if c, ok := f.(Canonical); ok {
		return c.Canonical()
	}
	return b
}

// Phrases joins phrases to one, without those that are nil.
func Phrases(parts ...error) (all error) {
	for _, p := range parts {
		switch {
		case all == nil:
			all = p
		case p != nil:
			all = problem.New("%w; %w", all, p)
		}
	}
	return all
}

// mostNamed is how many columns are listed.
const mostNamed = 8

// Named is a list of columns in words, of many the first ones.
func Named(columns []string) string {
	list := strings.Join(columns[:min(len(columns), mostNamed)], ", ")
	if len(columns) > mostNamed {
		list += " ..."
	}
	return list
}

// FromFile makes a model from an own file. name is how results call it; the meter may be nil.
func FromFile(name string, f File, v spec.Values, m *meter.Meter) (Model, error) {
	return f.Open(name, "Your own model.", v, m)
}

// Entry is a built-in model.
type Entry struct {
	Name  string
	Truth string // where its exact log Z comes from; "" where there is none
	About string
	// Files are the bundled files that it is made from.
	Files []string
	// Make reads them; load fetches one by name. The meter may be nil.
	Make func(load func(file string) ([]byte, error), m *meter.Meter) (File, error)
	// Data is a word that entries with equal data share; "" where no other entry has the same data.
	Data string
	Kind *Kind // set by Kinds.Builtin
}
