//go:build !js

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"logzlab/core/labtest/tier"
)

// TestMain is the command where a test starts this program as one, or kubectl.
func TestMain(m *testing.M) {
	if os.Getenv("LOGZ_COMMAND") != "" {
		os.Exit(cli(os.Args[1:], os.Stdout, os.Stderr))
	}
	if os.Getenv("LOGZ_KUBECTL") != "" {
		if err := kubectl(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// terminated starts the command, sends it SIGTERM after a while, and returns what came of it; late is the time it took.
func terminated(t *testing.T, after time.Duration, args ...string) (status int, out, err string, late time.Duration) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "LOGZ_COMMAND=1")
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	if err := c.Start(); err != nil {
		t.Skipf("no program can be started here: %v", err)
	}
	time.Sleep(after)
	sent := time.Now()
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Skipf("signals cannot be sent here: %v", err)
	}
	c.Wait()
	return c.ProcessState.ExitCode(), o.String(), e.String(), time.Since(sent)
}

// SIGTERM ends whatever the command does with status 130 and what is known, at once: while it opens a model (the matrix
// of 2,000 data takes seconds), enumerates, works on a unit that makes no frame, and within an experiment.
func TestTerminated(t *testing.T) {
	tier.Test(t)
	var table, rbm strings.Builder
	for i := range 2000 {
		for j := range 700 {
			fmt.Fprintf(&table, "%d,", (i*i+j*j*i)%997)
		}
		fmt.Fprintf(&table, "%d\n", i%2)
	}
	row := "[" + strings.Repeat("0.1,", 21) + "-0.2]"
	rbm.WriteString(`{"kind":"rbm","W":[` + strings.Repeat(row+",", 999) + row + `],"c_visible":[` +
		strings.Repeat("0.1,", 999) + `0],"b_hidden":` + row + `}`)
	dir := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		after    time.Duration
		out, err string
		args     []string
	}{
		{700 * time.Millisecond, "", "logz: interrupted; there is no result yet\n",
			[]string{"run", "-method", "ais", "-model", write(t, "data.csv", []byte(table.String()))}},
		{time.Second, "", "logz: interrupted; there is no result yet\n",
			[]string{"exact", "-workers", "1", "-model", write(t, "rbm.json", []byte(rbm.String()))}},
		{time.Second, `"interrupted"`, "",
			[]string{"run", "-json", "-model", "gpc-mnist35", "-method", "arm", "-set", "particles=20000"}},
		{500 * time.Millisecond, "", " points are in " + dir + "; -continue goes on from there",
			[]string{"experiment", "arm-fig2", "-full", "-out", dir}},
	} {
		status, out, err, late := terminated(t, c.after, c.args...)
		if status != exitInterrupted || !strings.Contains(out, c.out) || !strings.Contains(err, c.err) ||
			late > 3*time.Second || (c.out == "") != (out == "") || out != "" && !strings.Contains(out, `"hash":null`) {
			t.Errorf("%s: status %d after %v, %q, %q", c.args, status, late, out, err)
		}
	}
}

// Ctrl-C ends a run with status 130 and the result so far.
func TestInterrupt(t *testing.T) {
	// The test process must survive signals that come before or after the command's
	// own handler is there.
	c := make(chan os.Signal, 100)
	signal.Notify(c, os.Interrupt)
	defer signal.Stop(c)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		status   int
		out, err string
	}
	done := make(chan answer)
	go func() {
		status, out, err := run("run", "-model", "mixture2", "-method", "rts", "-set", "sweeps=10000000", "-json")
		done <- answer{status, out, err}
	}()
	limit := time.After(60 * time.Second)
	for first := time.After(time.Second); ; {
		select {
		case <-first:
		case <-time.After(2 * time.Second):
		case a := <-done:
			r := parseReport(t, a.out)
			other := strings.Count(a.err, "\n") - strings.Count(a.err, " left\n") // lines that do not tell of progress
			if a.status != exitInterrupted || other > 0 || !slices.Contains(r.Flags, "interrupted") {
				t.Errorf("status %d, stderr %q, flags %v", a.status, a.err, r.Flags)
			}
			if r.LogZ == nil {
				t.Error("no partial result")
			}
			if !strings.Contains(a.out, `"hash":null`) {
				t.Errorf("an interrupted result has a hash: %s", a.out)
			}
			return
		case <-limit:
			t.Fatal("the run goes on")
		}
		if err := self.Signal(os.Interrupt); err != nil {
			t.Skipf("signals cannot be sent here: %v", err)
		}
	}
}
