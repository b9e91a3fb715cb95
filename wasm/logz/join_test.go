//go:build !js

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/estimators/engine"
	"logzlab/internal/tier"
)

var seconds = regexp.MustCompile(`"seconds":[^,}]*`)

// withoutSeconds removes the wall time from the JSON of a run.
func withoutSeconds(text string) string { return seconds.ReplaceAllString(text, "") }

// For every method, join prints the result of run, and a part has results but no units.
func TestPartsOfEveryMethod(t *testing.T) {
	golden, err := os.ReadFile("../../estimators/report/testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(golden)), "\n")
	every := tier.Size(20, 12, 1)
	for i := 0; i < len(lines); i += every {
		link, _, _ := strings.Cut(lines[i], "\t")
		file := filepath.Join(t.TempDir(), "part")
		want := mustRun(t, "run", "-json", "-link", link)
		mustRun(t, "part", "1/1", "-out", file, link)
		if got := mustRun(t, "join", "-json", file); withoutSeconds(got) != withoutSeconds(want) {
			t.Errorf("%s: join prints\n%s\nrun\n%s", link, got, want)
		}
		if st, err := os.Stat(file); err != nil || st.Size() > 270e3 {
			t.Errorf("%s: the part has %d bytes, %v", link, st.Size(), err)
		}
	}
}

// shell runs a shell command in which logz is this program.
func shell(t *testing.T, line string) {
	t.Helper()
	c := exec.Command("/bin/sh", "-c", line)
	c.Env = append(os.Environ(), "LOGZ_COMMAND=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %s", line, err, out)
	}
}

// repairLine returns the shell command that join prints for missing replicates.
func repairLine(t *testing.T, names string, args ...string) string {
	t.Helper()
	status, out, err := run(append([]string{"join"}, args...)...)
	lines := strings.Split(err, "\n")
	for i, line := range lines {
		if line == "this line computes them:" && lines[i-1] == names &&
			status == exitFailed && out == "" {
			return lines[i+1]
		}
	}
	t.Fatalf("join %s: status %d, %q, %q; want %s", args, status, out, err, names)
	return ""
}

// join reports missing replicates, for a folder or files, and the shell command that it prints computes them. If Slurm
// is installed, the command submits an array.
func TestRepair(t *testing.T) {
	want := withoutSeconds(mustRun(t, append([]string{"run", "-json"}, twoMethods...)...))
	dir, bin := filepath.Join(t.TempDir(), "the parts"), t.TempDir()
	t.Setenv("PATH", bin)
	for _, k := range []int{1, 3} {
		part(t, k, 4, dir+"/", twoMethods...)
	}
	files, err := filepath.Glob(filepath.Join(dir, "logz-*-of-4.jsonl"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "slurm-1_2.out"), []byte("part 2 of 4"), 0o600); err != nil {
		t.Fatal(err)
	}
	const missingRuns = "part 2/4 lacks replicates 2, 6; part 4/4 lacks replicates 4"
	if line := repairLine(t, missingRuns, files...); !strings.Contains(line, " -out \""+files[0]+"\" ") {
		t.Errorf("for files: %s", line)
	}
	array := "#!/bin/sh\nfor SLURM_ARRAY_TASK_ID in 2 4; do eval \"$3\"; done; echo \"$1\" >" + bin + "/asked\n"
	if err := os.WriteFile(filepath.Join(bin, "sbatch"), []byte(array), 0o755); err != nil {
		t.Fatal(err)
	}
	line := repairLine(t, missingRuns, dir)
	shell(t, line)
	asked, err := os.ReadFile(filepath.Join(bin, "asked"))
	if err != nil || string(asked) != "--array=2,4\n" {
		t.Errorf("%s submits %q, %v", line, asked, err)
	}
	if got := withoutSeconds(mustRun(t, "join", "-json", dir)); got != want {
		t.Errorf("joined %s, want %s", got, want)
	}

	// Without Slurm, into the folder and into the first of the files.
	if err := os.Remove(filepath.Join(bin, "sbatch")); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{{dir}, files} {
		all, _ := filepath.Glob(filepath.Join(dir, "logz-*-of-4.jsonl"))
		for _, file := range all {
			if !slices.Contains(files, file) {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
		}
		shell(t, repairLine(t, missingRuns, names...))
		if got := withoutSeconds(mustRun(t, append([]string{"join", "-json"}, names...)...)); got != want {
			t.Errorf("%s: joined %s, want %s", names, got, want)
		}
	}

	// Another experiment in the folder, and the files of the first.
	part(t, 1, 6, dir, append([]string{"-seed", "5"}, twoMethods...)...)
	if status, _, says := run("join", dir); status != exitUsage || !strings.Contains(says, "of one experiment, as logz-") {
		t.Errorf("two experiments: status %d, %q", status, says)
	}
}

// describeMissing describes many replicates in one line.
func TestDescribeMissing(t *testing.T) {
	var missing []engine.RunID
	for r := range 40 {
		missing = append(missing, engine.RunID{Methods: "ais", Replicate: r + 1}, engine.RunID{Methods: "rts",
			Replicate: r + 1})
	}
	const want = "part 1/3 lacks replicates 1, 4, 7, 10, 13, 16, 19, 22, 25, 28 and 4 more; part 2/3 lacks replicates "
	if says, parts := describeMissing(missing, 3); !strings.HasPrefix(says, want) || strings.Join(parts, " ") != "1 2 3" {
		t.Errorf("%s, parts %s", says, parts)
	}
}
