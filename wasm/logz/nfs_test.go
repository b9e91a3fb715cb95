//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/labtest"
	"logzlab/core/labtest/tier"
)

// Parts in a folder of an NFS server, by the client of a real Linux: two tasks of one part exclude each other, one that
// is killed goes on, and what is joined is what run prints. The kernel is one in user mode, since few test machines
// have NFS; server and client are both in it.
func TestNFS(t *testing.T) {
	tier.Release(t)
	programs := filepath.Join(labtest.Root(t), "bin/nfs")
	linux := filepath.Join(programs, "usr/bin/linux.uml")
	if _, err := os.Stat(linux); err != nil || os.Getuid() != 0 {
		t.Skipf("NOT TESTED, for want of a Linux in user mode, or of root: parts on NFS: %v (./build.sh release brings it)",
			err)
	}
	out := t.TempDir()
	script, err := filepath.Abs("testdata/nfs.sh")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(linux, "mem=700M", "rootfstype=hostfs", "rw", "root=none", "init=/bin/sh", "con=null",
		"con0=fd:0,fd:1", "NFS="+programs, "LOGZ="+os.Args[0], "OUT="+out, "--", script)
	c.Env = append(os.Environ(), "TMPDIR="+out)
	boot, err := c.CombinedOutput()
	b, _ := os.ReadFile(filepath.Join(out, "said"))
	said := string(b)
	if !strings.Contains(said, "/mnt/parts nfs4 ") {
		t.Fatalf("NFS does not start: %v\n%s\n%s", err, boot[max(0, len(boot)-2000):], said)
	}
	if !strings.Contains(said, "is in use by another logz that runs now") {
		t.Error("a second task has the same part")
	}
	want := ""
	for _, experiment := range []string{"-model mixture2 -method ais -replicates 6",
		"-model rbm-pcd-100 -method ais -replicates 8"} {
		want += hashLine.FindString(good(t, append([]string{"run"}, strings.Fields(experiment)...)...))
	}
	if got := strings.Join(hashLine.FindAllString(said, -1), ""); got != want {
		t.Errorf("joined %q, run %q", got, want)
	}
	if t.Failed() {
		t.Log(said)
	}
}
