package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/auto"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/temper"
	"logzlab/models/stan"
	"logzlab/wasm/page"
	"logzlab/wasm/page/state"
)

// onceFlag is a flag that is an error if the command line has it twice.
type onceFlag struct {
	flag.Value
	isSet bool
}

func (o *onceFlag) Set(x string) error {
	if o.isSet {
		return errors.New("it is given twice; leave one out")
	}
	o.isSet = true
	return o.Value.Set(x)
}

// IsBoolFlag reports whether the flag needs no value, as package flag requires.
func (o *onceFlag) IsBoolFlag() bool {
	b, ok := o.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// parseFlags parses the arguments of a command. A flag that is given twice is an error, except for -set. Arguments that
// are not flags may stand before, between and after the flags; they are appended to positional, or are an error if
// positional is nil.
func parseFlags(f *flag.FlagSet, args []string, positional *[]string) error {
	f.SetOutput(io.Discard)
	f.VisitAll(func(x *flag.Flag) {
		if x.Name != "set" {
			x.Value = &onceFlag{Value: x.Value}
		}
	})
	err := f.Parse(args)
	for err == nil && positional != nil && f.NArg() > 0 {
		*positional = append(*positional, f.Arg(0))
		err = f.Parse(f.Args()[1:])
	}
	switch {
	case err != nil && strings.Contains(err.Error(), "not defined"):
		var flagNames []string
		f.VisitAll(func(x *flag.Flag) { flagNames = append(flagNames, "-"+x.Name) })
		_, unknownFlag, _ := strings.Cut(err.Error(), ": ")
		return fmt.Errorf("%s: there is no flag %s%w; there are %s", f.Name(), unknownFlag, problem.Suggest(unknownFlag, flagNames),
			strings.Join(flagNames, ", "))
	case err != nil:
		return fmt.Errorf("%s: %w; run logz help %s", f.Name(), err, f.Name())
	}
	if f.NArg() > 0 && f.Lookup("model") != nil {
		return fmt.Errorf("%s: unexpected argument %q; did you mean -model %s?", f.Name(), f.Arg(0), f.Arg(0))
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%s: unexpected argument %q; run logz help %s", f.Name(), f.Arg(0), f.Name())
	}
	return nil
}

// options has the flags of all commands, and the files that they name. A command uses some of the fields.
type options struct {
	command      string
	args         []string // arguments that are not flags
	model, data  string
	evidencePath string // file of observed variables of a graph
	rowsID       string // id of the data rows of -data, "" without data rows
	method, link string
	common       map[string]*string // values of -seed, -replicates, -target and -limit (spec.Common)
	workers      int
	set          []string
	json         bool
	isGiven      map[string]bool // names of the flags that are given
	meter        *meter.Meter
	source       engine.Source
	files        map[string][]byte // contents of -model and -data, by their names in messages to workers

	roomAddr, roomPath string   // address of a room, and the file in which its host stores it
	sendsModel         bool     // the host sends its model file to the devices of the room
	checkShare         float64  // share of the replicates that the host computes again, 0 to 1; negative: the default
	serverNames        []string // further host names of the server that logz host starts
	unconfirmedCount   int      // number of replicates that nobody has checked, if a device was found wrong
	outPath            string   // value of -out: file of a tape, or file or folder of a part
	numbering          numbering
	drawsPath          string                 // value of -draws: file for draws from the posterior
	packedProgram      string                 // Stan program of -model with its data, packed as in a link
	uknPath            string                 // value of -ukn: file for samples at all temperatures
	uknSamples         *temper.Held           // samples for the file of -ukn
	compiledPriors     *stan.Compiled         // priors that logz prior has compiled
	priorsOnly         *stan.PriorsOnlyReport // what logz prior has left out of the program
}

// listFlag is a flag that may be repeated.
type listFlag struct{ values *[]string }

func (s listFlag) String() string     { return "" }
func (s listFlag) Set(x string) error { *s.values = append(*s.values, x); return nil }

// parseOptions parses the flags of the command name.
func parseOptions(name string, args []string) (*options, error) {
	o := &options{command: name, common: map[string]*string{}, isGiven: map[string]bool{}, meter: newMeter()}
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.BoolVar(&o.json, "json", false, "")
	if !slices.Contains([]string{"list", "check", "version"}, name) {
		f.StringVar(&o.model, "model", "", "")
		f.StringVar(&o.data, "data", "", "")
		f.StringVar(&o.evidencePath, "evidence", "", "")
		f.Var(listFlag{&o.set}, "set", "")
	}

	workers := runtime.NumCPU()
	if name == "host" {
		workers = 0
		f.StringVar(&o.roomAddr, "addr", "", "")
		f.StringVar(&o.roomPath, "file", "", "")
		f.BoolVar(&o.sendsModel, "give", false, "")
		f.Float64Var(&o.checkShare, "verify", -1, "")
		f.Var(listFlag{&o.serverNames}, "name", "")
	}
	if name == "run" {
		f.StringVar(&o.drawsPath, "draws", "", "")
		f.StringVar(&o.uknPath, "ukn", "", "")
	}
	if name == "tape" || name == "part" {
		f.StringVar(&o.outPath, "out", "", "")
	}
	if name == "part" {
		o.numbering.flags(f)
	}
	if slices.Contains([]string{"run", "link", "compare", "host", "part", "prior"}, name) {
		f.StringVar(&o.method, "method", "", "")
		for _, key := range spec.Common {
			o.common[key] = f.String(key, "", "")
		}
		f.StringVar(&o.link, "link", "", "")
	}
	if name == "bounds" {
		f.StringVar(&o.link, "link", "", "")
	}
	if !slices.Contains([]string{"list", "link", "version"}, name) {
		f.IntVar(&o.workers, "workers", workers, "")
	}

	var names *[]string
	if slices.Contains([]string{"host", "work", "part", "join", "bounds", "prior"}, name) {
		names = &o.args
	}
	if err := parseFlags(f, args, names); err != nil {
		return nil, err
	}
	f.Visit(func(x *flag.Flag) { o.isGiven[x.Name] = true })

	if o.isGiven["workers"] && (o.workers < 1 || o.workers > maxWorkers) {
		return nil, fmt.Errorf("workers = %d must be between 1 and %d", o.workers, maxWorkers)
	}
	if o.isGiven["verify"] && !(o.checkShare >= 0 && o.checkShare <= 1) {
		return nil, fmt.Errorf("%s: -verify must be from 0 to 1", name)
	}
	return o, nil
}

// takeLink sets the link from the arguments that are not flags. More than one, or one beside -link, is an error.
func (o *options) takeLink(links []string) error {
	switch {
	case len(links) == 0:
		return nil
	case len(links) > 1 || o.isGiven["link"]:
		return fmt.Errorf("%s: give one link", o.command)
	}
	o.link, o.isGiven["link"] = links[0], true
	return nil
}

// maxWorkers is the largest value of -workers, more than any computer has cores.
const maxWorkers = 1000

// experiment returns the spec of the experiment that the flags or the link describe, and the source of its model. An
// error means that the flags contradict one another or that a file cannot be read.
func (o *options) experiment() (*spec.Spec, engine.Source, error) {
	src := engine.Source{Load: loadBundled}
	model, isFile, err := o.openFile(&src)
	if err != nil {
		return nil, src, err
	}
	names := catalog.Names{}
	if isFile {
		names.File, names.Kind = model, src.File.Kind()
	}
	if o.rowsID, err = o.openRows(&src); err != nil {
		return nil, src, err
	}

	if o.isGiven["link"] {
		for _, f := range append([]string{"method", "set"}, spec.Common...) {
			if o.isGiven[f] {
				return nil, src, fmt.Errorf("-%s cannot be given with -link; the link has it", f)
			}
		}
		s, err := spec.ParseLink(o.link, names)
		if err != nil {
			return nil, src, err
		}
		if spec.IsFile(s.Model) && !isFile {
			return nil, src, fmt.Errorf("the link is about a file (%s): give that file with -model FILE", s.Model)
		}
		if o.model != "" && model != s.Model {
			return nil, src, fmt.Errorf("-model %s is %s, the link is about %s", o.model, model, s.Model)
		}
		if isFile && model != s.Model {
			return nil, src, fmt.Errorf("this version compiles the program of the link to %s, and the link expects %s",
				model, s.Model)
		}
		if linkRowsID := s.Set["data"]; linkRowsID != o.rowsID {
			return nil, src, fmt.Errorf("the link is about data rows data=%s, and -data is data=%s: give the right file with "+
				"-data FILE", cmp.Or(linkRowsID, "none"), cmp.Or(o.rowsID, "none"))
		}
		return s, src, nil
	}
	if o.model == "" {
		return nil, src, errors.New("-model is missing: a built-in name (see logz list) or a file")
	}
	if o.command == "exact" {
		s := spec.Exact(model)
		if err := o.applySettings(s, names); err != nil {
			return nil, src, err
		}
		return s, src, s.Check(names)
	}

	if o.method == "" && !o.isGiven["method"] {
		o.method = auto.AUTO.Name
	}
	methods := strings.Split(o.method, ",")
	for i := range methods {
		methods[i] = strings.TrimSpace(methods[i])
	}
	s, err := spec.New(model, methods, names)
	if err != nil {
		return nil, src, err
	}
	for _, key := range spec.Common {
		if o.isGiven[key] {
			if *o.common[key] == "" {
				return nil, src, fmt.Errorf("-%s is empty; give a value, or leave it out", key)
			}
			if err := s.PutKey(names, key, *o.common[key]); err != nil {
				return nil, src, err
			}
		}
	}
	if err := o.applySettings(s, names); err != nil {
		return nil, src, err
	}
	return s, src, s.Check(names)
}

// newJob reads the files of the experiment and returns its job, and the view settings of its link.
func (o *options) newJob() (*engine.Job, state.Settings, error) {
	s, src, err := o.experiment()
	if err != nil {
		return nil, state.Settings{}, err
	}
	view, err := page.Known().Parse(s.View)
	if err != nil {
		return nil, view, err
	}
	o.source = src
	if err := o.checkUKN(s); err != nil {
		return nil, view, err
	}
	j, err := o.openJob(s)
	return j, view, err
}

// openJob returns the job of the spec s, with the model file that newJob has read.
func (o *options) openJob(s *spec.Spec) (*engine.Job, error) {
	m, err := o.source.Open(s, o.meter)
	if err != nil {
		return nil, err
	}
	opt := engine.Options{MemoryLimit: o.meter.Limit, Workers: o.workers}
	if o.uknPath != "" {
		opt.Names.Methods = temper.HoldSamples(catalog.Methods, func(h *temper.Held) {
			o.uknSamples = cmp.Or(o.uknSamples, h) // the first call is of the clamped RBM, a second one of the free RBM
		})
	}
	return engine.NewJob(s, m, opt)
}

// applySettings puts the values of -set and -data into the spec s. A key that is set twice is an error.
func (o *options) applySettings(s *spec.Spec, names catalog.Names) error {
	if o.rowsID != "" {
		if err := s.PutKey(names, "data", o.rowsID); err != nil {
			return err
		}
	}

	// One key can be written in several ways, such as chains and ais.chains.
	setBy := map[string]string{}
	for _, setting := range o.set {
		key, value, ok := strings.Cut(setting, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if method, name, dotted := strings.Cut(key, "."); !ok || method == "" || dotted && name == "" {
			return fmt.Errorf("-set %q: it must be key=value, as chains=50 or ais.chains=50", setting)
		}
		keys, err := s.Keys(names, key)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if setBy[k] != "" {
				return fmt.Errorf("-set %s and -set %s both set %s; leave one out", setBy[k], setting, k)
			}
			if setBy[k] = setting; o.isGiven[k] {
				return fmt.Errorf("-%s and -set %s both set %s; leave one out", k, setting, k)
			}
			if err := s.PutKey(names, k, value); err != nil {
				return err
			}
		}
	}
	return nil
}
