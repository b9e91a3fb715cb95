//go:build !js

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// variables returns a lookup in an environment given as "A=1 B=2".
func variables(text string) func(string) string {
	all := map[string]string{}
	for _, x := range strings.Fields(text) {
		name, value, _ := strings.Cut(x, "=")
		all[name] = value
	}
	return func(name string) string { return all[name] }
}

// With every scheduler, a task of an array computes the part of its place in the array, or reports why it cannot.
func TestArrayTask(t *testing.T) {
	slurm := func(id, first, last, step, count any) string {
		return fmt.Sprintf("SLURM_ARRAY_TASK_ID=%v SLURM_ARRAY_TASK_MIN=%v SLURM_ARRAY_TASK_MAX=%v "+
			"SLURM_ARRAY_TASK_STEP=%v SLURM_ARRAY_TASK_COUNT=%v", id, first, last, step, count)
	}
	none := numbering{-1, -1}
	for _, c := range []struct {
		env       string
		numbering numbering
		want      string // the description, or part of the error
	}{
		{"", none, "none"},
		{slurm(3, 1, 20, 1, 20), none, "part 3 of 20: SLURM_ARRAY_TASK_ID is 3, and tasks count from 1"},
		{slurm(3, 0, 19, 1, 20), none, "part 4 of 20: SLURM_ARRAY_TASK_ID is 3, and tasks count from 0"},
		{slurm(5, 1, 39, 2, 20), none, "part 3 of 20: SLURM_ARRAY_TASK_ID is 5, and tasks count from 1 in steps of 2"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=20", none, "part 3 of 20:"},
		{slurm(7, 3, 7, 1, 2), none, "SLURM_ARRAY_TASK_ID is 7 of 3 to 7, which is not a whole array: give -of N"},
		{slurm(7, 3, 7, 4, 2), none, "part 2 of 2:"}, // join reports the missing parts
		{slurm(7, 3, 7, 4, 2), numbering{20, -1}, "part 7 of 20: SLURM_ARRAY_TASK_ID is 7, and tasks count from 1"},
		{slurm(7, 3, 7, 4, 2), numbering{20, 0}, "part 8 of 20: SLURM_ARRAY_TASK_ID is 7, and tasks count from 0"},
		{slurm(0, 0, 19, 1, 20), numbering{20, 0}, "part 1 of 20:"},
		{slurm(1005, 1001, 1020, 1, 20), numbering{20, 1001}, "part 5 of 20:"},
		{slurm(5, 0, 19, 1, 20), numbering{20, -1}, "is 5 of 0 to 19, and with -of 20 tasks count from 1 to 20"},
		{slurm(5, 5, 21, 1, 17), numbering{20, -1}, "is 5 of 5 to 21, and with -of 20 tasks count from 1 to 20"},
		{slurm(21, 21, 21, 1, 1), numbering{20, -1}, "with -of 20 tasks count from 1 to 20"},
		{slurm(3, 1, 20, 1, 20), numbering{-1, 0}, "give -of too"},
		{slurm("x", 1, 20, 1, 20), none, `SLURM_ARRAY_TASK_ID is "x", which is not the number of a task`},
		{slurm(3, 1, "-2", 1, 20), none, `SLURM_ARRAY_TASK_MAX is "-2", which is not the number`},
		{slurm(3, 1, 20, 1, 19), none, "which is not a whole array"},
		{slurm(25, 1, 20, 1, 20), none, "which is not a whole array"},
		{slurm(1, 1, 200000, 1, 200000), none, "200000 parts are more than 100000"},
		{"JOB_COMPLETION_INDEX=0", numbering{5, -1}, "part 1 of 5: JOB_COMPLETION_INDEX is 0, and tasks count from 0"},
		{"JOB_COMPLETION_INDEX=4", numbering{5, 0}, "part 5 of 5:"},
		{"JOB_COMPLETION_INDEX=5", numbering{5, -1}, "JOB_COMPLETION_INDEX is 5, and with -of 5 tasks count from 0 to 4"},
		{"JOB_COMPLETION_INDEX=4", none, "JOB_COMPLETION_INDEX is 4, but the number of tasks is not known: give -of N"},
		{"JOB_COMPLETION_INDEX=4", numbering{5, 1}, "tasks of Kubernetes count from 0; leave -from out"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=2 AWS_BATCH_JOB_ARRAY_SIZE=8", none, "part 3 of 8: AWS_BATCH_JOB_ARRAY_INDEX is 2"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=2 AWS_BATCH_JOB_ARRAY_SIZE=3", numbering{8, -1}, "part 3 of 8:"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=8 AWS_BATCH_JOB_ARRAY_SIZE=8", none, "which is not a whole array"},
		{"SGE_TASK_ID=4 SGE_TASK_FIRST=1 SGE_TASK_LAST=8 SGE_TASK_STEPSIZE=1", none, "part 4 of 8: SGE_TASK_ID is 4"},
		{"SGE_TASK_ID=7 SGE_TASK_FIRST=1 SGE_TASK_LAST=8 SGE_TASK_STEPSIZE=2", none, "part 4 of 4:"},
		{"SGE_TASK_ID=3 SGE_TASK_FIRST=3 SGE_TASK_LAST=3 SGE_TASK_STEPSIZE=1", numbering{8, -1}, "part 3 of 8:"},
		{"SGE_TASK_ID=undefined SGE_TASK_FIRST=undefined SGE_TASK_LAST=undefined", none, "none"},
		{"LSB_JOBINDEX=2 LSB_JOBINDEX_END=6", none, "part 2 of 6: LSB_JOBINDEX is 2, and tasks count from 1"},
		{"LSB_JOBINDEX=0", none, "none"},
		{"PBS_ARRAY_INDEX=2", numbering{6, -1}, "part 2 of 6: PBS_ARRAY_INDEX is 2"},
		{"PBS_ARRAY_INDEX=2", numbering{6, 0}, "part 3 of 6:"},
		{"PBS_ARRAY_INDEX=0", numbering{6, -1}, "PBS_ARRAY_INDEX is 0, and with -of 6 tasks count from 1 to 6"},
		{"PBS_ARRAY_INDEX=2", none, "give -of N"},
		{"PBS_ARRAY_INDEX=2 SLURM_ARRAY_TASK_ID=3", none,
			"two schedulers number this task: SLURM_ARRAY_TASK_ID is 3 and PBS_ARRAY_INDEX is 2"},
		{slurm(3, 1, 20, 1, 20) + " SGE_TASK_ID=undefined LSB_JOBINDEX=0", none, "part 3 of 20:"},
	} {
		task, err := arrayTask(variables(c.env), c.numbering)
		got := "none"
		if err != nil {
			got = err.Error()
		} else if task != nil {
			got = task.String()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, -of %d -from %d: %q, want %q", c.env, c.numbering.partCount, c.numbering.firstTask, got, c.want)
		}
	}
}

// setenv sets variables of a test.
func setenv(t *testing.T, text string) {
	for _, x := range strings.Fields(text) {
		name, value, _ := strings.Cut(x, "=")
		t.Setenv(name, value)
	}
}

// A task takes its part from the scheduler and chooses the name of the file. Tasks that are submitted again, by hand or
// with other numbers, complete the files.
func TestPartFromScheduler(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parts")
	task := func(env string, more ...string) (out, err string) {
		t.Helper()
		setenv(t, env)
		status, out, err := run(slices.Concat([]string{"part", "-out", dir + "/"}, oneMethod, more)...)
		if status != exitOK {
			t.Fatalf("%s %s: status %d, %q, %q", env, more, status, out, err)
		}
		return out, err
	}
	out, err := task("SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_STEP=1 " +
		"SLURM_ARRAY_TASK_COUNT=4")
	if !strings.HasPrefix(err, "part 2 of 4: SLURM_ARRAY_TASK_ID is 1") || !strings.Contains(out, "-2-of-4.jsonl; ") {
		t.Fatalf("%q, %q", out, err)
	}
	out, _ = task("SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_STEP=2 "+
		"SLURM_ARRAY_TASK_COUNT=2", "-of", "4", "-from", "0")
	if !strings.Contains(out, "-4-of-4.jsonl") {
		t.Errorf("the rest of the array: %q", out)
	}
	if _, err := task("", "1/2"); err != "" { // replicates 1 and 3
		t.Errorf("part 1/2: %q", err)
	}
	want := hashLine.FindString(mustRun(t, append([]string{"run"}, oneMethod...)...))
	if got := hashLine.FindString(mustRun(t, "join", dir)); got != want || want == "" {
		t.Errorf("joined %q, run %q", got, want)
	}
}
