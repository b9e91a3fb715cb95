//go:build !js

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"logzlab/internal/tier"
)

// script returns a script of the documentation with its lines marked CHANGE replaced.
func script(t *testing.T, name string, changes ...string) string {
	t.Helper()
	b, err := os.ReadFile("../../site/docs/cluster/" + name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	for i := 0; i < len(changes); i += 2 {
		n := 0
		for k, line := range lines {
			if strings.Contains(line, changes[i]) && strings.Contains(line, "CHANGE") {
				lines[k] = strings.Replace(line, changes[i], changes[i+1], 1)
				n++
			}
		}
		if n != 1 {
			t.Fatalf("%s: %d lines marked CHANGE have %q", name, n, changes[i])
		}
	}
	return strings.Join(lines, "\n")
}

// pathWithLogz returns a folder for PATH in which logz is this program.
func pathWithLogz(t *testing.T) string {
	dir := t.TempDir()
	err := os.WriteFile(filepath.Join(dir, "logz"), []byte("#!/bin/sh\nLOGZ_COMMAND=1 exec "+os.Args[0]+` "$@"`+"\n"),
		0o755)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Scripts of the documentation are valid shell and mark the lines to change.
func TestClusterScripts(t *testing.T) {
	names, err := filepath.Glob("../../site/docs/cluster/*")
	if err != nil || len(names) < 8 {
		t.Fatal(names, err)
	}
	page, err := os.ReadFile("../../site/docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range names {
		name := filepath.Base(path)
		if !strings.Contains(string(page), "["+name+"](cluster/"+name+")") {
			t.Errorf("cluster.md does not show %s", name)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(b), "\n"); n > 30 {
			t.Errorf("%s has %d lines", name, n)
		}
		if filepath.Ext(name) == ".sh" {
			if out, err := exec.Command("sh", "-n", path).CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", name, err, out)
			}
		}
	}
}

// The script for GNU parallel runs, here on one computer without ssh.
func TestClusterParallel(t *testing.T) {
	tier.Release(t) // only a release needs GNU parallel
	if _, err := exec.LookPath("parallel"); err != nil {
		t.Skipf("no GNU parallel here: %v (Debian: apt-get install parallel)", err)
	}
	const experiment = "-model mixture2 -method is -set particles=500 -replicates 6"
	dir := t.TempDir()
	text := script(t, "parallel.sh", "n=20", "n=3", "1/node1,1/node2,1/node3", "2/:",
		"-model rbm-pcd-500 -method ais -replicates 40", experiment)
	if err := os.WriteFile(filepath.Join(dir, "parallel.sh"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "parallel.sh")
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+pathWithLogz(t)+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	want := hashLine.FindString(mustRun(t, append([]string{"run"}, strings.Fields(experiment)...)...))
	if got := hashLine.FindString(string(out)); err != nil || got != want || want == "" {
		t.Errorf("%v: %s\nwant %s", err, out, want)
	}
}

// completions and arguments match the number of parts of a Job and its command in a manifest.
var completions, arguments = regexp.MustCompile(`\n  completions: (\d+)`), regexp.MustCompile(`(?s)args: \[(.*?)\]`)

// manifestArgs returns the command of a manifest.
func manifestArgs(manifest string) (args []string) {
	for _, a := range strings.Split(arguments.FindStringSubmatch(manifest)[1], ",") {
		args = append(args, strings.Trim(strings.TrimSpace(a), `"`))
	}
	return args
}

// parts returns part.yaml with n parts of a small experiment.
func parts(t *testing.T, n, replicates int) string {
	text := script(t, "part.yaml", "completions: 20", fmt.Sprint("completions: ", n), "rbm-pcd-500", "mixture2", `"40"`,
		strconv.Quote(strconv.Itoa(replicates)))
	return strings.Replace(text, `-of, "20"`, fmt.Sprintf(`-of, "%d"`, n), 1)
}

// kubectl simulates the cluster for kubernetes.sh, with ./parts as the volume: a Job that is applied runs at once, and
// its first pod is killed once and started again. It logs its arguments to a file.
func kubectl(args []string) error {
	log, err := os.OpenFile("asked", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	fmt.Fprintln(log, strings.Join(args, " "))
	job := "job-" + filepath.Base(args[len(args)-1]) // output of the Job; the file exists when it is complete
	switch args[0] {
	case "apply":
		return pods(args[2])
	case "wait":
		_, err = os.Stat(job)
	case "logs":
		var b []byte
		b, err = os.ReadFile(job)
		os.Stdout.Write(b)
	default:
		err = errors.New("no such command")
	}
	return err
}

// pods runs the pods of a Job until they end.
func pods(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	args := manifestArgs(strings.ReplaceAll(string(b), "/parts", "parts"))
	n := 1
	if m := completions.FindStringSubmatch(string(b)); m != nil {
		n, _ = strconv.Atoi(m[1])
	}
	var says []byte
	for k := range n {
		pod := func() *exec.Cmd {
			c := logzProcess(args...)
			c.Env = append(c.Env, fmt.Sprint("JOB_COMPLETION_INDEX=", k))
			return c
		}
		if first := pod(); k == 0 && n > 1 && first.Start() == nil { // its node is drained
			time.Sleep(50 * time.Millisecond)
			_ = first.Process.Kill()
			_ = first.Wait()
		}
		out, err := pod().CombinedOutput()
		if says = append(says, out...); err != nil {
			return fmt.Errorf("pod %d: %w: %s", k, err, out)
		}
	}
	name := regexp.MustCompile(`\n  name: (\S+)`).FindStringSubmatch(string(b))[1]
	return os.WriteFile("job-"+name, says, 0o600)
}

// The script for Kubernetes runs the parts of its manifest, waits for them, and prints the result of their join.
func TestClusterKubernetes(t *testing.T) {
	tier.Test(t)
	dir, bin := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(bin, "kubectl"): "#!/bin/sh\nLOGZ_KUBECTL=1 exec " + os.Args[0] + ` "$@"`,
		"part.yaml":                   parts(t, 3, 6),
		"join.yaml":                   script(t, "join.yaml"), "kubernetes.sh": script(t, "kubernetes.sh")} {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("sh", "kubernetes.sh")
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	want := hashLine.FindString(mustRun(t, "run", "-model", "mixture2", "-method", "ais", "-replicates", "6"))
	if got := hashLine.FindString(string(out)); err != nil || got != want || want == "" {
		t.Errorf("%v: %s\nwant %s", err, out, want)
	}
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "apply -f part.yaml\nwait --for=condition=complete --timeout=24h job/logz-part\napply -f join.yaml\n" +
		"wait --for=condition=complete --timeout=10m job/logz-join\nlogs job/logz-join\n"; string(asked) != want {
		t.Errorf("kubectl was asked for\n%s", asked)
	}
}
