//go:build !js

package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"logzlab/estimators/papers"
)

// experimentPart parses -part: K/N, or array, which takes K and N from the scheduler.
func experimentPart(e *papers.Experiment, o papers.Options, part string, c numbering, stderr io.Writer) (p papers.Part, err error) {
	switch part {
	case "":
		if c.partCount >= 0 || c.firstTask >= 0 {
			err = errors.New("experiment: -of and -from belong to -part array")
		}
		return p, err
	case "array":
		t, err := arrayTask(os.Getenv, c)
		if err == nil && t == nil {
			err = errors.New("this process is not a task of an array; name the part, as in -part 2/8")
		}
		if err != nil {
			return p, fmt.Errorf("experiment: %w", err)
		}
		fmt.Fprintln(stderr, t)
		p = papers.Part{K: t.k, N: t.n}
	default:
		if p.K, p.N, err = parsePart(part); err != nil {
			return p, err
		}
		if c.partCount >= 0 || c.firstTask >= 0 {
			return p, errors.New("experiment: -of and -from belong to -part array")
		}
	}

	// In some experiments every point depends on others, so that no part can be computed separately.
	switch splittable, total := e.Splittable(o); {
	case splittable == 0:
		err = fmt.Errorf("none of the %d points of %s can be computed separately; leave -part out", total, e.Name)
	case o.Continue, o.Page:
		err = errors.New("experiment: a part continues by itself; -continue and -page belong to the command that joins the " +
			"parts")
	}
	return p, err
}
