package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ran is the result of a command: exit status and output.
type ran struct {
	status   int // -1: killed
	out, err string
}

// run runs the command. If signal is not nil, it sends it to the command after at most 300 ms.
func (s *soaking) run(signal os.Signal, args ...string) (ran, error) {
	cmd := exec.Command("../../bin/logz", args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return ran{}, err
	}
	if signal != nil {
		time.AfterFunc(time.Duration(s.r.IntN(300))*time.Millisecond, func() { cmd.Process.Signal(signal) })
	}
	hung := time.AfterFunc(guard, func() { cmd.Process.Kill() })
	cmd.Wait()
	if !hung.Stop() {
		return ran{}, errHang
	}
	r := ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	for _, sign := range []string{"panic", "goroutine ", "fatal error"} {
		if strings.Contains(r.err, sign) {
			return r, fmt.Errorf("the command crashed: %s", r.err)
		}
	}
	return r, nil
}

// soakResult has the fields of a method's JSON that the soak test reads.
type soakResult struct {
	Hash  *string
	Flags []string
}

// results parses the JSON output of a run.
func (r ran) results() (all []soakResult, err error) {
	text := strings.TrimSpace(r.out)
	if strings.HasPrefix(text, "{") {
		text = "[" + text + "]"
	}
	err = json.Unmarshal([]byte(text), &all)
	return all, err
}

// check verifies the conditions that hold for every run, disturbed or not, and returns its outcome.
func (r ran) check() (outcome, error) {
	o := outcome{status: r.status}
	switch r.status {
	case 0, 1, 130:
		if r.status == 1 && r.out == "" {
			break // no result at all
		}
		if r.status == 130 && r.out == "" {
			break // interrupted before the first result
		}
		all, err := r.results()
		if err != nil {
			return o, fmt.Errorf("status %d with the output %q: %v", r.status, r.out, err)
		}
		for _, x := range all {
			cut := slices.Contains(x.Flags, "interrupted")
			if cut && (x.Hash != nil || r.status != 130) || r.status == 0 && x.Hash == nil {
				return o, fmt.Errorf("flags or hashes do not agree with status %d: %s", r.status, r.out)
			}
			if x.Hash != nil {
				o.hashes = append(o.hashes, *x.Hash)
			}
		}
	case 2:
		if strings.Count(r.err, "\n") != 1 || r.out != "" {
			return o, fmt.Errorf("status 2 needs one line on stderr and nothing on stdout; stdout %q, stderr %q", r.out, r.err)
		}
	default:
		return o, fmt.Errorf("unexpected status %d, stderr %q", r.status, r.err)
	}
	return o, nil
}

// command runs an experiment undisturbed, then again with another number of workers and possibly a signal.
func (s *soaking) command(x experiment) (outcome, error) {
	args := append([]string{"run", "-json"}, x.args...)
	first, err := s.run(nil, append(args, "-workers", "2")...)
	if err != nil {
		return outcome{}, err
	}
	want, err := first.check()
	if err != nil {
		return want, err
	}
	s.count(fmt.Sprintf("command, status %d", want.status))
	signals := map[string]os.Signal{"": nil, "interrupted": os.Interrupt, "terminated": syscall.SIGTERM,
		"killed": syscall.SIGKILL}
	fault := one(s.r, []string{"", "", "interrupted", "terminated", "killed"})
	again, err := s.run(signals[fault], append(args, "-workers", fmt.Sprint(1+s.r.IntN(5)))...)
	if err != nil || fault == "killed" && again.status == -1 {
		s.count("command, killed")
		return want, err
	}
	if again.status == -1 && want.status != 0 {
		return want, nil // the signal came before the command handled signals
	}
	got, err := again.check()
	switch {
	case again.status == -1: // as above
		err = nil
	case err == nil && got.status == 130: // methods that had finished have their hash
		s.count("command, " + fault)
		other := func(h string) bool { return !slices.Contains(want.hashes, h) }
		if want.status == 0 && slices.ContainsFunc(got.hashes, other) {
			err = fmt.Errorf("first %+v, then %+v (%s)", want, got, fault)
		}
	case err == nil && (got.status != want.status || !slices.Equal(got.hashes, want.hashes)):
		err = fmt.Errorf("first %+v, then %+v (%s)", want, got, fault)
	}
	return want, err
}
