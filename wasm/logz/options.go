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

// onceFlag is a flag that may be given only once.
type onceFlag struct {
	flag.Value
	given bool
}

func (o *onceFlag) Set(x string) error {
	if o.given {
		return errors.New("it is given twice; leave one out")
	}
	o.given = true
	return o.Value.Set(x)
}

// IsBoolFlag reports whether the flag needs no value, as package flag requires.
func (o *onceFlag) IsBoolFlag() bool {
	b, ok := o.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// parseFlags parses the arguments of a command. A flag that is given twice is an error, except for -set. Arguments that
// are not flags, also those between flags, are appended to names; they are an error if names is nil.
func parseFlags(f *flag.FlagSet, args []string, names *[]string) error {
	f.SetOutput(io.Discard)
	f.VisitAll(func(x *flag.Flag) {
		if x.Name != "set" {
			x.Value = &onceFlag{Value: x.Value}
		}
	})
	err := f.Parse(args)
	for err == nil && names != nil && f.NArg() > 0 {
		*names = append(*names, f.Arg(0))
		err = f.Parse(f.Args()[1:])
	}
	switch {
	case err != nil && strings.Contains(err.Error(), "not defined"):
		var all []string
		f.VisitAll(func(x *flag.Flag) { all = append(all, "-"+x.Name) })
		_, bad, _ := strings.Cut(err.Error(), ": ")
		return fmt.Errorf("%s: there is no flag %s%w; there are %s", f.Name(), bad, problem.Suggest(bad, all),
			strings.Join(all, ", "))
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

// options are the flags of every command.
type options struct {
	command      string
	names        []string // arguments that are not flags
	model, data  string
	evidence     string // file of observed variables of a graph
	rowsID       string // id of the data rows, "" if there are none
	method, link string
	common       map[string]*string // values of spec.Common
	workers      int
	set          []string
	json         bool
	given        map[string]bool // names of the flags that are given
	meter        *meter.Meter
	source       engine.Source
	files        map[string][]byte // contents of -model and -data, by their names in messages to workers

	addr, file  string   // address of a room, and the file in which its host keeps it
	give        bool     // the host sends its model file to the devices
	verify      float64  // share of the replicates that the host computes as well; negative: the default
	hosts       []string // further names of the host's server
	unconfirmed int      // replicates of devices that were never checked, if any device was found wrong
	out         string   // file of a tape, or file or folder of a part
	numbering   numbering
	draws       string                 // file of draws from the posterior
	program     string                 // -model and -data of a Stan program, packed as in a link
	ukn         string                 // file of samples at all temperatures
	held        *temper.Held           // samples for ukn
	compiled    *stan.Compiled         // of prior
	alone       *stan.PriorsOnlyReport // what prior has left out of the program
}

// listFlag is a flag that may be repeated.
type listFlag struct{ to *[]string }

func (s listFlag) String() string     { return "" }
func (s listFlag) Set(x string) error { *s.to = append(*s.to, x); return nil }

// parseOptions parses the flags of the command name.
func parseOptions(name string, args []string) (*options, error) {
	o := &options{command: name, common: map[string]*string{}, given: map[string]bool{}, meter: newMeter()}
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.BoolVar(&o.json, "json", false, "")
	if !slices.Contains([]string{"list", "check", "version"}, name) {
		f.StringVar(&o.model, "model", "", "")
		f.StringVar(&o.data, "data", "", "")
		f.StringVar(&o.evidence, "evidence", "", "")
		f.Var(listFlag{&o.set}, "set", "")
	}

	workers := runtime.NumCPU()
	if name == "host" {
		workers = 0
		f.StringVar(&o.addr, "addr", "", "")
		f.StringVar(&o.file, "file", "", "")
		f.BoolVar(&o.give, "give", false, "")
		f.Float64Var(&o.verify, "verify", -1, "")
		f.Var(listFlag{&o.hosts}, "name", "")
	}
	if name == "run" {
		f.StringVar(&o.draws, "draws", "", "")
		f.StringVar(&o.ukn, "ukn", "", "")
	}
	if name == "tape" || name == "part" {
		f.StringVar(&o.out, "out", "", "")
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
		names = &o.names
	}
	if err := parseFlags(f, args, names); err != nil {
		return nil, err
	}
	f.Visit(func(x *flag.Flag) { o.given[x.Name] = true })

	if o.given["workers"] && (o.workers < 1 || o.workers > maxWorkers) {
		return nil, fmt.Errorf("workers = %d must be between 1 and %d", o.workers, maxWorkers)
	}
	if o.given["verify"] && !(o.verify >= 0 && o.verify <= 1) {
		return nil, fmt.Errorf("%s: -verify must be from 0 to 1", name)
	}
	return o, nil
}

// takeLink takes the link from the arguments that are not flags.
func (o *options) takeLink(links []string) error {
	switch {
	case len(links) == 0:
		return nil
	case len(links) > 1 || o.given["link"]:
		return fmt.Errorf("%s: give one link", o.command)
	}
	o.link, o.given["link"] = links[0], true
	return nil
}

// maxWorkers is the largest value of -workers, more than any computer has cores.
const maxWorkers = 1000

// experiment returns the spec of the experiment and the source of its model.
func (o *options) experiment() (*spec.Spec, engine.Source, error) {
	src := engine.Source{Load: loadBundled}
	model, file, err := o.openFile(&src)
	if err != nil {
		return nil, src, err
	}
	names := catalog.Names{}
	if file {
		names.File, names.Kind = model, src.File.Kind()
	}
	if o.rowsID, err = o.openRows(&src); err != nil {
		return nil, src, err
	}

	if o.given["link"] {
		for _, f := range append([]string{"method", "set"}, spec.Common...) {
			if o.given[f] {
				return nil, src, fmt.Errorf("-%s cannot be given with -link; the link has it", f)
			}
		}
		s, err := spec.ParseLink(o.link, names)
		if err != nil {
			return nil, src, err
		}
		if spec.IsFile(s.Model) && !file {
			return nil, src, fmt.Errorf("the link is about a file (%s): give that file with -model FILE", s.Model)
		}
		if o.model != "" && model != s.Model {
			return nil, src, fmt.Errorf("-model %s is %s, the link is about %s", o.model, model, s.Model)
		}
		if file && model != s.Model {
			return nil, src, fmt.Errorf("this version compiles the program of the link to %s, and the link expects %s",
				model, s.Model)
		}
		if want := s.Set["data"]; want != o.rowsID {
			return nil, src, fmt.Errorf("the link is about data rows data=%s, and -data is data=%s: give the right file with "+
				"-data FILE", cmp.Or(want, "none"), cmp.Or(o.rowsID, "none"))
		}
		return s, src, nil
	}
	if o.model == "" {
		return nil, src, errors.New("-model is missing: a built-in name (see logz list) or a file")
	}
	if o.command == "exact" {
		s := spec.Exact(model)
		if err := o.apply(s, names); err != nil {
			return nil, src, err
		}
		return s, src, s.Check(names)
	}

	if o.method == "" && !o.given["method"] {
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
		if o.given[key] {
			if *o.common[key] == "" {
				return nil, src, fmt.Errorf("-%s is empty; give a value, or leave it out", key)
			}
			if err := s.PutKey(names, key, *o.common[key]); err != nil {
				return nil, src, err
			}
		}
	}
	if err := o.apply(s, names); err != nil {
		return nil, src, err
	}
	return s, src, s.Check(names)
}

// newJob returns the job of the experiment, and the view settings of its link.
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

// openJob returns the job of another experiment with the model file that newJob has read.
func (o *options) openJob(s *spec.Spec) (*engine.Job, error) {
	m, err := o.source.Open(s, o.meter)
	if err != nil {
		return nil, err
	}
	opt := engine.Options{MemoryLimit: o.meter.Limit, Workers: o.workers}
	if o.ukn != "" {
		opt.Names.Methods = temper.HoldSamples(catalog.Methods, func(h *temper.Held) {
			o.held = cmp.Or(o.held, h) // of the clamped RBM, not of the free one
		})
	}
	return engine.NewJob(s, m, opt)
}

// apply puts the values of -set and -data into a spec.
func (o *options) apply(s *spec.Spec, names catalog.Names) error {
	if o.rowsID != "" {
		if err := s.PutKey(names, "data", o.rowsID); err != nil {
			return err
		}
	}

	// A key can be written in several ways; each key may be set only once.
	by := map[string]string{}
	for _, kv := range o.set {
		key, value, ok := strings.Cut(kv, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if method, name, dotted := strings.Cut(key, "."); !ok || method == "" || dotted && name == "" {
			return fmt.Errorf("-set %q: it must be key=value, as chains=50 or ais.chains=50", kv)
		}
		keys, err := s.Keys(names, key)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if by[k] != "" {
				return fmt.Errorf("-set %s and -set %s both set %s; leave one out", by[k], kv, k)
			}
			if by[k] = kv; o.given[k] {
				return fmt.Errorf("-%s and -set %s both set %s; leave one out", k, kv, k)
			}
			if err := s.PutKey(names, k, value); err != nil {
				return err
			}
		}
	}
	return nil
}
