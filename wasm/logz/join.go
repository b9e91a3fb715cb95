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

// joinCommand puts the runs of all parts together and prints the reports.
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
			text, parts := describeMissing(missing, known.n)
			fmt.Fprintf(stderr, "%s\nthis line computes them:\n%s\n", text, o.repairCommand(parts, known.n, out))
			return j, fmt.Errorf("%d runs are missing, of %d of %d parts: the line above computes them; then join again",
				len(missing), len(parts), known.n)
		}
		return j, engine.Run(ctx, j, o.workers, show) // computes the bounds and the exact value
	})
}

// readAll reads files of parts, and all such files in folders. It returns the first folder or file, where missing runs
// can be added.
func (k *outcomes) readAll(names []string) (out string, err error) {
	if len(names) == 0 {
		return "", errors.New("join: give the files of the parts, or their folder")
	}
	out = names[0]
	for _, name := range names {
		files := []string{name}
		if st, err := os.Stat(name); err == nil && st.IsDir() {
			if files, err = filepath.Glob(filepath.Join(globChars.ReplaceAllString(name, `\$0`), "logz-*.jsonl")); err != nil {
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
		return "", errors.New("join: no file has a complete line of a part; compute the parts again")
	}
	return out, nil
}

// globChars matches the characters with a meaning in patterns of package filepath.
var globChars = regexp.MustCompile(`[\\*?[]`)

// describeMissing describes which replicates are missing in which of n parts, and lists these parts.
func describeMissing(missing []engine.RunID, n int) (text string, parts []string) {
	by := map[int][]string{}
	for _, id := range missing {
		k, r := (id.Replicate-1)%n+1, strconv.Itoa(id.Replicate)
		if !slices.Contains(by[k], r) { // several methods may lack the same replicate
			by[k] = append(by[k], r)
		}
	}
	const limit = 10
	for _, k := range slices.Sorted(maps.Keys(by)) {
		some := strings.Join(by[k][:min(len(by[k]), limit)], ", ")
		if more := len(by[k]) - limit; more > 0 {
			some += fmt.Sprintf(" and %d more", more)
		}
		text += fmt.Sprintf("; part %d/%d lacks replicates %s", k, n, some)
		parts = append(parts, strconv.Itoa(k))
	}
	return text[2:], parts
}

// repairCommand returns a shell command that computes parts of n into a file or a folder, by an array if Slurm is
// installed.
func (o *options) repairCommand(parts []string, n int, out string) string {
	command := func(k string) string {
		line := fmt.Sprintf("%s part %s/%d -out %s %s", shellQuote(os.Args[0]), k, n, shellQuote(out), shellQuote("#"+o.link))
		for _, f := range [][2]string{{" -model ", o.model}, {" -data ", o.data}} {
			if f[1] != "" {
				line += f[0] + shellQuote(f[1])
			}
		}
		return line
	}
	if _, err := exec.LookPath("sbatch"); err == nil && strings.HasSuffix(out, "/") {
		return "sbatch --array=" + strings.Join(parts, ",") + " --wrap " + shellQuote(command("$SLURM_ARRAY_TASK_ID"))
	}
	return "for k in " + strings.Join(parts, " ") + "; do " + command("$k") + "; done"
}

// shellSafe matches words that a shell needs no quotes for.
var shellSafe = regexp.MustCompile(`^[A-Za-z0-9_./:=,+-]+$`)

// shellQuote quotes text as one word for a shell.
func shellQuote(text string) string {
	switch {
	case shellSafe.MatchString(text):
		return text
	case !strings.ContainsAny(text, "\"$`\\!"):
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
