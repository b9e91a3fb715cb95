package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"logzlab/core/cpu"
	"logzlab/estimators/coverage"
)

// cmdCalibrate continues to measure the coverage of error bars, until the time is up or it is interrupted, and writes
// the results. Arguments are words that the name of a cell must contain. With -table it prints the results of all cells
// instead.
func cmdCalibrate(args []string) error {
	f := flag.NewFlagSet("calibrate", flag.ContinueOnError)
	hours := f.Float64("hours", 3, "time of all sessions together, on two processors")
	isQuick := f.Bool("quick", false, "three minutes of it, or so")
	workers := f.Int("workers", runtime.NumCPU(), "goroutines")
	printTable := f.Bool("table", false, "print the cells that have been measured")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *printTable {
		text, err := coverage.Table(".")
		fmt.Print(text)
		return err
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := coverage.Options{Dir: ".", Filter: f.Args(), Seconds: 2 * 3600 * *hours, Workers: *workers,
		Computer: fmt.Sprintf("%d x %s, %s, %s", *workers, processor(), runtime.Version(), time.Now().Format(time.DateOnly)),
		Load:     func(file string) ([]byte, error) { return os.ReadFile(filepath.Join("site", "models", file)) },
		Clock:    cpu.Seconds,
		Say:      func(text string) { fmt.Fprintln(os.Stderr, text) }}
	if *isQuick {
		o.Session = 2 * 180
	}
	return coverage.Run(ctx, o)
}
