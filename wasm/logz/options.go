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
	"logzlab/core/spec"
	"logzlab/estimators/auto"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/temper"
	"logzlab/models/stan"
	"logzlab/wasm/page"
	"logzlab/wasm/page/state"
)

// once is a flag that may be given once.
type once struct {
	flag.Value
	given bool
}

func (o *once) Set(x string) error {
	if o.given {
		return errors.New("it is given twice; leave one out")
	}
	o.given = true
	return o.Value.Set(x)
}

// IsBoolFlag says that the flag stands without a value, as package flag asks.
func (o *once) IsBoolFlag() bool {
	b, ok := o.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// parseFlags reads the arguments of a command. A flag that is given twice is an error, except for -set. Arguments that
// are no flags go to names, from between the flags; if that is nil, they are an error.
func parseFlags(f *flag.FlagSet, args []string, names *[]string) error {
	f.SetOutput(io.Discard)
	f.VisitAll(func(x *flag.Flag) {
		if x.Name != "set" {
			x.Value = &once{Value: x.Value}
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
		return fmt.Errorf("%s: there is no flag %s; there are %s", f.Name(), bad, strings.Join(all, ", "))
	case err != nil:
		return fmt.Errorf("%s: %w; run logz help %s", f.Name(), err, f.Name())
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%s: unexpected argument %q; run logz help %s", f.Name(), f.Arg(0), f.Name())
	}
	return nil
}

// options are the flags of every command.
type options struct {
	command      string
	names        []string // arguments that are no flags
	model, data  string
	evidence     string // a file beside a graph
	rows         string // the id of the data rows, "" without any
	method, link string
	common       map[string]*string // values of spec.Common
	workers      int
	set          []string
	json         bool
	given        map[string]bool
	meter        *meter.Meter // of the memory that the machine has
	source       engine.Source
	files        map[string][]byte // bytes of -model and -data, by the names that workers know

	addr, file  string   // of a room, and of the file in which its host keeps the room's address
	give        bool     // the own model goes to all devices
	verify      float64  // share of the replicates that the host computes itself, below 0: the usual one
	hosts       []string // names to which its server answers
	unconfirmed int      // replicates of devices that were never checked, if a device was found wrong
	out         string   // the file of a tape, or the file or the folder of a part
	cut         cut      // into parts
	draws       string   // the file for samples of the posterior
	packed      string   // the program of -model with its data, as a link has them
	ukn         string   // the file for samples on a ladder
	held        *temper.Held
	compiled    *stan.Compiled // by prior, and what it left out
	alone       *stan.Alone
}

type setFlag struct{ to *[]string }

func (s setFlag) String() string     { return "" }
func (s setFlag) Set(x string) error { *s.to = append(*s.to, x); return nil }

func parseOptions(name string, args []string) (*options, error) {
	o := &options{command: name, common: map[string]*string{}, given: map[string]bool{}, meter: limited()}
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.BoolVar(&o.json, "json", false, "")
	if !slices.Contains([]string{"list", "check", "version"}, name) {
		f.StringVar(&o.model, "model", "", "")
		f.StringVar(&o.data, "data", "", "")
		f.StringVar(&o.evidence, "evidence", "", "")
		f.Var(setFlag{&o.set}, "set", "")
	}

	// Flags that only some commands have.
	workers := runtime.NumCPU()
	if name == "host" {
		workers = 0
		f.StringVar(&o.addr, "addr", "", "")
		f.StringVar(&o.file, "file", "", "")
		f.BoolVar(&o.give, "give", false, "")
		f.Float64Var(&o.verify, "verify", -1, "")
		f.Var(setFlag{&o.hosts}, "name", "")
	}
	if name == "run" {
		f.StringVar(&o.draws, "draws", "", "")
		f.StringVar(&o.ukn, "ukn", "", "")
	}
	if name == "tape" || name == "part" {
		f.StringVar(&o.out, "out", "", "")
	}
	if name == "part" {
		o.cut.flags(f)
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

	// Some commands take names beside their flags.
	var names *[]string
	if slices.Contains([]string{"host", "work", "part", "join", "bounds", "prior"}, name) {
		names = &o.names
	}
	if err := parseFlags(f, args, names); err != nil {
		return nil, err
	}
	f.Visit(func(x *flag.Flag) { o.given[x.Name] = true })

	// Limits of numbers.
	if o.given["workers"] && (o.workers < 1 || o.workers > mostWorkers) {
		return nil, fmt.Errorf("workers = %d must be between 1 and %d", o.workers, mostWorkers)
	}
	if o.given["verify"] && !(o.verify >= 0 && o.verify <= 1) {
		return nil, fmt.Errorf("%s: -verify is a share from 0 to 1", name)
	}
	return o, nil
}

// linked takes the link that is no flag's, if there is one.
func (o *options) linked(links []string) error {
	switch {
	case len(links) == 0:
		return nil
	case len(links) > 1 || o.given["link"]:
		return fmt.Errorf("%s: give one link", o.command)
	}
	o.link, o.given["link"] = links[0], true
	return nil
}

// mostWorkers is more goroutines than any machine has cores.
const mostWorkers = 1000

// experiment makes the spec and the source of its model.
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
	if o.rows, err = o.openRows(&src); err != nil {
		return nil, src, err
	}

	// A link has all options.
	if o.given["link"] {
		for _, f := range append([]string{"method", "set"}, spec.Common...) {
			if o.given[f] {
				return nil, src, fmt.Errorf("-%s cannot be given with -link: the link says it", f)
			}
		}
		s, err := spec.ParseLink(o.link, names)
		if err != nil {
			return nil, src, err
		}
		if spec.IsFile(s.Model) && !file {
			return nil, src, fmt.Errorf("the link is about an own file (%s): give that file with -model FILE", s.Model)
		}
		if o.model != "" && model != s.Model {
			return nil, src, fmt.Errorf("-model %s is %s, the link is about %s", o.model, model, s.Model)
		}
		if file && model != s.Model {
			return nil, src, fmt.Errorf("the program of the link makes the tape %s in this version, the link is about %s",
				model, s.Model)
		}
		if asked := s.Set["data"]; asked != o.rows {
			return nil, src, fmt.Errorf("the link is about data rows data=%s, and -data is data=%s: give the right file with "+
				"-data FILE", cmp.Or(asked, "none"), cmp.Or(o.rows, "none"))
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

	// The methods, and the options common to all.
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

// job is the experiment ready to run, and the view settings of its link.
func (o *options) job() (*engine.Job, state.Settings, error) {
	s, src, err := o.experiment()
	if err != nil {
		return nil, state.Settings{}, err
	}
	view, err := page.Known().Parse(s.View)
	if err != nil {
		return nil, view, err
	}
	o.source = src
	if err := o.holdable(s); err != nil {
		return nil, view, err
	}
	j, err := o.open(s)
	return j, view, err
}

// open makes the job of an experiment about the model that job has read.
func (o *options) open(s *spec.Spec) (*engine.Job, error) {
	m, err := o.source.Open(s, o.meter)
	if err != nil {
		return nil, err
	}
	opt := engine.Options{Limit: o.meter.Limit, Workers: o.workers}
	if o.ukn != "" {
		opt.Names.Methods = temper.Holding(catalog.Methods, func(h *temper.Held) {
			o.held = cmp.Or(o.held, h) // of a drawing, not of the free machine
		})
	}
	return engine.NewJob(s, m, opt)
}

// apply takes what -set and -data say.
func (o *options) apply(s *spec.Spec, names catalog.Names) error {
	if o.rows != "" {
		if err := s.PutKey(names, "data", o.rows); err != nil {
			return err
		}
	}

	// Every key is set at most once, whatever ways there are to write it.
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
