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

// thisProgram is this program as the command with these arguments.
func thisProgram(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "LOGZ_COMMAND=1")
	return c
}

// killed runs a command to its end, after some runs that were killed within the time that a whole run took.
func killed(t *testing.T, kills int, whole time.Duration, args ...string) {
	t.Helper()
	for range kills {
		c := thisProgram(args...)
		if err := c.Start(); err != nil {
			t.Skipf("no program can be started here: %v", err)
		}
		time.Sleep(rand.N(whole))
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	if out, err := thisProgram(args...).CombinedOutput(); err != nil {
		t.Fatalf("after %d kills: %v\n%s", kills, err, out)
	}
}

// whole runs a command undisturbed, and tells how long it took.
func whole(t *testing.T, args ...string) time.Duration {
	t.Helper()
	begun := time.Now()
	if out, err := thisProgram(args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return time.Since(begun)
}

// A training that was killed at any moments makes the bytes of one that was not.
func TestKilledTraining(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one", "my.npz"), filepath.Join(dir, "two", "my.npz")
	for _, f := range []string{one, two} {
		if err := os.Mkdir(filepath.Dir(f), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	took := whole(t, trainArgs(one)...)
	killed(t, tier.Size(2, 4, 10), took, trainArgs(two)...)
	want, _ := os.ReadFile(one)
	got, err := os.ReadFile(two)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("other bytes, %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(two)); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
}

// An experiment that was killed at any moments has the rows of one that was not, but for the time that they took.
func TestKilledExperiment(t *testing.T) {
	tier.Release(t) // it takes a minute
	dir := t.TempDir()
	args := func(name string) []string {
		return []string{"experiment", "rts-fig1", "-continue", "-out", filepath.Join(dir, name)}
	}
	took := whole(t, args("one")...)
	killed(t, 10, took, args("two")...)
	table := func(name string) []string { return tableOf(t, filepath.Join(dir, name, "rts-fig1.csv")) }
	if want, got := table("one"), table("two"); !slices.Equal(want, got) {
		t.Errorf("rows %q, undisturbed %q", got, want)
	}
}

// tableOf has the rows of an experiment's table, without the time that they took.
func tableOf(t *testing.T, file string) (all []string) {
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

// A disk that is full, here a limit of a file's size, ends a command with status 1 and the name of the file. When there
// is room, the same command goes on to what an undisturbed one makes.
func TestFullDisk(t *testing.T) {
	tier.Release(t)
	if err := exec.Command("bash", "-c", "ulimit -f 1").Run(); err != nil {
		t.Skipf("NOT TESTED, for want of a shell with ulimit: full disks: %v", err)
	}
	job := []string{"-model", "mixture2", "-method", "ais", "-set", "chains=2000"}
	for _, c := range []struct {
		blocks, file string // of 1024 bytes; the file that is made
		args         []string
		output       bool // what counts is the hash that is printed, by join for a part
	}{
		{"2", "my.jsonl", append([]string{"part", "1/1", "-out", "my.jsonl", "-replicates", "6"}, job...), true},
		{"1", "my.npz", trainArgs("my.npz"), false},
		{"4", "my.room", append([]string{"host", "-file", "my.room", "-addr", "127.0.0.1:0", "-workers", "1", "-replicates",
			"6", "-json"}, job...), true},
	} {
		run := func(dir, limit string) (text []byte, errs string, status int) {
			x := thisProgram(c.args...)
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
				join := thisProgram("join", "-json", c.file)
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
