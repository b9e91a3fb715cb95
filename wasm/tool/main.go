package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// commands has the functions of the commands by name; each receives the arguments after the name.
var commands = map[string]func(args []string) error{
	"bench":     cmdBench,
	"budgets":   cmdBudgets,
	"calibrate": cmdCalibrate,
	"dist":      cmdDist,
	"fma":       cmdFMA,
	"hero":      cmdHero,
	"lessons":   cmdLessons,
	"handouts":  cmdHandouts,
	"new":       cmdNew,
	"rooms":     cmdRooms,
	"serve":     cmdServe,
	"samples":   cmdSamples,
	"stages":    cmdStages,
	"starts":    cmdStarts,
	"train":     cmdTrain,
	"usps":      cmdUSPS,
}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		var names []string
		for name := range commands {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintln(os.Stderr, "usage: tool COMMAND [ARGUMENTS], COMMAND one of", strings.Join(names, ", "))
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "tool %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}
