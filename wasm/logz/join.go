//go:build !js

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"logzlab/estimators/engine"
	"logzlab/wasm/room/exchange"
)

// joinCommand puts parts together and prints their results.
func joinCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("join", args)
	p, g := &exchange.Part{}, &gathering{stderr: stderr, files: map[int]string{}, damaged: map[int]bool{}}
	if err == nil {
		err = g.all(p, o.names)
	}
	if err != nil {
		return exitUsage, err
	}
	o.link, o.given["link"] = g.link, true
	return o.run(stdout, stderr, func(ctx context.Context, j *engine.Job, _ func(*engine.Job)) (*engine.Job, error) {
		missing, err := p.Run(ctx, j)
		if err == nil && missing > 0 {
			err = g.lack(o, p, j, missing)
		}
		return j, err
	})
}

// gathering is the files of the parts of one experiment.
type gathering struct {
	stderr  io.Writer
	link    string
	folder  string         // that was given, or that of the first file
	array   string         // how a scheduler numbered the parts, "" if none did
	files   map[int]string // by part
	damaged map[int]bool   // parts of which something is lost
	need    bool           // parts need each other
	own     bool           // a file has another name than logz part gives in a folder
}

// all reads files, and those of parts in folders.
func (g *gathering) all(p *exchange.Part, names []string) error {
	if len(names) == 0 {
		return errors.New("join: the files of the parts are missing, or the folder that they are in")
	}

	// The files, those of folders included.
	var files []string
	for _, name := range names {
		st, err := os.Stat(name)
		if err != nil || !st.IsDir() {
			files = append(files, name)
			continue
		}
		inside, err := chosen(name)
		if err != nil {
			return err
		}
		files = append(files, inside...)
	}
	g.folder = filepath.Dir(files[0])

	// Files must be parts of one experiment, and of one number of parts.
	first := ""
	for _, name := range files {
		f, err := exchange.ReadPart(name)
		if named, ok := exchange.NameOf(name); ok && errors.Is(err, exchange.ErrNoPart) {
			g.files[named.K], g.damaged[named.K] = name, true
			notice(g.stderr, err)
			continue
		}
		if err == nil && first == "" {
			first, g.link, p.N = name, f.Link, f.N
		}
		switch {
		case err != nil:
		case f.Link != g.link:
			err = fmt.Errorf("%s is a part of another experiment, #%s", name, f.Link)
		case f.N != p.N:
			err = fmt.Errorf("%s is part %s, and %s is one of %d parts: give those of one number", name, f.Which, first, p.N)
		default:
			err = p.Load(name, f.Records)
		}
		if err != nil {
			return err
		}
		notice(g.stderr, f.Lost)
		if _, made := exchange.NameOf(name); !made {
			g.own = true
		}
		g.files[f.K] = name
		if g.damaged[f.K] = f.Lost != nil; f.Array != "" {
			g.array = f.Array
		}
	}
	if first == "" {
		return errors.New("join: none of the files can be read; delete them, and compute the parts again")
	}
	return nil
}

// chosen lists the files of parts in a folder, which must be of one experiment.
func chosen(folder string) (files []string, err error) {
	all, err := exchange.PartsIn(folder)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("join: %s has no files of parts, as logz part -out %s makes", folder, asFolder(folder))
	}
	var experiments []string
	for _, f := range all {
		if files = append(files, f.Path); !slices.Contains(experiments, f.Experiment) {
			experiments = append(experiments, f.Experiment)
		}
	}
	if len(experiments) == 1 {
		return files, nil
	}
	text := ""
	for _, e := range experiments {
		text += "; " + filepath.Join(folder, "logz-"+e+"-*")
		for _, f := range all {
			if part, err := exchange.ReadPart(f.Path); err == nil && f.Experiment == e {
				text += " of #" + part.Link
				break
			}
		}
	}
	return nil, fmt.Errorf("join: %s has parts of %d experiments: give the files of one%s", folder, len(experiments), text)
}

// asFolder is the name of a folder as -out takes it.
func asFolder(name string) string { return strings.TrimSuffix(filepath.ToSlash(name), "/") + "/" }

// lack says which parts are not complete, and by which line they are computed.
func (g *gathering) lack(o *options, p *exchange.Part, j *engine.Job, missing int) error {
	if p.N == 0 {
		return fmt.Errorf("%d units are missing: give the files of all parts", missing)
	}

	// Parts with units to compute, and parts whose replicates are not over.
	var parts []int
	for k := range p.Lacks {
		if k > 0 {
			parts = append(parts, k)
		}
	}
	for _, k := range j.Behind(p.N) {
		if !slices.Contains(parts, k+1) {
			parts = append(parts, k+1)
		}
	}
	if len(parts) == 0 { // what every part can compute
		parts = append(parts, 1)
	}
	slices.Sort(parts)

	// The parts by name, with the state of their files.
	var names []string
	for _, k := range parts {
		name := strconv.Itoa(k)
		switch {
		case g.files[k] == "":
			name += " (missing)"
		case g.damaged[k]:
			name += " (damaged)"
		}
		names = append(names, name)
	}

	// The remedy is a line of shell, to be repeated where parts wait for units of other parts.
	g.need = j.Spec.Replicates < p.N
	line, again := g.repair(o, p, parts), ""
	if g.need {
		again = " There are fewer replicates than parts, so parts need each other: repeat the line and join until all is " +
			"there."
	}
	fmt.Fprintf(g.stderr, "these of %d parts are not complete: %s\nthis line computes them:\n%s\n", p.N,
		strings.Join(names, ", "), line)
	return fmt.Errorf("%d units are missing, of %d of %d parts: the line above computes them; then join again.%s", missing,
		len(parts), p.N, again)
}

// repair is a line of shell that computes parts.
func (g *gathering) repair(o *options, p *exchange.Part, parts []int) string {
	what := " " + quote("#"+g.link)
	for _, f := range [][2]string{{" -model ", o.model}, {" -data ", o.data}} {
		if f[1] != "" {
			what += f[0] + quote(f[1])
		}
	}
	program := quote(os.Args[0])
	if g.own {
		return g.lines(p, parts, program, what)
	}
	what = " -out " + quote(asFolder(g.folder)) + what

	// Under Slurm, an array of the parts.
	scheduler, first, slurm := strings.Cut(g.array, " ")
	if from, err := strconv.Atoi(first); slurm && err == nil && scheduler == "Slurm" {
		var ids []string
		for _, k := range parts {
			ids = append(ids, strconv.Itoa(from+k-1))
		}
		command := program + " part -of " + strconv.Itoa(p.N)
		if from != 1 {
			command += " -from " + first
		}
		return "sbatch --array=" + strings.Join(ids, ",") + " --wrap " + quote(command+what)
	}

	// Elsewhere, one part after another.
	var ks []string
	for _, k := range parts {
		ks = append(ks, strconv.Itoa(k))
	}
	if len(ks) == 1 {
		return fmt.Sprintf("%s part %s/%d%s", program, ks[0], p.N, what)
	}
	return fmt.Sprintf("for k in %s; do %s part $k/%d%s; done", strings.Join(ks, " "), program, p.N, what)
}

// lines computes parts into files that have names of their own, one on a line.
func (g *gathering) lines(p *exchange.Part, parts []int, program, what string) string {
	var lines, all []string
	for _, k := range slices.Sorted(maps.Keys(g.files)) {
		all = append(all, g.files[k])
	}
	for _, k := range parts {
		file := cmp.Or(g.files[k], asFolder(g.folder))
		line := fmt.Sprintf("%s part %d/%d -out %s%s", program, k, p.N, quote(file), what)
		if with := slices.DeleteFunc(slices.Clone(all), func(f string) bool { return f == file }); g.need && len(with) > 0 {
			line += " -with " + quote(strings.Join(with, ","))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_./:=,+-]+$`)

// quote is a text as one word of a shell.
func quote(text string) string {
	switch {
	case plain.MatchString(text):
		return text
	case !strings.ContainsAny(text, "\"$`\\!"):
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
