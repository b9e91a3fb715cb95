//go:build !js

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"logzlab/internal/tier"
)

// TestMain runs the command, or kubectl, if a test starts this program as one of them.
func TestMain(m *testing.M) {
	if os.Getenv("LOGZ_COMMAND") != "" {
		function := os.Getenv("LOGZ_UNTIL")
		if function != "" {
			go signalIn(function, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGTERM) })
		}
		status := cli(os.Args[1:], os.Stdout, os.Stderr)
		if function != "" && isIn(function) {
			fmt.Fprintln(os.Stderr, "left in", function)
		}
		os.Exit(status)
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

// signalIn sends a signal to this program as soon as a goroutine is in a function. The function must be called after
// the handler of signals is installed.
func signalIn(function string, send func()) {
	for !isIn(function) {
		time.Sleep(time.Millisecond)
	}
	send()
}

// isIn reports whether a goroutine of this program is in a function.
func isIn(function string) bool {
	stacks := make([]byte, 1<<20)
	return bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte(function))
}

// stopWriter keeps the output of a program, and calls end when text has been written.
type stopWriter struct {
	out  bytes.Buffer
	text string
	end  func()
}

func (w *stopWriter) Write(b []byte) (int, error) {
	w.out.Write(b)
	if w.text != "" && strings.Contains(w.out.String(), w.text) {
		w.text = ""
		w.end()
	}
	return len(b), nil
}

// runTerminated starts the command, sends it SIGTERM, and returns its status and output. The signal comes when the
// command is in the function when, or, if when is not a function, when it has written that text to stderr.
func runTerminated(t *testing.T, when string, args ...string) (status int, out, err string) {
	t.Helper()
	c := logzProcess(args...)
	var o bytes.Buffer
	e := stopWriter{text: when, end: func() { _ = c.Process.Signal(syscall.SIGTERM) }}
	if strings.HasPrefix(when, "logzlab/") {
		c.Env, e.text = append(c.Env, "LOGZ_UNTIL="+when), ""
	}
	c.Stdout, c.Stderr = &o, &e
	if err := c.Start(); err != nil {
		t.Skipf("no program can be started here: %v", err)
	}
	_ = c.Wait()
	return c.ProcessState.ExitCode(), o.String(), e.out.String()
}

// SIGTERM ends the command with status 130 and the results so far: while it opens a model (with a matrix of 2,000
// data), enumerates, works on a unit that makes no frame, and within an experiment. All of these but the first take
// minutes. The first one is still opening the model in the background when the command ends. Catches a command that
// waits for the model and is interrupted only in its run.
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
		in       string // the function that is interrupted
		out, err string
		args     []string
	}{
		{"logzlab/estimators/engine.Source.Open", "",
			"logz: interrupted; there is no result yet\nleft in logzlab/estimators/engine.Source.Open",
			[]string{"run", "-method", "ais", "-model", write(t, "data.csv", []byte(table.String()))}},
		{"logzlab/estimators/engine.Exact", "", "logz: interrupted; there is no result yet\n",
			[]string{"exact", "-workers", "1", "-model", write(t, "rbm.json", []byte(rbm.String()))}},
		{"logzlab/models/gpc.(*particles).Move", `"interrupted"`, "",
			[]string{"run", "-json", "-model", "gpc-mnist35", "-method", "arm", "-set", "particles=20000"}},
		{"logzlab/estimators/engine.Run", "", " points are in " + dir + "; -continue continues from there",
			[]string{"experiment", "arm-fig2", "-full", "-out", dir}},
	} {
		status, out, err := runTerminated(t, c.in, c.args...)
		if status != exitInterrupted || !strings.Contains(out, c.out) || !strings.Contains(err, c.err) ||
			(c.out == "") != (out == "") || out != "" && !strings.Contains(out, `"hash":null`) {
			t.Errorf("%s: status %d, %q, %q", c.args, status, out, err)
		}
	}
}

// Ctrl-C ends a run with status 130 and the result so far.
func TestInterrupt(t *testing.T) {
	// The test process must survive a signal that comes after the command's own handler is gone.
	c := make(chan os.Signal, 100)
	signal.Notify(c, os.Interrupt)
	defer signal.Stop(c)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	go signalIn("logzlab/estimators/temper.tempering.sweep", func() {
		if err := self.Signal(os.Interrupt); err != nil {
			t.Errorf("signals cannot be sent here: %v", err)
		}
	})
	status, out, said := run("run", "-model", "mixture2", "-method", "rts", "-set", "sweeps=10000000", "-json")
	r := parseReport(t, out)
	other := strings.Count(said, "\n") - strings.Count(said, " left\n") // lines that are not progress
	if status != exitInterrupted || other > 0 || !slices.Contains(r.Flags, "interrupted") {
		t.Errorf("status %d, stderr %q, flags %v", status, said, r.Flags)
	}
	if r.LogZ == nil {
		t.Error("no partial result")
	}
	if !strings.Contains(out, `"hash":null`) {
		t.Errorf("an interrupted result has a hash: %s", out)
	}
}
