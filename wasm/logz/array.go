//go:build !js

package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// scheduler has the names of the environment variables by which a job scheduler numbers the tasks of an array. A name
// is empty if the scheduler has no such variable.
type scheduler struct {
	name             string
	task, unsetValue string // number of the task, and its value outside of arrays
	first, last      string // numbers of the first and the last task of the submission
	step, count      string // difference of successive numbers; number of tasks
	firstNumber      int    // number of the first task, unless first or -from gives another one
	isFixed          bool   // the first task always has the number firstNumber
}

// schedulers are the job schedulers whose environment variables arrayTask reads.
var schedulers = []scheduler{
	{name: "Slurm", task: "SLURM_ARRAY_TASK_ID", first: "SLURM_ARRAY_TASK_MIN", last: "SLURM_ARRAY_TASK_MAX",
		step: "SLURM_ARRAY_TASK_STEP", count: "SLURM_ARRAY_TASK_COUNT", firstNumber: 1},
	{name: "Kubernetes", task: "JOB_COMPLETION_INDEX", isFixed: true},
	{name: "AWS Batch", task: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE", isFixed: true},
	{name: "Grid Engine", task: "SGE_TASK_ID", unsetValue: "undefined", first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST",
		step: "SGE_TASK_STEPSIZE", firstNumber: 1},
	{name: "LSF", task: "LSB_JOBINDEX", unsetValue: "0", last: "LSB_JOBINDEX_END", firstNumber: 1},
	{name: "PBS", task: "PBS_ARRAY_INDEX", firstNumber: 1},
}

// task is a task of an array, which computes part k of n.
type task struct {
	scheduler
	id, k, n    int // id is the number of the task
	start, step int // number of the task of part 1, and the difference of successive numbers
}

// String reports which part the task computes, and why.
func (t *task) String() string {
	stepText := ""
	if t.step > 1 {
		stepText = fmt.Sprintf(" in steps of %d", t.step)
	}
	return fmt.Sprintf("part %d of %d: %s is %d, and tasks count from %d%s", t.k, t.n, t.task, t.id, t.start, stepText)
}

// arrayTask returns the task of an array that the environment describes, or nil outside of arrays.
func arrayTask(env func(string) string, c numbering) (*task, error) {
	var t *task
	for _, s := range schedulers {
		if x := env(s.task); x == "" || x == s.unsetValue {
			continue
		} else if t != nil {
			return nil, fmt.Errorf("two schedulers number this task: %s is %s and %s is %s; unset the wrong one, or name the "+
				"part, as in logz part 2/8", t.task, env(t.task), s.task, x)
		}
		t = &task{scheduler: s}
	}
	if t == nil {
		return nil, nil
	}

	e := environment{get: env}
	t.id = e.number(t.task)
	first, last, count := e.number(t.first), e.number(t.last), e.number(t.count)
	t.step = max(e.number(t.scheduler.step), 1)
	if e.err != nil {
		return nil, e.err
	}

	// -of and -from have precedence over the scheduler.
	if t.start = t.firstNumber; c.firstTask >= 0 {
		t.start = c.firstTask
	}
	switch {
	case t.isFixed && c.firstTask > 0:
		return nil, fmt.Errorf("tasks of %s count from 0; leave -from out", t.name)
	case c.partCount > 0:
		t.n, t.step = c.partCount, 1
		if first >= 0 && first < t.start || last >= 0 && last-t.start+1 > t.n || t.id-t.start+1 > t.n || t.id < t.start {
			return nil, fmt.Errorf("%s is %d%s, and with -of %d tasks count from %d to %d: submit such numbers, or give "+
				"the number of part 1 by -from", t.task, t.id, taskRange(first, last), t.n, t.start, t.start+t.n-1)
		}
	case c.firstTask >= 0:
		return nil, errors.New("-from numbers the tasks of -of N parts; give -of too")
	case last < 0 && count < 0:
		return nil, fmt.Errorf("%s is %d, but the number of tasks is not known: give -of N", t.task, t.id)
	default:
		if first >= 0 {
			t.start = first
		}
		if t.n = count; last >= 0 {
			t.n = (last-t.start)/t.step + 1
		}
		if count >= 0 && count != t.n || (t.id-t.start)%t.step != 0 || t.id < t.start || t.id > t.start+(t.n-1)*t.step {
			return nil, fmt.Errorf("%s is %d%s, which is not a whole array: give -of N, the number of all parts", t.task, t.id,
				taskRange(first, last))
		}
	}

	if t.n > maxParts {
		return nil, fmt.Errorf("%d parts are more than %d", t.n, maxParts)
	}
	t.k = (t.id-t.start)/t.step + 1
	return t, nil
}

// taskRange describes the first and the last number of the tasks of a submission. A number that is not known is
// negative and left out.
func taskRange(first, last int) string {
	switch {
	case first >= 0 && last >= 0:
		return fmt.Sprintf(" of %d to %d", first, last)
	case last >= 0:
		return fmt.Sprintf(" of at most %d", last)
	}
	return ""
}

// environment reads numbers from environment variables and stores the first error.
type environment struct {
	get func(string) string
	err error
}

var wholeNumber = regexp.MustCompile(`^[0-9]{1,9}$`)

// number returns the value of a variable, or -1 if it is not set.
func (e *environment) number(name string) int {
	x := ""
	if name != "" {
		x = e.get(name)
	}
	if x == "" || x == "undefined" {
		return -1
	}
	if !wholeNumber.MatchString(x) {
		if e.err == nil {
			e.err = fmt.Errorf("%s is %q, which is not the number of a task; name the part, as in logz part 2/8", name, x)
		}
		return -1
	}
	n, _ := strconv.Atoi(x)
	return n
}
