package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

// brotliBudgets are the greatest sizes of the programs, in bytes by brotli 11.
var brotliBudgets = []struct {
	path string
	max  int
}{
	{"bin/logz.wasm", 1_200_000},
	{"bin/lab.wasm", 2_900_000},
}

// scriptBudget is the greatest number of lines of JavaScript we write.
const scriptBudget = 1200

// cmdBudgets prints the sizes of what the site sends and fails when one is over
// its budget. It takes no arguments and runs at the root of the project.
func cmdBudgets(args []string) error {
	var over []error
	report := func(what string, got, max int, unit string) {
		fmt.Printf("%-28s %9d of %9d %s\n", what, got, max, unit)
		if got > max {
			over = append(over, fmt.Errorf("%s: %d %s, the budget is %d", what, got, unit, max))
		}
	}
	sizes, err := brotliSizes("bin/brotli.json")
	if err != nil {
		return err
	}
	for i, b := range brotliBudgets {
		report(b.path+" by brotli 11", sizes[i], b.max, "bytes")
	}
	scripts, err := filepath.Glob("site/*.js")
	if err != nil {
		return err
	}
	lines := 0
	for _, path := range scripts {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines += bytes.Count(data, []byte("\n"))
	}
	report("site/*.js", lines, scriptBudget, "lines")
	return errors.Join(over...)
}

// brotliSizes compresses each program that cache, a file of sizes by SHA-256,
// does not know yet: brotli 11 of the bigger one takes the better part of a minute.
func brotliSizes(cache string) ([]int, error) {
	known := map[string]int{}
	if data, err := os.ReadFile(cache); err == nil {
		json.Unmarshal(data, &known) // a broken cache is an empty one
	}
	next := map[string]int{}
	type answer struct {
		sum  string
		size int
		err  error
	}
	answers := make([]chan answer, len(brotliBudgets))
	for i, b := range brotliBudgets {
		answers[i] = make(chan answer, 1)
		go func() {
			data, err := os.ReadFile(b.path)
			if err != nil {
				answers[i] <- answer{err: fmt.Errorf("%w; run ./build.sh build", err)}
				return
			}
			h := sha256.Sum256(data)
			sum := hex.EncodeToString(h[:])
			size, ok := known[sum]
			if !ok {
				size, err = brotliSize(data)
			}
			answers[i] <- answer{sum, size, err}
		}()
	}
	var sizes []int
	for _, c := range answers {
		a := <-c
		if a.err != nil {
			return nil, a.err
		}
		next[a.sum] = a.size
		sizes = append(sizes, a.size)
	}
	data, err := json.Marshal(next)
	if err != nil {
		return nil, err
	}
	return sizes, replace(cache, data)
}

// brotliSize is the size of data at quality 11 and the window of 2^22 bytes that
// web servers use.
func brotliSize(data []byte) (int, error) {
	var buf bytes.Buffer
	w := brotli.NewWriterOptions(&buf, brotli.WriterOptions{Quality: 11, LGWin: 22})
	if _, err := w.Write(data); err != nil {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	return buf.Len(), nil
}
