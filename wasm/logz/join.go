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

// joinCommand reads the runs in the files of all parts and prints the reports. If runs are missing, it prints a command
// that computes them, and fails.
func joinCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseOptions("join", args)
	collected := &outcomes{stderr: stderr}
	out := ""
	if err == nil {
		out, err = collected.readPaths(o.args)
	}
	if err != nil {
		return exitUsage, err
	}
	o.link, o.isGiven["link"] = collected.link, true
	return o.run(stdout, stderr, func(ctx context.Context, j *engine.Job, show func(*engine.Job)) (*engine.Job, error) {
		if err := collected.restore(j, j.Spec.Link() != collected.link); err != nil {
			return j, err
		}
		if missing := j.Missing(); len(missing) > 0 {
			text, parts := describeMissing(missing, collected.partCount)
			fmt.Fprintf(stderr, "%s\nthis line computes them:\n%s\n", text, o.repairCommand(parts, collected.partCount, out))
			return j, fmt.Errorf("%d runs are missing, of %d of %d parts: the line above computes them; then join again",
				len(missing), len(parts), collected.partCount)
		}
		return j, engine.Run(ctx, j, o.workers, show) // computes the bounds and the exact value
	})
}

// readPaths reads files of parts, and all files of parts in folders. It returns the first folder or file as out, the
// place to which repairCommand adds missing runs.
func (k *outcomes) readPaths(names []string) (out string, err error) {
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

// globChars matches the special characters of patterns of filepath.Glob.
var globChars = regexp.MustCompile(`[\\*?[]`)

// describeMissing returns a text that lists the missing replicates of each of n parts, and the numbers of the parts
// that lack replicates. Part k has the replicates k, k+n, k+2n, ...
func describeMissing(missing []engine.RunID, n int) (text string, parts []string) {
	replicates := map[int][]string{}
	for _, id := range missing {
		k, r := (id.Replicate-1)%n+1, strconv.Itoa(id.Replicate)
		if !slices.Contains(replicates[k], r) { // several methods may lack the same replicate
			replicates[k] = append(replicates[k], r)
		}
	}
	const limit = 10
	for _, k := range slices.Sorted(maps.Keys(replicates)) {
		list := strings.Join(replicates[k][:min(len(replicates[k]), limit)], ", ")
		if more := len(replicates[k]) - limit; more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		text += fmt.Sprintf("; part %d/%d lacks replicates %s", k, n, list)
		parts = append(parts, strconv.Itoa(k))
	}
	return text[2:], parts
}

// repairCommand returns a shell command that computes the given ones of n parts and writes them to the file or folder
// out. If Slurm is installed and out is a folder, the command submits an array of tasks.
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

// shellSafe matches words that need no quotes in a shell.
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
