//go:build !js

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

var hashLine = regexp.MustCompile(`hash +\w+`)

// Some experiments that are computed in parts.
var (
	twoMethods = strings.Fields("-model mixture2 -method ais,rts -set chains=10 -set temperatures=20 -set sweeps=40 " +
		"-set init_rounds=1 -replicates 6")
	oneMethod = strings.Fields("-model mixture2 -method is -set particles=500 -replicates 4")
)

// part computes part k/n into a file or a folder, and returns the text on stderr.
func part(t *testing.T, k, n int, out string, args ...string) string {
	t.Helper()
	status, said, err := run(append([]string{"part", fmt.Sprintf("%d/%d", k, n), "-out", out}, args...)...)
	if status != exitOK || !strings.HasPrefix(said, fmt.Sprintf("part %d/%d is in %s", k, n, out)) ||
		!strings.HasSuffix(said, "; this part is complete\n") {
		t.Fatalf("part %d/%d %s: status %d, %q, %q", k, n, args, status, said, err)
	}
	return err
}

// fileLines returns the lines of a file.
func fileLines(t *testing.T, file string) [][]byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.SplitAfter(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
}

// ownFiles returns the arguments that join needs in addition to the link.
func ownFiles(args []string) (own []string) {
	for i, a := range args {
		if a == "-model" && strings.Contains(args[i+1], ".") || a == "-data" {
			own = append(own, a, args[i+1])
		}
	}
	return own
}

// The join of any number of parts prints the result of run: for one method and two, for a clamped model, which also has
// runs without the clamping, for auto with its pilots, an RBM without base rates, and a Stan program.
func TestParts(t *testing.T) {
	coin := "-model " + filepath.Join(programs, "coin.stan") + " -data " + filepath.Join(programs, "coin.json")
	for _, c := range []struct {
		args       string
		replicates int
		some       bool // test only some numbers of parts
	}{
		{strings.Join(twoMethods, " "), 6, false},
		{strings.Join(oneMethod, " "), 4, false},
		{"-model mixture2 -method ais -set chains=20 -set temperatures=20 -replicates 9", 9, false},
		{"-model rbm-cd25-500 -set clamp=0i4 -method ais -set chains=4 -set temperatures=10 -replicates 4", 4, true},
		{"-model mixture2 -replicates 5", 5, true},
		{coin + " -method smc -set particles=50 -replicates 4", 4, true},
		{"-model " + write(t, "tiny.json", []byte(tinyRBM)) + " -method ais -set chains=20 -set temperatures=20 " +
			"-replicates 4", 4, false},
	} {
		args := strings.Fields(c.args)
		want := withoutSeconds(mustRun(t, append([]string{"run", "-json"}, args...)...))
		for n := 1; n <= c.replicates; n++ {
			if c.some && n != 3 {
				continue
			}
			dir := t.TempDir() + "/"
			for k := range n {
				part(t, k+1, n, dir, args...)
			}
			if got := withoutSeconds(mustRun(t, append([]string{"join", "-json", dir}, ownFiles(args)...)...)); got != want {
				t.Errorf("%s in %d parts: %s, want %s", c.args, n, got, want)
			}
		}
	}
}

// Errors in the arguments are reported before any work.
func TestPartArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("thesis.txt", []byte("my thesis\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"part", "give the part first"},
		{"part 0/3 -model mixture2 -out a", "must be K/N"},
		{"part 4/3 -model mixture2 -out a", "must be K/N"},
		{"part 1/3x -model mixture2 -out a", "must be K/N"},
		{"part 1/3 -model mixture2", "-out FILE or -out FOLDER/ is missing"},
		{"part 1/3 -of 3 -model mixture2 -out a", "leave -of and -from out"},
		{"part 1/3 -of 0 -model mixture2 -out a", "it must be a whole number from 1 to 100000"},
		{"part 1/3 -model mixture2 -out a", "has -replicates 1, too few for 3 parts: use -replicates 3 (a multiple"},
		{"part 3/8 -model mixture2 -replicates 7 -out a", "K/N with N at most 7"},
		{"part 1/3 -model mixture2 -replicates 3 -out /dev/full", "/dev/full is a device; give the name of a file"},
		{"part 1/3 -model mixture2 -replicates 3 -out thesis.txt", "is not the file of a part: delete it, or give another"},
		{"host -model mixture2 -replicates 4 -file /dev/zero", "/dev/zero is a device; give the name of a file"},
		{"host -model mixture2 -replicates 4 -file .", ". is a folder; give the name of a file"},
		{"join", "give the files of the parts"},
		{"join thesis.txt", "no file has a complete line of a part"},
		{"join missing.jsonl", "missing.jsonl"},
		{"join /dev/zero", "/dev/zero is a device; give the name of a file"},
		{"join .", "join: . has no files of parts, as logz part -out ./ makes"},
	} {
		status, _, err := run(strings.Fields(c.args)...)
		if status != exitUsage || !strings.Contains(err, c.want) {
			t.Errorf("%s: status %d, %q, want %q", c.args, status, err, c.want)
		}
	}
	if b, err := os.ReadFile("thesis.txt"); err != nil || string(b) != "my thesis\n" {
		t.Errorf("thesis.txt is %q, %v", b, err)
	}
}

// A part that is killed at random times continues from its file and ends with the same runs: only the current one is
// lost.
func TestKilledPart(t *testing.T) {
	args := strings.Fields("-model rbm-pcd-20 -method ais -set chains=20 -set temperatures=100 -replicates 12")
	want := withoutSeconds(mustRun(t, append([]string{"run", "-json"}, args...)...))
	dir := t.TempDir()
	file := filepath.Join(dir, "b.jsonl")
	took := timed(t, append([]string{"part", "1/1", "-out", filepath.Join(dir, "a.jsonl")}, args...)...)
	runKilled(t, tier.Size(4, 8, 30), took, append([]string{"part", "1/1", "-out", file}, args...)...)
	_, got, says := run("join", "-json", file)
	if withoutSeconds(got) != want {
		t.Errorf("joined %s, %s, want %s", got, says, want)
	}
	if n := len(fileLines(t, file)); n != 12+strings.Count(says, "and ignored") {
		t.Errorf("%d lines: %q", n, says)
	}
}

// Ctrl-C or SIGTERM ends a part with status 130, and the same command continues.
func TestInterruptedPart(t *testing.T) {
	args := []string{"-model", "gpc-mnist35", "-method", "arm", "-set", "particles=20000", "-replicates", "2"}
	file := filepath.Join(t.TempDir(), "a.jsonl")
	status, out, err := runTerminated(t, "logzlab/models/gpc.(*particles).Move", append([]string{"part", "1/2", "-out", file},
		args...)...)
	if status != exitInterrupted || out != "" || !strings.HasSuffix(err, "logz: stopped; the same command continues\n") {
		t.Errorf("status %d, %q, %q", status, out, err)
	}
	if st, err := os.Stat(file); err != nil || st.Size() > 0 {
		t.Errorf("the file: %v, %v", st, err)
	}
}

// Files that are cut short, have a wrong bit, were written twice or in another order, have zeros or are empty: join
// reports which line of which file it ignores, and the parts, started again, complete the files.
func TestDamagedParts(t *testing.T) {
	want := withoutSeconds(mustRun(t, append([]string{"run", "-json"}, twoMethods...)...))
	dir := t.TempDir() + "/"
	part(t, 2, 2, dir, twoMethods...)
	part(t, 1, 2, dir, twoMethods...)
	files, err := filepath.Glob(dir + "*")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	file := files[0]
	sound, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole := map[string]bool{} // lines
	for line := range bytes.Lines(sound) {
		whole[strings.TrimSuffix(string(line), "\n")] = true
	}
	damages := map[string]func(b []byte) []byte{
		"twice":      func(b []byte) []byte { return append(b, b...) },
		"empty":      func([]byte) []byte { return nil },
		"zeros":      func(b []byte) []byte { clear(b); return b },
		"zeros last": func(b []byte) []byte { return append(b, make([]byte, 5000)...) },
		"no newline": func(b []byte) []byte { return b[:len(b)-1] },
		"one line":   func(b []byte) []byte { return b[:bytes.IndexByte(b, '\n')+1] },
		"one byte":   func(b []byte) []byte { return b[:1] },
		"turned": func(b []byte) []byte {
			x := bytes.SplitAfter(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
			x[0], x[1] = x[1], x[0]
			return append(bytes.Join(x, nil), '\n')
		},
	}
	for range tier.Size(20, 100, 1000) {
		at, bit := rand.IntN(len(sound)), rand.IntN(8)
		damages[fmt.Sprintf("bit %d of byte %d", bit, at)] = func(b []byte) []byte { b[at] ^= 1 << bit; return b }
		damages[fmt.Sprintf("%d bytes", at)] = func(b []byte) []byte { return b[:at] }
	}
	for name, damage := range damages {
		b := damage(bytes.Clone(sound))
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		left, damaged := map[string]bool{}, false
		for line := range bytes.Lines(b) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if damaged = damaged || !whole[string(line)]; whole[string(line)] {
				left[string(line)] = true
			}
		}
		status, got, says := run("join", "-json", dir)
		if len(left) == len(whole) && (status != exitOK || withoutSeconds(got) != want) || len(left) < len(whole) &&
			(status != exitFailed || !strings.Contains(says, "part 1/2 lacks replicates ")) ||
			damaged != strings.Contains(says, "logz: "+file+", line ") {
			t.Fatalf("%s, which leaves %d lines: status %d, %s, %s", name, len(left), status, got, says)
		}
		part(t, 1, 2, dir, twoMethods...)
		status, got, says = run("join", "-json", dir)
		if status != exitOK || withoutSeconds(got) != want {
			t.Fatalf("%s: after part: status %d, %s, %s", name, status, got, says)
		}
	}
}

// Errors name files of another experiment or build, with both, and two files with different results. No file is
// changed.
func TestForeignParts(t *testing.T) {
	dir := t.TempDir()
	ours, other, built, wrong := filepath.Join(dir, "ours"), filepath.Join(dir, "other"), filepath.Join(dir, "built"),
		filepath.Join(dir, "wrong")
	part(t, 1, 2, ours, oneMethod...)
	part(t, 1, 2, other, append([]string{"-seed", "2"}, oneMethod...)...)
	x, _, ok := readLine(bytes.TrimSuffix(fileLines(t, ours)[0], []byte("\n")))
	if !ok {
		t.Fatal("no line")
	}
	y := x
	y.Build = "a1b2c3"
	x.Outcome = append(bytes.Clone(x.Outcome), 1)
	for name, b := range map[string][]byte{built: y.encode(), wrong: x.encode()} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const a, b = "#v=1&model=mixture2&method=is&", "#v=1&model=mixture2&method=is&seed=2&"
	again := func(out string) []string { return append([]string{"part", "2/2", "-out", out}, oneMethod...) }
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"join", ours, other}, []string{other + " is a part of the experiment " + b, ours + " is one of " + a,
			"give the files of one experiment, as logz-" + experimentID(x.Experiment) + "-*"}},
		{[]string{"join", ours, built}, []string{built + " was made by build a1b2c3 of the program, and this is build unknown"}},
		{[]string{"join", ours, wrong}, []string{ours + " and " + wrong + " have different results of replicate " +
			strconv.Itoa(x.Replicate) + " of is"}},
		{again(other), []string{other + " is a part of the experiment " + b, "this is one of " + a, "another file by -out"}},
		{again(built), []string{built + " was made by build a1b2c3"}},
	} {
		before, _ := os.ReadFile(c.args[len(c.args)-1])
		status, out, err := run(c.args...)
		for _, want := range c.want {
			if status != exitUsage || out != "" || !strings.Contains(err, want) {
				t.Errorf("%s: status %d, %q, want %q", c.args, status, err, want)
			}
		}
		if after, _ := os.ReadFile(c.args[len(c.args)-1]); !bytes.Equal(before, after) {
			t.Errorf("%s changed the file", c.args)
		}
	}
}
