//go:build !js

package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// script is one of the documentation, in which lines marked CHANGE are changed.
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

// asLogz is a folder for PATH in which logz is this program.
func asLogz(t *testing.T) string {
	dir := t.TempDir()
	err := os.WriteFile(filepath.Join(dir, "logz"), []byte("#!/bin/sh\nLOGZ_COMMAND=1 exec "+os.Args[0]+` "$@"`+"\n"),
		0o755)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Scripts of the documentation are shell, and mark what to change.
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

// The script for GNU parallel runs, here on one machine without ssh.
func TestClusterParallel(t *testing.T) {
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
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+asLogz(t)+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	want := hashLine.FindString(good(t, append([]string{"run"}, strings.Fields(experiment)...)...))
	if got := hashLine.FindString(string(out)); err != nil || got != want || want == "" {
		t.Errorf("%v: %s\nwant %s", err, out, want)
	}
}

// yaml reads what the manifests use of YAML: maps and lists by indentation, lists and maps in brackets, and words.
type yaml struct {
	lines []string // without comments
	bad   error
}

// block reads the value whose lines are indented by n blanks.
func (y *yaml) block(n int) any {
	m, list := map[string]any{}, []any(nil)
	for len(y.lines) > 0 {
		line := y.lines[0]
		in := len(line) - len(strings.TrimLeft(line, " "))
		if in < n {
			break
		}
		if in > n {
			y.bad = fmt.Errorf("%q is indented by %d, not %d", line, in, n)
			return nil
		}
		if rest, ok := strings.CutPrefix(line[n:], "- "); ok {
			y.lines[0] = strings.Repeat(" ", n+2) + rest
			list = append(list, y.block(n+2))
			continue
		}
		y.lines = y.lines[1:]
		key, value, ok := strings.Cut(line[n:], ":")
		if _, twice := m[key]; !ok || twice {
			y.bad = fmt.Errorf("%q is no key, or stands there twice", line)
			return nil
		}
		if value = strings.TrimSpace(value); value == "" {
			in := n
			if len(y.lines) > 0 {
				in = len(y.lines[0]) - len(strings.TrimLeft(y.lines[0], " "))
			}
			m[key] = y.block(in)
			continue
		}
		for strings.Count(value, "[") > strings.Count(value, "]") && len(y.lines) > 0 {
			value, y.lines = value+" "+strings.TrimSpace(y.lines[0]), y.lines[1:]
		}
		m[key] = y.flow(&value)
	}
	if list != nil {
		return list
	}
	return m
}

var word = regexp.MustCompile(`^(?:"[^"]*"|[^,\[\]{}]+)`)

// flow reads a value in brackets, or a word.
func (y *yaml) flow(text *string) any {
	*text = strings.TrimSpace(*text)
	end := map[byte]string{'[': "]", '{': "}"}[(*text + " ")[0]]
	if end == "" {
		w := word.FindString(*text)
		*text = (*text)[len(w):]
		return strings.Trim(strings.TrimSpace(w), `"`)
	}
	*text = strings.TrimSpace((*text)[1:])
	m, list := map[string]any{}, []any{}
	for !strings.HasPrefix(*text, end) {
		if end == "}" {
			key, rest, ok := strings.Cut(*text, ":")
			if !ok {
				y.bad = fmt.Errorf("%q has no key", *text)
				return nil
			}
			*text = rest
			m[strings.TrimSpace(key)] = y.flow(text)
		} else {
			list = append(list, y.flow(text))
		}
		if *text = strings.TrimSpace(*text); *text == "" {
			y.bad = fmt.Errorf("%s is missing", end)
			return nil
		}
		*text = strings.TrimSpace(strings.TrimPrefix(*text, ","))
	}
	*text = (*text)[1:]
	if end == "}" {
		return m
	}
	return list
}

// fieldsOf lists the fields of a value by their ways, as spec.template.spec.
func fieldsOf(x any, way string, out map[string]string) {
	switch x := x.(type) {
	case map[string]any:
		for key, v := range x {
			fieldsOf(v, strings.TrimPrefix(way+"."+key, "."), out)
		}
	case []any:
		for _, v := range x {
			fieldsOf(v, way+"[]", out)
		}
	default:
		out[way] += fmt.Sprint(x) + " "
	}
}

// jobFields are the fields of a batch/v1 Job that the manifests may use. They were decoded strictly into the types of
// k8s.io/api, which are too large to be among our modules; a field that is new must be looked up there, and added.
var jobFields = []string{"apiVersion", "kind", "metadata.name", "spec.backoffLimit", "spec.completionMode",
	"spec.completions", "spec.parallelism", "spec.template.spec.containers[].args[]",
	"spec.template.spec.containers[].image", "spec.template.spec.containers[].name",
	"spec.template.spec.containers[].resources.requests.cpu",
	"spec.template.spec.containers[].resources.requests.memory",
	"spec.template.spec.containers[].volumeMounts[].mountPath", "spec.template.spec.containers[].volumeMounts[].name",
	"spec.template.spec.restartPolicy", "spec.template.spec.volumes[].name",
	"spec.template.spec.volumes[].persistentVolumeClaim.claimName"}

// manifest reads a Job of the documentation, and checks what Kubernetes would refuse.
func manifest(t *testing.T, name string) (fields map[string]string, args []string) {
	t.Helper()
	y := yaml{}
	for line := range strings.Lines(script(t, name)) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimRight(line, " \n"); line != "" {
			y.lines = append(y.lines, line)
		}
	}
	job := y.block(0)
	if y.bad != nil {
		t.Fatalf("%s: %v", name, y.bad)
	}
	fields = map[string]string{}
	fieldsOf(job, "", fields)
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(jobFields, f) {
			t.Errorf("%s: a Job has no field %s", name, f)
		}
	}
	for f, want := range map[string]string{"apiVersion": "^batch/v1 $", "kind": "^Job $", "metadata.name": "^[a-z-]+ $",
		"spec.template.spec.restartPolicy": "^(OnFailure|Never) $", "spec.template.spec.containers[].image": ".",
		"spec.backoffLimit": `^\d+ $`} {
		if !regexp.MustCompile(want).MatchString(fields[f]) {
			t.Errorf("%s: %s is %q", name, f, fields[f])
		}
	}
	if fields["spec.template.spec.containers[].volumeMounts[].name"] != fields["spec.template.spec.volumes[].name"] {
		t.Errorf("%s mounts another volume than it has", name)
	}
	return fields, strings.Fields(fields["spec.template.spec.containers[].args[]"])
}

// The manifests are Jobs whose commands work: as many parts as there are completions, then their join.
func TestClusterKubernetes(t *testing.T) {
	fields, args := manifest(t, "part.yaml")
	_, join := manifest(t, "join.yaml")
	of := slices.Index(args, "-of")
	if n := fields["spec.completions"]; of < 0 || args[of+1]+" " != n || fields["spec.completionMode"] != "Indexed " {
		t.Fatalf("%s completions, args %q", n, args)
	}
	parts := t.TempDir()
	for i, a := range args {
		switch a {
		case "/parts/":
			args[i] = parts + "/"
		case "rbm-pcd-500":
			args[i] = "mixture2"
		case "20":
			args[i] = "2"
		case "40":
			args[i] = "4"
		}
	}
	for _, k := range []string{"0", "1"} {
		t.Setenv("JOB_COMPLETION_INDEX", k)
		if status, _, says := run(args...); status != exitOK || !strings.Contains(says, "JOB_COMPLETION_INDEX is "+k) {
			t.Errorf("pod %s: status %d, %q", k, status, says)
		}
	}
	if len(join) != 2 || join[1] != "/parts" {
		t.Fatalf("join.yaml has args %q", join)
	}
	want := hashLine.FindString(good(t, "run", "-model", "mixture2", "-method", "ais", "-replicates", "4"))
	if got := hashLine.FindString(good(t, join[0], parts)); got != want {
		t.Errorf("joined %q, run %q", got, want)
	}
}
