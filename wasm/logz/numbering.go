package main

import (
	"flag"
	"fmt"
	"strconv"
)

// numbering has the values of -of and -from: the number of parts, and the number of the task of an array that computes
// part 1. A value is -1 if its flag is not given.
type numbering struct{ partCount, firstTask int }

// Upper limits of -of and -from.
const (
	maxParts = 100_000
	maxTask  = 999_999_999
)

// flags defines -of and -from.
func (c *numbering) flags(f *flag.FlagSet) {
	c.partCount, c.firstTask = -1, -1
	define := func(name string, value *int, lowest, highest int) {
		f.Func(name, "", func(s string) (err error) {
			if *value, err = strconv.Atoi(s); err != nil || *value < lowest || *value > highest {
				err = fmt.Errorf("it must be a whole number from %d to %d", lowest, highest)
			}
			return err
		})
	}
	define("of", &c.partCount, 1, maxParts)
	define("from", &c.firstTask, 0, maxTask)
}
