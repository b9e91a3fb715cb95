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

// sizes matches the sizes of a program in the output of a run.
var sizes = regexp.MustCompile(`coordinates: (\d+), operations: (\d+)`)

// mostIdle is how long a run may use no processor time before it counts as hanging.
const mostIdle = 40 * time.Second

// first returns the row of a posterior by auto, which may use limit seconds of processor time.
func (p posterior) first(logz string, limit float64) row {
	r := newRow(p.name, room.Build)
	cmd := exec.Command(logz, "run", "-model", p.program(), "-data", p.data(), "-method", "auto", "-seed", "1", "-workers",
		"1", "-json")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		r.Reason = err.Error()
		return r
	}

	// An interrupted run prints its results so far.
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	stopped, moved, before, hangs := time.Time{}, began, 0., false
wait:
	for {
		select {
		case <-ended:
			break wait
		case <-tick.C:
			switch {
			case stopped.IsZero():
				u := used(cmd.Process.Pid, began)
				if u != before {
					before, moved = u, time.Now()
				}
				hangs = time.Since(moved) > mostIdle
				if u <= limit && !hangs {
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
		r.Status, r.Reason = late, fmt.Sprintf("more than %v s", limit)
		if hangs {
			r.Reason = "it hangs"
		}
	}
	var found result
	if json.Unmarshal(stdout.Bytes(), &found) != nil {
		if stopped.IsZero() {
			r.Reason = reasonOf(stderr.String(), p)
			if cmd.ProcessState.ExitCode() == 2 { // bad input
				r.Status = refused
			}
		}
		return r
	}
	r.take(found, p, stopped.IsZero())
	return r
}

// take copies a result to a row.
func (r *row) take(found result, p posterior, whole bool) {
	if whole {
		r.Status = done
	}
	number := func(x *float64) float64 {
		if x == nil {
			return math.NaN()
		}
		return *x
	}
	if m := sizes.FindStringSubmatch(found.Understood); m != nil {
		r.Dim, _ = strconv.ParseFloat(m[1], 64) // digits
		r.Operations, _ = strconv.ParseFloat(m[2], 64)
	}
	r.LogZ, r.SE, r.ParetoK = number(found.LogZ), number(found.SE), number(found.Diagnostics.ParetoK)
	r.Verdict, r.Flags, r.Link, r.Hash = found.Verdict.Level, strings.Join(found.Flags, " "), found.Link, found.Hash
	var bad []string
	for _, c := range found.Verdict.Checks {
		if !c.OK {
			bad = append(bad, c.Name)
		}
	}
	r.Checks = strings.Join(bad, "; ")
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

// used returns the processor time of a process in seconds if the system reports it, otherwise the elapsed time.
func used(pid int, began time.Time) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, ok := strings.Cut(string(b), ") ")
	fields := strings.Fields(after)
	if err != nil || !ok || len(fields) < 13 {
		return time.Since(began).Seconds()
	}
	user, err1 := strconv.ParseFloat(fields[11], 64)
	system, err2 := strconv.ParseFloat(fields[12], 64)
	if err1 != nil || err2 != nil {
		return time.Since(began).Seconds()
	}
	return (user + system) / 100 // from clock ticks of Linux
}
