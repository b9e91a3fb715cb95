package models

import (
	"slices"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/spec"
)

// Kind describes a kind of model: its parameters, files, built-in models and traits. Code outside the kind's package
// uses these fields instead of comparing names. A new kind therefore needs only a Kind and a line in a list of Kinds.
type Kind struct {
	Name   string                 // name in links, files and lists, for example rbm
	Label  string                 // name in sentences, for example RBM
	Title  string                 // heading of its built-in models
	Params []spec.Param           // parameters of all its models
	Own    []spec.Param           // additional parameters of models from the user's own files
	Reader modelfile.Reader[File] // reads model files; Kinds.ReadFile sets its field Kind to Name
	// Entries are the built-in models in the order in which the page lists them.
	Entries []Entry
	Traits
}

// Traits are facts about a kind that hold for all values of its parameters. Where a fact is unknown, the zero value is
// the safe choice.
type Traits struct {
	// Look is the way in which rows are drawn.
	Look Look
	// Axes is the meaning of the coordinates of a point.
	Axes Axes
	// Unimodal is true if the target has one mode, so chains cannot miss a mode.
	Unimodal bool
	// HasSequence is true if models of the kind have a GrowingSpaces.Sequence.
	HasSequence bool
	// Use lists the features of the models that a parameter of a method may require (spec.Param.For).
	Use spec.Use
	// EstimatesLikelihood is true if the likelihood is only estimated, at least for some values of the parameters.
	EstimatesLikelihood bool
	// FastLadderLogZ is true if Exact.LadderLogZ takes at most about two seconds for a usual ladder, because it uses
	// closed forms or returns an error for sums that would take longer.
	FastLadderLogZ bool
}

// Look is the way in which rows are drawn.
type Look int

const (
	Pictures  Look = iota // units that are on or off, as a picture
	Lattices              // spins up or down, as a picture
	Points                // a point, of which two coordinates are shown
	Functions             // a random function, drawn with labelled data
)

// Axes is the meaning of the coordinates of a point.
type Axes int

const (
	Coordinates  Axes = iota // coordinates without a particular meaning
	Coefficients             // coefficients of a regression
	LogOdds                  // log odds of a probability
	MeanVariance             // a mean, and the log of a variance
	Volatility               // level and persistence of a log volatility
	TwoVariances             // logs of the variances of a state and of the noise
	Parameters               // parameters of a program, of which the first two are shown
)

// OwnParams returns all parameters of models from the user's own files: Params and Own.
func (k *Kind) OwnParams() []spec.Param { return slices.Concat(k.Params, k.Own) }

// File is a parsed model file, or the content of a built-in model: everything except the values of the kind's
// parameters. Shapes and finiteness have been checked.
type File interface {
	Kind() *Kind
	// Open makes the model. name and about describe the model in results and on the page. Parameters missing from v
	// have their defaults. The meter, which may be nil, counts memory and time and stops Open if they exceed their
	// limits.
	Open(name, about string, v spec.Values, m *meter.Meter) (Model, error)
}

// Canonical is implemented by files of kinds in which different texts may describe the same model.
type Canonical interface {
	// Canonical returns the text that identifies the file in links. Reading this text gives the same file.
	Canonical() []byte
}

// CanonicalOf returns the bytes that identify a file in links and that are stored for it: the result of Canonical if f
// implements it, otherwise b, the bytes of the file as it was read.
func CanonicalOf(f File, b []byte) []byte {
	if c, ok := f.(Canonical); ok {
		return c.Canonical()
	}
	return b
}

// JoinPhrases joins the phrases that are not nil with semicolons.
func JoinPhrases(parts ...error) (joined error) {
	for _, p := range parts {
		switch {
		case joined == nil:
			joined = p
		case p != nil:
			joined = problem.New("%w; %w", joined, p)
		}
	}
	return joined
}

// maxListed is the largest number of names in the result of ColumnList.
const maxListed = 8

// ColumnList returns the names of the first eight columns, separated by commas, and an ellipsis if there are more.
func ColumnList(columns []string) string {
	list := strings.Join(columns[:min(len(columns), maxListed)], ", ")
	if len(columns) > maxListed {
		list += " ..."
	}
	return list
}

// FromFile makes a model from the user's own file. name is its name in results. The meter may be nil.
func FromFile(name string, f File, v spec.Values, m *meter.Meter) (Model, error) {
	return f.Open(name, "Your own model.", v, m)
}

// Entry is a built-in model.
type Entry struct {
	Name  string
	Truth string // source of its exact log Z; "" if that is unknown
	About string
	// Files are the bundled files that Make reads.
	Files []string
	// Make builds the content of the model; load fetches a bundled file by its name. The meter may be nil.
	Make func(load func(file string) ([]byte, error), m *meter.Meter) (File, error)
	// Data is a name of the data that the entries with these data share; "" if no other entry has the same data.
	Data string
	Kind *Kind // set by Kinds.Builtin
}
