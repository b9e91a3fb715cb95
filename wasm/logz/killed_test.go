//go:build !js

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"logzlab/internal/tier"
)

// logzProcess returns this program as the command logz with these arguments.
func logzProcess(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "LOGZ_COMMAND=1")
	return c
}

// runKilled starts a command kills times and kills it at a random time of a complete run, then runs it to its end.
func runKilled(t *testing.T, kills int, whole time.Duration, args ...string) {
	t.Helper()
	for range kills {
		c := logzProcess(args...)
		if err := c.Start(); err != nil {
			t.Skipf("no program can be started here: %v", err)
		}
		time.Sleep(rand.N(whole))
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	if out, err := logzProcess(args...).CombinedOutput(); err != nil {
		t.Fatalf("after %d kills: %v\n%s", kills, err, out)
	}
}

// timed runs a command and returns how long it took.
func timed(t *testing.T, args ...string) time.Duration {
	t.Helper()
	begun := time.Now()
	if out, err := logzProcess(args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return time.Since(begun)
}

// A training that is killed at random times writes the same bytes as one that is not.
func TestKilledTraining(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one", "my.npz"), filepath.Join(dir, "two", "my.npz")
	for _, f := range []string{one, two} {
		if err := os.Mkdir(filepath.Dir(f), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	took := timed(t, trainArgs(one)...)
	runKilled(t, tier.Size(2, 4, 10), took, trainArgs(two)...)
	want, _ := os.ReadFile(one)
	got, err := os.ReadFile(two)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("other bytes, %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(two)); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}

// An experiment that is killed at random times has the same rows as one that is not, except for their times.
func TestKilledExperiment(t *testing.T) {
	tier.Release(t) // it takes a minute
	dir := t.TempDir()
	args := func(name string) []string {
		return []string{"experiment", "rts-fig1", "-continue", "-out", filepath.Join(dir, name)}
	}
	took := timed(t, args("one")...)
	runKilled(t, 10, took, args("two")...)
	table := func(name string) []string { return tableRows(t, filepath.Join(dir, name, "rts-fig1.csv")) }
	if want, got := table("one"), table("two"); !slices.Equal(want, got) {
		t.Errorf("rows %q, undisturbed %q", got, want)
	}
}

// tableRows returns the rows of the table of an experiment, without their times.
func tableRows(t *testing.T, file string) (all []string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	seconds := slices.Index(strings.Split(lines[0], ","), "cpu_seconds")
	for _, line := range lines {
		cells := strings.Split(line, ",")
		cells[seconds] = ""
		all = append(all, strings.Join(cells, ","))
	}
	return all
}

// On a full disk, here a limit of file size, a command ends with status 1 and names the file. When there is space, the
// same command continues and makes the same file as an undisturbed one.
func TestFullDisk(t *testing.T) {
	tier.Release(t)
	if err := exec.Command("bash", "-c", "ulimit -f 1").Run(); err != nil {
		t.Skipf("NOT TESTED, for want of a shell with ulimit: full disks: %v", err)
	}
	job := []string{"-model", "mixture2", "-method", "ais", "-set", "chains=2000"}
	for _, c := range []struct {
		blocks, file string // of 1024 bytes; the file that is made
		args         []string
		output       bool // compare the printed hash, for a part the one of join, instead of the file
	}{
		{"2", "my.jsonl", append([]string{"part", "1/1", "-out", "my.jsonl", "-replicates", "6"}, job...), true},
		{"1", "my.npz", trainArgs("my.npz"), false},
		{"4", "my.room", append([]string{"host", "-file", "my.room", "-addr", "127.0.0.1:0", "-workers", "1", "-replicates",
			"6", "-json"}, job...), true},
	} {
		run := func(dir, limit string) (text []byte, errs string, status int) {
			x := logzProcess(c.args...)
			if limit != "" {
				x = exec.Command("bash", append([]string{"-c", "ulimit -f " + limit + `; exec "$0" "$@" > printed`},
					x.Args...)...)
				x.Env = append(os.Environ(), "LOGZ_COMMAND=1")
			}
			var out, e bytes.Buffer
			x.Dir, x.Stdout, x.Stderr = dir, &out, &e
			_ = x.Run()
			said := out.Bytes()
			if c.args[0] == "part" {
				join := logzProcess("join", "-json", c.file)
				join.Dir = dir
				said, _ = join.Output()
			}
			_, after, _ := bytes.Cut(said, []byte(`"hash":"`))
			if text, _, _ = bytes.Cut(after, []byte(`"`)); !c.output {
				text, _ = os.ReadFile(filepath.Join(dir, c.file))
			}
			return text, e.String(), x.ProcessState.ExitCode()
		}
		full, free := t.TempDir(), t.TempDir()
		if _, errs, status := run(full, c.blocks); status != exitFailed || !strings.Contains(errs, "logz: ") ||
			!strings.Contains(errs, c.file) {
			t.Errorf("%s: status %d, %q", c.args[0], status, errs)
		}
		got, errs, status := run(full, "")
		if want, _, _ := run(free, ""); status != exitOK || !bytes.Equal(got, want) || len(got) == 0 {
			t.Errorf("%s: after a full disk status %d, %d bytes, else %d; %q", c.args[0], status, len(got), len(want), errs)
		}
	}
}
