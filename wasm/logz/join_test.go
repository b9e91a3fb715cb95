//go:build !js

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"logzlab/core/labtest/tier"
)

var seconds = regexp.MustCompile(`"seconds":[^,}]*`)

// lasting is the JSON of a run without its wall time.
func lasting(text string) string { return seconds.ReplaceAllString(text, "") }

// Whatever the method, what join prints is what run prints, and a part that is complete has results and no units.
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
		want := good(t, "run", "-json", "-link", link)
		good(t, "part", "1/1", "-out", file, link)
		if got := good(t, "join", "-json", file); lasting(got) != lasting(want) {
			t.Errorf("%s: join prints\n%s\nrun\n%s", link, got, want)
		}
		if st, err := os.Stat(file); err != nil || st.Size() > 200e3 {
			t.Errorf("%s: the part has %d bytes, %v", link, st.Size(), err)
		}
	}
}

// shell runs a line of shell in which the command is this program.
func shell(t *testing.T, line string) {
	t.Helper()
	c := exec.Command("sh", "-c", line)
	c.Env = append(os.Environ(), "LOGZ_COMMAND=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %s", line, err, out)
	}
}

// repairLine is the line that join prints, after the names of parts that are not complete.
func repairLine(t *testing.T, names string, args ...string) string {
	t.Helper()
	status, out, err := run(append([]string{"join"}, args...)...)
	lines := strings.Split(err, "\n")
	for i, line := range lines {
		if line == "this line computes them:" && strings.HasSuffix(lines[i-1], "not complete: "+names) &&
			status == exitFailed && out == "" {
			return strings.Join(lines[i+1:len(lines)-2], "\n")
		}
	}
	t.Fatalf("join %s: status %d, %q, %q; want the parts %s", args, status, out, err, names)
	return ""
}

// join of a folder names what is missing, unfinished and damaged, and the line that it prints mends it when copied.
func TestRepair(t *testing.T) {
	args := strings.Fields("-model mixture2 -method ais,rts -set chains=10 -set temperatures=20 -set sweeps=40 " +
		"-set init_rounds=1 -replicates 12")
	want := hashLine.FindAllString(good(t, append([]string{"run"}, args...)...), -1)
	dir := filepath.Join(t.TempDir(), "the parts")
	file := func(k string) string {
		all, err := filepath.Glob(filepath.Join(dir, "logz-*-"+k+"-of-6.part"))
		if err != nil || len(all) != 1 {
			t.Fatal(k, all, err)
		}
		return all[0]
	}
	cut := func(k string, share float64) {
		st, err := os.Stat(file(k))
		if err == nil {
			err = os.Truncate(file(k), int64(share*float64(st.Size())))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []string{"1", "2", "4", "5", "6"} {
		good(t, append([]string{"part", k + "/6", "-out", dir + "/"}, args...)...)
	}
	cut("2", .4)
	b, err := os.ReadFile(file("5"))
	if err == nil {
		b[3] ^= 1 // of the first record
		err = os.WriteFile(file("5"), b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "slurm-1_2.out"), []byte("part 2 of 6"), 0o600); err != nil {
		t.Fatal(err)
	}
	shell(t, repairLine(t, "2 (damaged), 3 (missing), 5 (damaged)", dir))
	cut("6", 0)
	shell(t, repairLine(t, "6 (damaged)", dir))
	if got := hashLine.FindAllString(good(t, "join", dir), -1); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("joined %q, want %q", got, want)
	}

	// Another experiment in the folder.
	good(t, append([]string{"part", "1/6", "-out", dir, "-seed", "5"}, args...)...)
	status, _, says := run("join", dir)
	if status != exitUsage || !strings.Contains(says, "has parts of 2 experiments: give the files of one; ") ||
		!strings.Contains(says, "-* of #v=1&model=mixture2&method=ais,rts&seed=5&") {
		t.Errorf("two experiments: status %d, %q", status, says)
	}
	pattern := strings.TrimSuffix(file("3"), "3-of-6.part") + "*"
	chosen, err := filepath.Glob(pattern)
	if err != nil || len(chosen) != 6 {
		t.Fatal(chosen, err)
	}
	good(t, append([]string{"join"}, chosen...)...)
}

// Parts of one run need each other: the line is repeated until all is there. Files of any name are gone on with.
func TestRepairRounds(t *testing.T) {
	args := strings.Fields("-model mixture2 -method rts -set chains=20 -set temperatures=10 -set sweeps=40 " +
		"-set init_rounds=2")
	want := hashLine.FindString(good(t, append([]string{"run"}, args...)...))
	dir := t.TempDir()
	for _, out := range [][2]string{{dir + "/", dir + "/"}, {filepath.Join(dir, "a"), filepath.Join(dir, "b")}} {
		files := []string{dir}
		if out[0] != out[1] {
			files = out[:]
		}
		for i, k := range []string{"1/2", "2/2"} {
			good(t, append([]string{"part", k, "-out", out[i]}, args...)...)
		}
		for rounds := 0; ; rounds++ {
			status, said, err := run(append([]string{"join"}, files...)...)
			if status == exitOK {
				if got := hashLine.FindString(said); got != want || rounds == 0 {
					t.Errorf("%s: joined after %d rounds %q, run %q", files, rounds, got, want)
				}
				break
			}
			_, line, ok := strings.Cut(err, "this line computes them:\n")
			line, _, _ = strings.Cut(line, "\nlogz: ")
			if !ok || rounds > 30 || !strings.Contains(err, "repeat the line and join until all is there") {
				t.Fatalf("%s: status %d after %d rounds: %q", files, status, rounds, err)
			}
			shell(t, line)
		}
	}
}

// A part that was killed goes on from its file, and ends with the same results.
func TestPartGoesOn(t *testing.T) {
	args := strings.Fields("-model rbm-pcd-20 -method ais -set chains=20 -set temperatures=100 -replicates 12")
	want := lasting(good(t, append([]string{"run", "-json"}, args...)...))
	file := filepath.Join(t.TempDir(), "part")
	good(t, append([]string{"part", "1/1", "-out", file}, args...)...)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{.1, .5, .99} {
		if err := os.WriteFile(file, whole[:int(share*float64(len(whole)))], 0o600); err != nil {
			t.Fatal(err)
		}
		status, _, says := run(append([]string{"part", "1/1", "-out", file}, args...)...)
		if status != exitOK || !strings.Contains(says, "is damaged or cut short after") {
			t.Errorf("cut at %v: status %d, %q", share, status, says)
		}
		if got := lasting(good(t, "join", "-json", file)); got != want {
			t.Errorf("cut at %v: %s, want %s", share, got, want)
		}
		if again, err := os.ReadFile(file); err != nil || len(again) > len(whole)+1000 {
			t.Errorf("cut at %v: %d bytes, %d before, %v", share, len(again), len(whole), err)
		}
	}
	before, _ := os.ReadFile(file)
	good(t, append([]string{"part", "1/1", "-out", file}, args...)...)
	if after, _ := os.ReadFile(file); !bytes.Equal(after, before) {
		t.Error("a part that is complete was written again")
	}
}
