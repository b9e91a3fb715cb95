package main

import (
	"flag"
	"fmt"
	"strconv"
)

// numbering says how the tasks of an array are numbered, as -of and -from give it: the number of parts, and the number
// of the task that computes part 1. A value is -1 if its flag is not given.
type numbering struct{ of, from int }

// Upper limits.
const (
	maxParts = 100_000
	maxTask  = 999_999_999
)

// flags defines -of and -from.
func (c *numbering) flags(f *flag.FlagSet) {
	c.of, c.from = -1, -1
	define := func(name string, to *int, lowest, highest int) {
		f.Func(name, "", func(s string) (err error) {
			if *to, err = strconv.Atoi(s); err != nil || *to < lowest || *to > highest {
				err = fmt.Errorf("it must be a whole number from %d to %d", lowest, highest)
			}
			return err
		})
	}
	define("of", &c.of, 1, maxParts)
	define("from", &c.from, 0, maxTask)
}
