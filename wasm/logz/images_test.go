//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/internal/labtest"
	"logzlab/internal/tier"
)

// The manifests decode strictly as Jobs of the Kubernetes API, and are consistent: as many parts as completions,
// existing volumes, and no pod that restarts for ever.
func TestClusterSchema(t *testing.T) {
	tier.Release(t)
	folder := filepath.Join(labtest.Root(t), "site/docs/cluster")
	c := exec.Command("go", "run", ".", filepath.Join(folder, "part.yaml"), filepath.Join(folder, "join.yaml"))
	c.Dir, c.Env = "testdata/kubernetes", append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	out, err := c.Output()
	if err != nil {
		var says string
		if no, ok := err.(*exec.ExitError); ok {
			says = string(no.Stderr)
		}
		if strings.Contains(says, "error unmarshaling JSON") || strings.Contains(says, "error converting YAML") {
			t.Fatalf("%v: %s", err, says)
		}
		t.Skipf("NOT TESTED, for want of Kubernetes' types: schemas of manifests: %v: %s", err, says)
	}
	type named struct{ Name string }
	jobs := json.NewDecoder(strings.NewReader(string(out)))
	for _, want := range []struct {
		name, mode, restart string
		parts               int
	}{{"logz-part", "Indexed", "OnFailure", 20}, {"logz-join", "", "Never", 0}} {
		var j struct {
			APIVersion, Kind string
			Metadata         named
			Spec             struct {
				CompletionMode                         string
				Completions, Parallelism, BackoffLimit int
				Template                               struct {
					Spec struct {
						RestartPolicy string
						Volumes       []named
						Containers    []struct {
							Name, Image  string
							Args         []string
							VolumeMounts []named
						}
					}
				}
			}
		}
		if err := jobs.Decode(&j); err != nil {
			t.Fatal(err)
		}
		pod := j.Spec.Template.Spec
		if j.APIVersion != "batch/v1" || j.Kind != "Job" || j.Metadata.Name != want.name ||
			j.Spec.CompletionMode != want.mode || j.Spec.Completions != want.parts || pod.RestartPolicy != want.restart ||
			len(pod.Containers) != 1 || len(pod.Volumes) != 1 {
			t.Fatalf("%+v", j)
		}
		c := pod.Containers[0]
		if c.Name == "" || c.Image == "" || len(c.VolumeMounts) != 1 || c.VolumeMounts[0] != pod.Volumes[0] {
			t.Errorf("%s: %+v, volumes %v", want.name, c, pod.Volumes)
		}
		if of := fmt.Sprintf("part -of %d -out /parts/", want.parts); want.parts > 0 &&
			!strings.HasPrefix(strings.Join(c.Args, " "), of) {
			t.Errorf("%s: args %q", want.name, c.Args)
		}
		if got := manifestArgs(script(t, strings.TrimPrefix(want.name, "logz-")+".yaml")); strings.Join(got, " ") !=
			strings.Join(c.Args, " ") {
			t.Errorf("%s: args %q, for other tests %q", want.name, c.Args, got)
		}
	}
}

// The image of the Dockerfile, here built by buildah, has only the command, and computes parts and their join as in its
// manifests.
func TestClusterImage(t *testing.T) {
	tier.Release(t)
	if _, err := exec.LookPath("buildah"); err != nil {
		t.Skipf("NOT TESTED, for want of buildah: the Dockerfile: %v (Debian: apt-get install buildah)", err)
	}
	dir := t.TempDir()
	context := filepath.Join(dir, "bin") // as ./build.sh build leaves it, with this program for the command
	err := os.Mkdir(context, 0o755)
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "parts"), 0o755)
	}
	self, bad := os.ReadFile(os.Args[0])
	if err == nil && bad == nil {
		err = os.WriteFile(filepath.Join(context, "logz"), self, 0o755)
	}
	if err != nil || bad != nil {
		t.Fatal(err, bad)
	}
	buildah := func(args ...string) string {
		c := exec.Command("buildah", append([]string{"--storage-driver", "vfs", "--root", filepath.Join(dir, "images"),
			"--runroot", filepath.Join(dir, "run")}, args...)...)
		out, err := c.Output()
		if no, ok := err.(*exec.ExitError); ok {
			t.Fatalf("%s: %v: %s%s", c.Args, err, out, no.Stderr)
		} else if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	file := filepath.Join(labtest.Root(t), "site/docs/cluster/Dockerfile")
	buildah("bud", "--isolation", "chroot", "-f", file, "-t", "logz", context)
	entry := strings.Fields(strings.Trim(buildah("inspect", "--type", "image", "--format",
		"{{.OCIv1.Config.Entrypoint}}", "localhost/logz"), "[]"))
	if len(entry) != 1 {
		t.Fatalf("the image starts %q", entry)
	}
	pod := buildah("from", "localhost/logz")
	kube := func(k int, args []string) string {
		return buildah(append([]string{"run", "--isolation", "chroot", "-v", filepath.Join(dir, "parts") + ":/parts", "-e",
			"LOGZ_COMMAND=1", "-e", fmt.Sprint("JOB_COMPLETION_INDEX=", k), pod, "--", entry[0]}, args...)...)
	}
	for k := range 2 {
		kube(k, manifestArgs(parts(t, 2, 4)))
	}
	want := hashLine.FindString(mustRun(t, "run", "-model", "mixture2", "-method", "ais", "-replicates", "4"))
	if got := hashLine.FindString(kube(0, manifestArgs(script(t, "join.yaml")))); got != want || want == "" {
		t.Errorf("the image has %q, run %q", got, want)
	}
}

// The Nextflow file works in a small interpreter of its language, with a task that fails once. Nextflow itself is in no
// registry of Debian, Go or npm.
func TestClusterNextflow(t *testing.T) {
	tier.Release(t)
	if out, err := exec.Command("groovy", "--version").CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED, for want of Groovy: logz.nf: %v %s (Debian: apt-get install groovy default-jre-headless)", err,
			out)
	}
	const experiment = "-model mixture2 -method is -set particles=500 -replicates 6"
	dir, bin := t.TempDir(), t.TempDir()
	text := script(t, "logz.nf", "params.n = 20", "params.n = 3", "-model rbm-pcd-500 -method ais -replicates 40",
		experiment)
	once := "#!/bin/sh\n" + `[ $1 != part ] || [ -e "$FAILED" ] || { touch "$FAILED"; exit 1; }` + "\n" +
		"LOGZ_COMMAND=1 exec " + os.Args[0] + ` "$@"` + "\n"
	for name, text := range map[string]string{filepath.Join(dir, "logz.nf"): text, filepath.Join(bin, "logz"): once} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	driver, err := filepath.Abs("testdata/nextflow.groovy")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("groovy", driver, "logz.nf")
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "FAILED="+filepath.Join(dir, "failed"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	result, err := os.ReadFile(filepath.Join(dir, "result.txt"))
	want := hashLine.FindString(mustRun(t, append([]string{"run"}, strings.Fields(experiment)...)...))
	if got := hashLine.FindString(string(result)); err != nil || got != want || want == "" {
		t.Errorf("%v: %s\nwant %s", err, result, want)
	}
	if tries, _ := filepath.Glob(filepath.Join(dir, "work/part-*")); len(tries) != 4 {
		t.Errorf("tasks ran in %q", tries)
	}
}
