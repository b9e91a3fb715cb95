// Command posteriors makes the table of the posteriors of posteriordb ([Magnusson2024]) in the documentation.
//
//	posteriors [FLAG...] DIR
//
// DIR has NAME.stan and NAME.json for each posterior. For each the command runs `logz run` with method auto in a
// separate process, and a second method for log Z in this one. Each row is stored in posteriors.csv as soon as it is
// complete, so that an interrupted command continues where it stopped. Rows of this build are not computed again,
// except with -again, or if the time limit is longer than the one that ended a method. Posteriors without a row come
// first, and short programs before long ones. The page, posteriors.md, is made of the rows; without DIR only the page
// is made.
//
// Files to read in order: main.go; row.go, rows and their table; first.go, auto in a separate process; second.go, log Z
// by chains and bridge sampling; chain.go, the chains; page.go, the page.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"logzlab/core/files/disk"
	"logzlab/wasm/rooms/room"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "posteriors:", err)
		os.Exit(1)
	}
}

func run() error {
	logz := flag.String("logz", "bin/logz", "the command, of the same build")
	out := flag.String("out", "site/docs/posteriors", "the page and its rows, without .md and .csv")
	limit := flag.Float64("limit", 120, "most seconds of a processor for auto on a posterior")
	second := flag.Float64("second", 20, "most seconds of a processor for the second method, 0: none")
	only := flag.String("only", "", "only posteriors whose names have this")
	again := flag.Bool("again", false, "compute rows of this build again")
	flag.Parse()
	if flag.NArg() > 1 {
		return fmt.Errorf("give one folder")
	}
	rows, err := readRows(*out + ".csv")
	if err != nil {
		return err
	}
	if flag.NArg() == 1 {
		if *again {
			for i := range rows {
				rows[i].Build = ""
			}
		}
		todo, err := posteriorsToRun(flag.Arg(0), rows, *only, *limit, *second)
		if err != nil {
			return err
		}
		for i, p := range todo {
			r := p.known
			if r.Name == "" {
				r = p.runFirst(*logz, *limit)
			}
			if r.compiled() && *second > 0 {
				r.runSecond(p, *second)
			}
			if err := r.saveTo(*out + ".csv"); err != nil {
				return err
			}
			fmt.Printf("[%d/%d] %s\n", i+1, len(todo), r.line())
		}
		if rows, err = readRows(*out + ".csv"); err != nil {
			return err
		}
	}
	return disk.Write(*out+".md", page(rows, time.Now()))
}

// posterior is a program with its data.
type posterior struct {
	name, dir string
	size      int64
	known     row // the existing row, if only the second method is to be run
}

func (p posterior) program() string { return filepath.Join(p.dir, p.name+".stan") }
func (p posterior) data() string    { return filepath.Join(p.dir, p.name+".json") }

// posteriorsToRun returns the posteriors of a folder that are to be run: those without a row of this build, and those
// with a run that was ended by a shorter limit. Names must contain only. Posteriors without a row come first, then by
// size.
func posteriorsToRun(dir string, rows []row, only string, limit, second float64) (todo []posterior, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.stan"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s has no programs: %v", dir, err)
	}
	rank := map[string]int{} // -1: no row; 1: a row by the first method
	for _, file := range files {
		p := posterior{name: strings.TrimSuffix(filepath.Base(file), ".stan"), dir: dir}
		at := slices.IndexFunc(rows, func(r row) bool { return r.Name == p.name })
		if at < 0 {
			rank[p.name] = -1
		}
		if !strings.Contains(p.name, only) {
			continue
		}
		if at >= 0 && rows[at].Build == room.Build && !(rows[at].Status == overTime && rows[at].Seconds < limit) {
			if !rows[at].wantsSecond(second) {
				continue
			}
			p.known, rank[p.name] = rows[at], 1
		}
		for _, name := range []string{p.program(), p.data()} {
			about, err := os.Stat(name)
			if err != nil {
				return nil, err
			}
			p.size += about.Size()
		}
		todo = append(todo, p)
	}
	slices.SortFunc(todo, func(a, b posterior) int {
		return cmp.Or(rank[a.name]-rank[b.name], cmp.Compare(a.size, b.size), cmp.Compare(a.name, b.name))
	})
	return todo, nil
}
