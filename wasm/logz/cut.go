package main

import (
	"flag"
	"fmt"
	"strconv"
)

// cut is what flags say of the parts of an experiment, -1 where they are not given: their number, and the number of the
// task that computes the first one.
type cut struct{ of, from int }

// Largest values: of parts, and of a task's number.
const (
	mostParts = 100_000
	mostTask  = 999_999_999
)

func (c *cut) flags(f *flag.FlagSet) {
	c.of, c.from = -1, -1
	whole := func(name string, to *int, least, most int) {
		f.Func(name, "", func(s string) (err error) {
			if *to, err = strconv.Atoi(s); err != nil || *to < least || *to > most {
				err = fmt.Errorf("it must be a whole number from %d to %d", least, most)
			}
			return err
		})
	}
	whole("of", &c.of, 1, mostParts)
	whole("from", &c.from, 0, mostTask)
}
