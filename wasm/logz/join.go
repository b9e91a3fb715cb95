//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"logzlab/estimators/engine"
)

// joinCommand takes the runs of all parts together and prints their results.
func joinCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("join", args)
	known := &outcomes{stderr: stderr}
	out := ""
	if err == nil {
		out, err = known.readAll(o.names)
	}
	if err != nil {
		return exitUsage, err
	}
	o.link, o.given["link"] = known.link, true
	return o.run(stdout, stderr, func(ctx context.Context, j *engine.Job, show func(*engine.Job)) (*engine.Job, error) {
		if err := known.restore(j, j.Spec.Link() != known.link); err != nil {
			return j, err
		}
		if missing := j.Missing(); len(missing) > 0 {
			says, parts := lacks(missing, known.n)
			fmt.Fprintf(stderr, "%s\nthis line computes them:\n%s\n", says, o.repair(parts, known.n, out))
			return j, fmt.Errorf("%d runs are missing, of %d of %d parts: the line above computes them; then join again",
				len(missing), len(parts), known.n)
		}
		return j, engine.Run(ctx, j, o.workers, show) // the bounds and the exact value
	})
}

// readAll reads files, and those of parts in folders. out is where missing runs can be added: the first folder or file.
func (k *outcomes) readAll(names []string) (out string, err error) {
	if len(names) == 0 {
		return "", errors.New("join: the files of the parts are missing, or the folder that they are in")
	}
	out = names[0]
	for _, name := range names {
		files := []string{name}
		if st, err := os.Stat(name); err == nil && st.IsDir() {
			if files, err = filepath.Glob(filepath.Join(globbed.ReplaceAllString(name, `\$0`), "logz-*.jsonl")); err != nil {
				return "", err
			}
			folder := strings.TrimSuffix(filepath.ToSlash(name), "/") + "/"
			if len(files) == 0 {
				return "", fmt.Errorf("join: %s has no files of parts, as logz part -out %s makes", name, folder)
			}
			if name == names[0] {
				out = folder
			}
		}
		for _, file := range files {
			if _, err := k.read(file); err != nil {
				return "", err
			}
		}
	}
	if len(k.runs) == 0 {
		return "", errors.New("join: no file has a whole line of a part; compute the parts again")
	}
	return out, nil
}

var globbed = regexp.MustCompile(`[\\*?[]`)

// lacks says which replicates are missing of which of n parts, and lists these parts.
func lacks(missing []engine.RunID, n int) (says string, parts []string) {
	by := map[int][]string{}
	for _, id := range missing {
		k, r := (id.Replicate-1)%n+1, strconv.Itoa(id.Replicate)
		if !slices.Contains(by[k], r) { // by another method
			by[k] = append(by[k], r)
		}
	}
	const most = 10
	for _, k := range slices.Sorted(maps.Keys(by)) {
		some := strings.Join(by[k][:min(len(by[k]), most)], ", ")
		if more := len(by[k]) - most; more > 0 {
			some += fmt.Sprintf(" and %d more", more)
		}
		says += fmt.Sprintf("; part %d/%d lacks replicates %s", k, n, some)
		parts = append(parts, strconv.Itoa(k))
	}
	return says[2:], parts
}

// repair is a line of shell that computes parts of n into a file or a folder: where there is Slurm, by an array.
func (o *options) repair(parts []string, n int, out string) string {
	command := func(k string) string {
		line := fmt.Sprintf("%s part %s/%d -out %s %s", quote(os.Args[0]), k, n, quote(out), quote("#"+o.link))
		for _, f := range [][2]string{{" -model ", o.model}, {" -data ", o.data}} {
			if f[1] != "" {
				line += f[0] + quote(f[1])
			}
		}
		return line
	}
	if _, err := exec.LookPath("sbatch"); err == nil && strings.HasSuffix(out, "/") {
		return "sbatch --array=" + strings.Join(parts, ",") + " --wrap " + quote(command("$SLURM_ARRAY_TASK_ID"))
	}
	return "for k in " + strings.Join(parts, " ") + "; do " + command("$k") + "; done"
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
