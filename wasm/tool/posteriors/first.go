package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"logzlab/models/stan"
	"logzlab/wasm/rooms/room"
)

// result has the fields of the JSON of a run that this command uses.
type result struct {
	Link, Understood, Hash string
	LogZ, SE               *float64
	Diagnostics            struct {
		ParetoK *float64 `json:"pareto_k"`
	}
	Flags   []string
	Verdict struct {
		Level  string
		Checks []struct {
			Name string
			OK   bool
		}
	}
}

// sizePattern matches the numbers of coordinates and operations of a program in the output of a run.
var sizePattern = regexp.MustCompile(`coordinates: (\d+), operations: (\d+)`)

// maxIdle is the longest time in which a run may use no processor time before it counts as hanging.
const maxIdle = 40 * time.Second

// runFirst returns the row of a posterior by method auto, run by the command logz in a separate process. If the process
// uses more than limit seconds of processor time or hangs, it is interrupted, and the row has its results so far.
func (p posterior) runFirst(logz string, limit float64) row {
	r := newRow(p.name, room.Build)
	cmd := exec.Command(logz, "run", "-model", p.program(), "-data", p.data(), "-method", "auto", "-seed", "1", "-workers",
		"1", "-json")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		r.Reason = err.Error()
		return r
	}

	// Wait for the process; interrupt it at the limit, and kill it if it does not end after that.
	exited := make(chan error)
	go func() { exited <- cmd.Wait() }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	stopped, lastProgress, lastUsed, isHanging := time.Time{}, start, 0., false
wait:
	for {
		select {
		case <-exited:
			break wait
		case <-tick.C:
			switch {
			case stopped.IsZero():
				processorTime := processorSeconds(cmd.Process.Pid, start)
				if processorTime != lastUsed {
					lastUsed, lastProgress = processorTime, time.Now()
				}
				isHanging = time.Since(lastProgress) > maxIdle
				if processorTime <= limit && !isHanging {
					continue
				}
				stopped = time.Now()
				_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended by itself
			case time.Since(stopped) > 20*time.Second:
				_ = cmd.Process.Kill()
			}
		}
	}
	r.Seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if !stopped.IsZero() {
		r.Status, r.Reason = overTime, fmt.Sprintf("more than %v s", limit)
		if isHanging {
			r.Reason = "it hangs"
		}
	}
	var output result
	if json.Unmarshal(stdout.Bytes(), &output) != nil {
		if stopped.IsZero() {
			r.Reason = reasonOf(stderr.String(), p)
			if cmd.ProcessState.ExitCode() == 2 { // bad input
				r.Status = notCompiled
			}
		}
		return r
	}
	r.setResult(output, p, stopped.IsZero())
	return r
}

// setResult sets the fields of the row from the output of a run; isComplete reports whether the run was not
// interrupted.
func (r *row) setResult(output result, p posterior, isComplete bool) {
	if isComplete {
		r.Status = done
	}
	number := func(x *float64) float64 {
		if x == nil {
			return math.NaN()
		}
		return *x
	}
	if m := sizePattern.FindStringSubmatch(output.Understood); m != nil {
		r.Dim, _ = strconv.ParseFloat(m[1], 64) // digits
		r.Operations, _ = strconv.ParseFloat(m[2], 64)
	}
	r.LogZ, r.SE, r.ParetoK = number(output.LogZ), number(output.SE), number(output.Diagnostics.ParetoK)
	r.Verdict, r.Flags, r.Link, r.Hash = output.Verdict.Level, strings.Join(output.Flags, " "), output.Link, output.Hash
	var failing []string
	for _, c := range output.Verdict.Checks {
		if !c.OK {
			failing = append(failing, c.Name)
		}
	}
	r.Checks = strings.Join(failing, "; ")
	if t, err := p.text(); err == nil && r.Link != "" {
		if packed := t.Pack(); packed != "" {
			r.Link += "&view.program=" + packed
		}
	}
}

// text returns the program with its data.
func (p posterior) text() (t stan.Text, err error) {
	source, err := os.ReadFile(p.program())
	if err != nil {
		return t, err
	}
	data, err := os.ReadFile(p.data())
	return stan.Text{Name: p.name, Source: string(source), Data: string(data)}, err
}

// reasonOf returns the first line of an error, without the names of files.
func reasonOf(text string, p posterior) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimPrefix(line, "logz: ")
	for _, name := range []string{p.program(), filepath.Base(p.program())} {
		line = strings.TrimPrefix(line, name+": ")
	}
	return line
}

// processorSeconds returns the processor time of a process in seconds if the system reports it, otherwise the elapsed
// time.
func processorSeconds(pid int, start time.Time) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, ok := strings.Cut(string(b), ") ")
	fields := strings.Fields(after)
	if err != nil || !ok || len(fields) < 13 {
		return time.Since(start).Seconds()
	}
	user, err1 := strconv.ParseFloat(fields[11], 64)
	system, err2 := strconv.ParseFloat(fields[12], 64)
	if err1 != nil || err2 != nil {
		return time.Since(start).Seconds()
	}
	return (user + system) / 100 // from clock ticks of Linux
}
